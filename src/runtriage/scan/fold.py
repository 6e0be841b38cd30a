"""Keeps what happened without growing: equal events fold into one with a count, the first and the last place."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from typing import Final, NamedTuple, Protocol

from msgspec import Struct, field
from msgspec.structs import replace

from runtriage.model.place import byte_of
from runtriage.model.raw import RawEvent
from runtriage.model.subject import Subject
from runtriage.scan.track import Reach

VARIANTS: Final = 32
"""Events of one kind, name and subject that are told apart by their captures."""
GROUPS: Final = 20_000
"""Kinds, names and subjects that are kept apart in one artifact."""


class Kept(NamedTuple):
    """An event, and how far its subject and the lines nobody signed had come there (None: it prints its step itself)."""

    event: RawEvent
    reach: tuple[Reach, Reach] | None


Make = Callable[[], Kept]


class _Waits(Protocol):
    latest: Kept | None
    waiting: Make | None
    turn: int


class Variant(Struct):
    """Equal occurrences: the first as an event, the last one's event once there are two."""

    first: Kept
    count: int = 1
    latest: Kept | None = None
    waiting: Make | None = None
    turn: int = 0


class Group(Struct):
    """All occurrences of one kind, name and subject in one attempt.

    Once more than `VARIANTS` differ, only their first occurrences, the number of all and the last of all are kept.
    """

    variants: dict[Hashable, Variant] = field(default_factory=dict[Hashable, Variant])
    total: int = 0
    crowded: bool = False
    latest: Kept | None = None
    waiting: Make | None = None
    turn: int = 0

    def events(self) -> Iterator[RawEvent]:
        """Yield what stands for all occurrences."""
        for variant in self.variants.values():
            if self.crowded or variant.latest is None:
                yield variant.first.event
            else:
                yield replace(variant.first.event, count=variant.count, last=variant.latest.event.citation)
        if self.crowded and self.latest is not None:
            yield replace(self.latest.event, count=self.total - len(self.variants))

    def kept(self) -> Iterator[Kept]:
        """Yield everything that is held, also events that only lend their place."""
        for variant in self.variants.values():
            yield variant.first
            if variant.latest is not None:
                yield variant.latest
        if self.latest is not None:
            yield self.latest

    def merge(self, later: Group) -> None:
        """Add what the same group did further on."""
        last = max(later.kept(), key=lambda kept: byte_of(kept.event.citation))
        for captures, variant in later.variants.items():
            mine = self.variants.get(captures)
            if mine is not None:
                mine.count += variant.count
                mine.latest = variant.latest or variant.first
            elif len(self.variants) < VARIANTS:
                self.variants[captures] = variant
            else:
                self.crowded = True
        self.total += later.total
        self.crowded = self.crowded or later.crowded
        self.latest = last


class Speaking(NamedTuple):
    """A subject in one attempt, told by the number of attempt marks before it in the stretch that was scanned."""

    subject: Subject
    marks: int


Key = tuple[str, str, Speaking]
"""(kind, name, who): occurrences with equal keys are one group."""


class Tally(NamedTuple):
    """Where equal occurrences are counted."""

    group: Group
    variant: Variant | None


class Fold(Struct):
    """All groups of one artifact; `dropped` counts occurrences for whose group there was no room."""

    groups: dict[Key, Group] = field(default_factory=dict[Key, Group])
    dropped: int = 0
    _turn: int = 1
    _waiting: list[_Waits] = field(default_factory=list["_Waits"])
    _before: list[_Waits] = field(default_factory=list["_Waits"])

    def add(self, key: Key, captures: Hashable, make: Make) -> Tally | None:
        """Count one occurrence; `make` is called at most once, before its block is gone. None when there is no room."""
        group = self.groups.get(key)
        if group is None:
            if len(self.groups) >= GROUPS:
                self.dropped += 1
                return None
            group = self.groups[key] = Group()
        variant = group.variants.get(captures)
        if variant is None and not group.crowded and len(group.variants) < VARIANTS:
            group.total += 1
            variant = group.variants[captures] = Variant(make())
            return Tally(group, variant)
        group.crowded = group.crowded or variant is None
        tally = Tally(group, variant)
        self.again(tally, make)
        return tally

    def again(self, tally: Tally, make: Make, times: int = 1) -> None:
        """Count an equal occurrence, or several of which this is the last."""
        group, variant = tally
        group.total += times
        place: _Waits = group
        if variant is not None and not group.crowded:
            variant.count += times
            place = variant
        place.waiting = make
        if place.turn != self._turn:
            place.turn = self._turn
            self._waiting.append(place)

    def settle(self, *, everything: bool = False) -> None:
        """End a block: build what was counted last in the block before and not since, while that can still be read."""
        for place in self._before:
            if place.turn < self._turn:
                _build(place)
        self._before, self._waiting = self._waiting, []
        self._turn += 1
        if everything:
            for place in self._before:
                _build(place)
            self._before = []


def _build(place: _Waits) -> None:
    if place.waiting is not None:
        place.latest, place.waiting = place.waiting(), None
