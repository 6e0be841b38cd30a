"""What ranks say of their communicators in NCCL's own log: who never began or never finished to set one up, who called less or something else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Final

from msgspec import Struct

from runtriage.detect.claims import evidence
from runtriage.detect.engine import Detector
from runtriage.detect.nccl_processes import FIXES as PROCESSES
from runtriage.detect.nccl_processes import differing, lost, unreached
from runtriage.model.catalogue import Catalogue
from runtriage.model.event import SIGNATURE, STATE, Event
from runtriage.model.facts import Facts
from runtriage.model.finding import Match
from runtriage.model.subject import Subject

_INIT: Final = "stall/nccl-init"
_BEHIND: Final = "nccl/desync-report"
_MISMATCH: Final = "nccl/collective-mismatch"
_FIXES: Final = {
    _INIT: ("dist-find-absent", "dist-check-link"),
    _BEHIND: ("dist-find-absent", "stall-dump-stacks", "dist-compare-ranks"),
    _MISMATCH: ("dist-same-collectives", "dist-compare-ranks"),
    **PROCESSES,
}
_HUNG: Final = (
    "nccl/watchdog-timeout",
    "nccl/heartbeat-stuck",
    "nccl/dump-signal-from-peer",
    "nccl/ras-dead-peer",
    "stall/",
)
"""Signatures that prove a wait: without one, ranks that have printed different numbers are merely not equally fast."""
_FEW: Final = 3
"""At most every third rank may be at fault; when more are, nobody is named."""
_NAMED: Final = 8
_PAIRS: Final = ("Send", "Recv")


class _Seat(Struct, frozen=True):
    """One rank in one communicator; `called` is the number of its last operation, None where none was printed."""

    event: Event
    rank: int
    size: int
    completed: bool
    closed: bool
    called: int | None
    calls: Mapping[int, str]


class _Circle(Struct, frozen=True):
    """One communicator: its seats by their rank in it, and the global rank of each where that is known."""

    seats: Mapping[int, _Seat]
    names: Mapping[int, int | None]
    size: int
    whole: bool

    @property
    def what(self) -> str:
        """The communicator in words."""
        return f"the communicator of all {self.size} ranks" if self.whole else f"a communicator of {self.size} ranks"

    def who(self, rank: int) -> str:
        """A member in words."""
        name = self.names.get(rank, rank if self.whole else None)
        return f"rank {name}" if name is not None else f"member {rank}"


def find(facts: Facts, catalogue: Catalogue) -> Iterator[Match]:
    """Yield what communicators that were not set up, ranks that are behind, and versions that differ prove."""
    hung = any(event.kind == SIGNATURE and event.name.startswith(_HUNG) for event in facts.events)
    circles = list(_communicators(facts))
    world = max((seats for seats in circles), key=_size, default=None)
    known = {} if world is None else {_process(seat): seat.rank for seat in world.values()}
    found: list[Match] = []
    for seats in circles:
        names = {rank: rank if seats is world else known.get(_process(seat)) for rank, seat in seats.items()}
        circle = _Circle(seats, names, _size(seats), whole=seats is world)
        mismatch = list(_mismatch(circle))
        found += [*_unready(circle), *mismatch, *(_behind(circle) if hung and not mismatch else ())]
    yield from found
    stuck = any(match.mode == _INIT for match in found)
    if found:
        yield from differing(facts, known, stuck=stuck)
    yield from lost(facts, known, stuck=stuck)
    yield from unreached(facts)


def _communicators(facts: Facts) -> Iterator[dict[int, _Seat]]:
    """Yield the seats of each communicator by rank. Without its id, one of many of a size cannot be told from the others."""
    found: dict[tuple[str, int], dict[int, _Seat]] = {}
    mixed: set[tuple[str, int]] = set()
    for event in facts.events:
        if event.kind != STATE or event.name != "nccl/seat":
            continue
        numbers = event.numbers
        calls = dict(_pair(text) for text in event.captures.get("calls", "").split(",") if ":" in text)
        called = numbers.get("called")
        seat = _Seat(
            event,
            int(numbers.get("rank", 0)),
            int(numbers.get("size", 0)),
            numbers.get("completed") == 1.0,
            numbers.get("closed") == 1.0,
            None if called is None else int(called),
            calls,
        )
        key = (event.captures.get("comm", ""), seat.size)
        if seat.rank in found.setdefault(key, {}) and not key[0]:
            mixed.add(key)
        found[key][seat.rank] = seat
    yield from (seats for key, seats in found.items() if key not in mixed)


def _pair(text: str) -> tuple[int, str]:
    number, _, name = text.partition(":")
    return (int(number) if number.isdigit() else 0), name


def _size(seats: Mapping[int, _Seat]) -> int:
    return next(iter(seats.values())).size


def _process(seat: _Seat) -> tuple[str | None, int | None]:
    return seat.event.subject.node, seat.event.subject.pid


def _unready(circle: _Circle) -> Iterator[Match]:
    seats, size = circle.seats, circle.size
    waiting = [seat for seat in seats.values() if not seat.completed and not seat.closed]
    if not waiting or any(seat.closed for seat in seats.values()):
        return
    done = len(seats) - len(waiting)
    absent = [rank for rank in range(size) if rank not in seats] if _is_few(size - len(seats), size) else []
    everybody = len(seats) == size
    if done and _is_few(len(waiting), size):
        for seat in waiting[:_NAMED]:
            claim = f"{circle.who(seat.rank)} began to set up {circle.what} and never finished, {_ranks(done)} did"
            yield _match(_INIT, claim, seat, circle.names.get(seat.rank))
    elif not done and absent and len(waiting) > 1:
        named = ", ".join(circle.who(rank) for rank in absent[:_NAMED])
        claim = f"{named} never began to set up {circle.what} that {_ranks(len(waiting))} wait for"
        yield _match(_INIT, claim, waiting[0], absent[0] if circle.whole and len(absent) == 1 else None)
    elif not done and everybody and size > 1:
        yield _match(_INIT, f"all members began to set up {circle.what} and none finished", waiting[0], None, "symptom")


def _mismatch(circle: _Circle) -> Iterator[Match]:
    seats = circle.seats
    for number in sorted({number for seat in seats.values() for number in seat.calls}):
        calls = {
            seat.rank: name
            for seat in seats.values()
            if (name := seat.calls.get(number, "")) and not name.endswith("+") and name not in _PAIRS
        }
        counts = Counter(calls.values()).most_common(2)
        if len(counts) < 2:
            continue
        few = [rank for rank, name in calls.items() if name != counts[0][0]]
        if _is_few(len(few), len(calls)) and len(few) < counts[0][1]:
            for rank in few[:_NAMED]:
                claim = (
                    f"operation {number:x} of {circle.what}: {circle.who(rank)} called {calls[rank]}, "
                    f"{_ranks(counts[0][1])} called {counts[0][0]}"
                )
                yield _match(_MISMATCH, claim, seats[rank], circle.names.get(rank))
        return


def _behind(circle: _Circle) -> Iterator[Match]:
    counted = [seat for seat in circle.seats.values() if seat.called is not None]
    numbers = Counter(seat.called or 0 for seat in counted)
    if len(numbers) < 2:
        return
    low, high = min(numbers), max(numbers)
    late = [seat for seat in counted if seat.called == low]
    if _is_few(len(late), len(counted)) and len(late) < len(counted) - len(late):
        for seat in late[:_NAMED]:
            name = seat.calls.get(low, "an operation").rstrip("+")
            claim = f"{circle.who(seat.rank)} last called {name} {low:x} of {circle.what}, others went on to {high:x}"
            yield _match(_BEHIND, claim, seat, circle.names.get(seat.rank))


def _is_few(count: int, of: int) -> bool:
    return count <= max(1, of // _FEW)


def _ranks(count: int) -> str:
    return "1 other rank" if count == 1 else f"{count} ranks"


def _match(mode: str, claim: str, seat: _Seat, culprit: int | None, role: str = "cause") -> Match:
    captures = {"hang": "yes"} if culprit is None else {"hang": "yes", "culprit_rank": str(culprit)}
    subject = Subject(
        rank=culprit, node=seat.event.subject.node if culprit is not None and "never began" not in claim else None
    )
    return Match(
        rule=f"nccl-log/{mode.partition('/')[2]}",
        mode=mode,
        role=role,
        maturity="incubating",
        tier="recorder",
        evidence=(evidence(seat.event, claim),),
        subject=subject,
        scope="job" if culprit is None else "rank",
        captures=captures,
        events=(seat.event,),
        fixes=_FIXES[mode],
        title=claim,
    )


DETECTORS = (Detector(id="nccl-log", modes=(), find=find, remedies=lambda: dict(_FIXES)),)
