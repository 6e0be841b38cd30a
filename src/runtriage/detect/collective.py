"""Flight-recorder dumps of many ranks: who did not join the collective that the others wait in, or called another one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from runtriage.detect.claims import evidence
from runtriage.detect.collective_view import Circle, Seat, View, view
from runtriage.detect.engine import Detector
from runtriage.model.catalogue import Catalogue
from runtriage.model.facts import Facts
from runtriage.model.finding import Evidence, Match
from runtriage.model.subject import Subject

_ABSENT: Final = "nccl/desync-report"
_MISMATCH: Final = "nccl/collective-mismatch"
_CROSSED: Final = "nccl/rank-divergent-control-flow"
_TRANSPORT: Final = "nccl/watchdog-timeout"
_PAIRS: Final = "stall/p2p-pipeline-deadlock"
_FIXES: Final = {
    _ABSENT: ("dist-find-absent", "stall-dump-stacks", "dist-compare-ranks"),
    _MISMATCH: ("dist-same-collectives", "dist-compare-ranks"),
    _CROSSED: ("dist-same-collectives", "dist-compare-ranks"),
    _TRANSPORT: ("dist-check-link", "dist-nccl-debug"),
    _PAIRS: ("dist-same-collectives", "stall-dump-stacks"),
}
_FEW: Final = 3
"""At most every third rank may be at fault; when more are, nobody is named."""
_NAMED: Final = 8


def find(facts: Facts, catalogue: Catalogue) -> Iterator[Match]:
    """Yield what the dumps prove, the first of: different calls, ranks that did not join, a missing dump, a stuck transfer."""
    seen = view(facts)
    if len(seen.seen) < 2:
        return
    stuck = [circle for circle in seen.circles if circle.joined]
    found = [
        *_mismatches(seen),
        *_absent(seen, stuck),
        *_pairs(seen),
        *_unseen(seen, stuck),
    ]
    yield from found or _together(seen, stuck)


def _mismatches(seen: View) -> Iterator[Match]:
    for circle in seen.circles:
        if circle.split is None:
            continue
        seq, many, few = circle.split
        if len(few) < len(many) and len(few) <= max(1, len(circle.seats) // _FEW):
            for seat in few[:_NAMED]:
                claim = (
                    f"collective {seq} of {circle.name}: rank {seat.rank} called {seat.words(seq)}, "
                    f"{_ranks(many)} called {many[0].words(seq)}"
                )
                yield _match(_MISMATCH, claim, seat, many[:1], seat.rank)
        else:
            claim = (
                f"collective {seq} of {circle.name}: {_ranks(few)} called {few[0].words(seq)}, "
                f"{_ranks(many)} called {many[0].words(seq)}"
            )
            yield _match(_MISMATCH, claim, few[0], many[:1], None)


def _absent(seen: View, stuck: Sequence[Circle]) -> Iterator[Match]:
    """Name the ranks that others wait for and that wait for nobody: the front of the wave, whatever group it started in."""
    if any(circle.split is not None for circle in seen.circles):
        return
    free: dict[int, Circle] = {}
    for circle in sorted(stuck, key=lambda one: len(one.seats)):
        for seat in circle.absent:
            if seen.home(seat.rank) is None:
                free.setdefault(seat.rank, circle)
    if not free:
        return
    if len(free) > max(1, len(seen.seen) // _FEW):
        circle = next(iter(free.values()))
        yield _match(_ABSENT, _absence(circle, f"{len(free)} ranks"), circle.absent[0], circle.joined[:1], None)
        return
    order = sorted(free, key=lambda rank: (free[rank].seats[rank].enqueued, rank))
    for rank in order[:_NAMED]:
        circle = free[rank]
        yield _match(_ABSENT, _absence(circle, f"rank {rank}"), circle.seats[rank], circle.joined[:1], rank)


def _absence(circle: Circle, who: str) -> str:
    words = circle.joined[0].words(circle.front)
    return f"{who} did not call collective {circle.front} of {circle.name} ({words}), in which {_wait(circle.joined)}"


def _pairs(seen: View) -> Iterator[Match]:
    """Two ranks that each wait for the other to send, or each to receive, never go on."""
    waits = {
        (seat.rank, kind, peer): seat
        for circle in seen.circles
        for seat in circle.seats.values()
        for kind, peer in seat.waits()
    }
    for (rank, kind, peer), seat in waits.items():
        other = waits.get((peer, kind, rank))
        if other is not None and rank < peer and (rank, "send" if kind == "recv" else "recv", peer) not in waits:
            claim = (
                f"rank {rank} and rank {peer} both wait to {'receive from' if kind == 'recv' else 'send to'} each other"
            )
            yield _match(_PAIRS, claim, seat, [other], None)


def _unseen(seen: View, stuck: Sequence[Circle]) -> Iterator[Match]:
    """Name the one rank without a dump that explains every group in which all that left one wait."""
    if any(circle.split is not None or _free(seen, circle) for circle in stuck):
        return
    roots = [set(circle.unseen) for circle in stuck if circle.unseen and not circle.absent]
    if not roots:
        return
    common = set[int].intersection(*roots)
    circle = min((one for one in stuck if one.unseen and not one.absent), key=lambda one: len(one.unseen))
    first = circle.joined[0]
    if len(common) == 1:
        rank = next(iter(common))
        claim = f"rank {rank} left no whole dump, and {_ranks(circle.joined)} wait in collective {circle.front} of {circle.name}"
        yield _match(_ABSENT, claim, first, (), rank)
        return
    claim = (
        f"all {len(circle.joined)} ranks of {circle.name} that left a dump wait in collective {circle.front}; "
        f"{len(circle.unseen)} members left none, and which of them was late cannot be told"
    )
    yield _match(_ABSENT, claim, first, (), None, role="symptom")


def _free(seen: View, circle: Circle) -> bool:
    return any(seen.home(seat.rank) is None for seat in circle.absent)


def _together(seen: View, stuck: Sequence[Circle]) -> Iterator[Match]:
    """Nobody stands apart: all wait in one collective, or the rings have forgotten where ranks parted."""
    for circle in stuck:
        first = circle.joined[0]
        if circle.forgotten:
            claim = (
                f"no ring holds collective {circle.front} of {circle.name} any more, in which ranks wait: "
                f"which of them differs cannot be told"
            )
            yield _match(_ABSENT, claim, first, (), None, role="symptom")
            return
        if not circle.absent:
            words = first.words(circle.front)
            claim = f"all {len(circle.joined)} ranks called collective {circle.front} of {circle.name} ({words}) alike, and it did not complete"
            yield _match(_TRANSPORT, claim, first, (), None, role="symptom")
            return
    yield from _crossed(seen)


def _crossed(seen: View) -> Iterator[Match]:
    """Groups wait for each other: some ranks called the collective of one group where the others called that of another."""
    homes = {rank: home for rank in sorted(seen.seen) if (home := seen.home(rank)) is not None}
    places = Counter(id(home) for home in homes.values()).most_common()
    if len(places) < 2:
        return
    many = [rank for rank, home in homes.items() if id(home) == places[0][0]]
    few = [rank for rank, home in homes.items() if id(home) != places[0][0]]
    most = homes[many[0]]
    named = len(few) < len(many) and len(few) <= max(1, len(homes) // _FEW)
    for rank in few[: _NAMED if named else 1]:
        other = homes[rank]
        claim = (
            f"groups wait for each other: rank {rank} waits in collective {other.front} of {other.name}, "
            f"{_wait([most.seats[one] for one in many])} in collective {most.front} of {most.name}"
        )
        yield _match(_CROSSED, claim, other.seats[rank], [most.seats[many[0]]], rank if named else None)


def _ranks(seats: Sequence[Seat]) -> str:
    return f"rank {seats[0].rank}" if len(seats) == 1 else f"{len(seats)} ranks"


def _wait(seats: Sequence[Seat]) -> str:
    return f"{_ranks(seats)} {'waits' if len(seats) == 1 else 'wait'}"


def _match(
    mode: str, claim: str, seat: Seat, peers: Sequence[Seat], culprit: int | None, *, role: str = "cause"
) -> Match:
    captures = {"hang": "yes"} if culprit is None else {"hang": "yes", "culprit_rank": str(culprit)}
    more = [_witness(peer) for peer in peers]
    return Match(
        rule=f"recorder/{mode.partition('/')[2]}",
        mode=mode,
        role=role,
        maturity="stable",
        tier="recorder",
        evidence=(evidence(seat.event, claim), *more),
        subject=Subject() if culprit is None else Subject(rank=culprit, node=seat.event.subject.node),
        scope="job" if culprit is None else "rank",
        captures=captures,
        events=(seat.event,),
        fixes=_FIXES[mode],
        title=claim,
    )


def _witness(seat: Seat) -> Evidence:
    frames = seat.event.captures.get("frames", "")
    where = f", called from {frames.partition(' < ')[0]}" if frames else ""
    return evidence(seat.event, f"rank {seat.rank} enqueued {seat.enqueued} and completed {seat.completed}{where}")


DETECTORS = (Detector(id="collective", modes=(), find=find, remedies=lambda: dict(_FIXES)),)
