"""The global rank of processes that print only their number: from the lines that say which process is which rank."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

from msgspec.structs import replace

from runtriage.model.event import PHASE, STATE, Event
from runtriage.model.facts import RankProgress
from runtriage.model.subject import Subject

Told = TypeVar("Told", Event, RankProgress)
Seats = Mapping[tuple[str | None, int], int | None]
"""The rank of each process, by its node and number; None where two are told."""


def seats_of(events: Sequence[Event]) -> Seats:
    """Return which process is which rank, as a launcher lists its workers or as NCCL sets up its widest communicator."""
    found: dict[tuple[str | None, int], int | None] = {}
    for node, pid, rank in (*_listed(events), *_connected(events)):
        for key in ((node, pid), (None, pid)):
            found[key] = rank if found.get(key, rank) == rank else None
    return found


def _listed(events: Iterable[Event]) -> Iterable[tuple[str | None, int, int]]:
    for event in events:
        who = event.subject
        if event.kind == PHASE and event.name == "setup" and who.rank is not None and who.pid is not None:
            yield who.node, who.pid, who.rank


def _connected(events: Iterable[Event]) -> Iterable[tuple[str | None, int, int]]:
    told = [event for event in events if event.kind == STATE and event.name == "nccl/seat" and event.subject.pid]
    widest = max((event.numbers.get("size", 0.0) for event in told), default=0.0)
    for event in told:
        if event.numbers.get("size") == widest and event.subject.pid is not None:
            yield event.subject.node, event.subject.pid, int(event.numbers["rank"])


def seated(told: Sequence[Told], seats: Seats) -> tuple[Told, ...]:
    """Return events or progress with the rank of their process, where they name a process of known rank."""
    return tuple(
        item
        if (subject := _seated(item.subject, seats)) is item.subject or _is_state(item)
        else replace(item, subject=subject)
        for item in told
    )


def _is_state(item: Event | RankProgress) -> bool:
    return isinstance(item, Event) and item.kind == STATE


def _seated(subject: Subject, seats: Seats) -> Subject:
    if subject.rank is not None or subject.pid is None:
        return subject
    rank = seats.get((subject.node, subject.pid))
    return subject if rank is None else replace(subject, rank=rank)
