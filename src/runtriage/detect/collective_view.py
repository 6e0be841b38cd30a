"""The recorders of all ranks laid side by side: who stands where in which process group."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Final

from msgspec import Struct, field

from runtriage.model.event import STATE, Event
from runtriage.model.facts import Facts

_MOST: Final = 1 << 20


class Seat(Struct):
    """One rank in one group."""

    rank: int
    event: Event
    enqueued: int
    completed: int
    order: int

    def call(self, seq: int) -> int | None:
        """Return the fingerprint of its call number `seq`, None where the ring has forgotten it or it never was."""
        value = self.event.numbers.get(f"call/{seq}")
        return None if value is None else int(value)

    def words(self, seq: int) -> str:
        """Return what its call number `seq` was, in words."""
        code = self.call(seq)
        for line in self.event.captures.get("calls", "").split("\n"):
            number, _, words = line.partition(" ")
            if number == str(code):
                return words
        return "a collective"

    def waits(self) -> Iterable[tuple[str, int]]:
        """Yield (`send` or `recv`, peer) for each transfer that is not complete."""
        for name in self.event.numbers:
            if name.startswith("wait/"):
                _, kind, peer = name.split("/")
                yield kind, int(peer)


class Circle(Struct, dict=True):
    """One process group. `unseen` are members whose dump is missing."""

    name: str
    seats: dict[int, Seat] = field(default_factory=dict[int, Seat])
    unseen: tuple[int, ...] = ()

    @cached_property
    def done(self) -> int:
        """The last collective that completed: what one rank saw complete, all have joined, whatever their own record says yet."""
        return max(seat.completed for seat in self.seats.values())

    @cached_property
    def front(self) -> int:
        """The first collective that some rank did not call, or else the first that did not complete."""
        calls = [seat.enqueued for seat in self.seats.values()]
        return max(self.done, min(calls)) + 1 if min(calls) < max(calls) else self.done + 1

    def blocks(self, rank: int) -> bool:
        """Tell whether a rank waits here, in a collective or for a peer."""
        seat = self.seats[rank]
        return seat.enqueued > self.done or any(True for _ in seat.waits())

    @cached_property
    def joined(self) -> list[Seat]:
        """Who called it."""
        return [seat for seat in self.seats.values() if seat.enqueued >= self.front]

    @cached_property
    def absent(self) -> list[Seat]:
        """Who did not, while others wait."""
        return [seat for seat in self.seats.values() if seat.enqueued < self.front] if self.joined else []

    @cached_property
    def split(self) -> tuple[int, list[Seat], list[Seat]] | None:
        """The first call on which ranks differ, with the many and the few; None where all agree or cannot be compared."""
        low = max((min(_seqs(seat), default=0) for seat in self.seats.values()), default=0)
        high = max((seat.enqueued for seat in self.seats.values()), default=0)
        for seq in range(max(low, 1), high + 1):
            calls = {rank: call for rank, seat in self.seats.items() if (call := seat.call(seq)) is not None}
            counts = Counter(calls.values()).most_common(2)
            if len(counts) > 1:
                many = [self.seats[rank] for rank, call in calls.items() if call == counts[0][0]]
                few = [self.seats[rank] for rank, call in calls.items() if call != counts[0][0]]
                return seq, many, few
        return None

    @cached_property
    def forgotten(self) -> bool:
        """Whether no ring holds the collective that ranks wait in any more."""
        return bool(self.joined) and all(seat.call(self.front) is None for seat in self.joined)


def _seqs(seat: Seat) -> list[int]:
    return [int(name[5:]) for name in seat.event.numbers if name.startswith("call/")]


class View(Struct, frozen=True):
    """All groups, and the ranks that left a dump."""

    circles: tuple[Circle, ...]
    seen: frozenset[int]

    def home(self, rank: int) -> Circle | None:
        """Return the group a rank waits in: of several, the one whose collective it called first."""
        waiting = [
            (circle.seats[rank].order or _MOST, index, circle)
            for index, circle in enumerate(self.circles)
            if rank in circle.seats and circle.blocks(rank)
        ]
        return min(waiting)[2] if waiting else None


def view(facts: Facts) -> View:
    """Lay out the dumps that were read to their end: what a rank called last is not known from one that was cut while it was written."""
    rows: dict[tuple[str, str], dict[int, Seat]] = {}
    for event in facts.events:
        if event.kind != STATE or event.name != "recorder/group" or event.subject.rank is None:
            continue
        if event.captures.get("cut") == "yes":
            continue
        rank, numbers = event.subject.rank, event.numbers
        seat = Seat(rank, event, *(int(numbers.get(name, 0)) for name in ("enqueued", "completed", "order")))
        key = (event.captures.get("group", "0"), event.captures.get("ranks", ""))
        rows.setdefault(key, {})[rank] = seat
    seen = frozenset(rank for seats in rows.values() for rank in seats)
    circles = [_circle(key, seats, seen) for key, seats in rows.items()]
    return View(tuple(circles), seen)


def _circle(key: tuple[str, str], seats: Mapping[int, Seat], seen: frozenset[int]) -> Circle:
    first = next(iter(seats.values())).event
    told = first.captures.get("desc", "")
    name = told if told not in ("", "undefined") else f"group {key[0]}"
    unseen = tuple(rank for rank in members(key[1]) if rank not in seen)
    return Circle(name, dict(seats), unseen)


def members(text: str) -> list[int]:
    """Return the ranks that `0-7,16` or `0-24/8` stands for."""
    found: list[int] = []
    for part in text.rstrip("…").split(","):
        span, _, step = part.partition("/")
        low, _, high = span.partition("-")
        if not low.isdecimal() or (high and not high.isdecimal()):
            continue
        width = int(step) if step.isdecimal() and int(step) else 1
        found += range(int(low), min(int(high or low), _MOST) + 1, width)
        if len(found) > _MOST:
            break
    return found
