"""Files whose whole name is a number: that of a rank only where it is one of several counted from the first."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, TypeVar

from msgspec.structs import replace

from runtriage.model.event import Event
from runtriage.model.facts import RankProgress
from runtriage.model.pattern import deferred
from runtriage.model.series import Series

Told = TypeVar("Told", Event, RankProgress, Series)
_BARE: Final = deferred(r"(?P<folder>(?:.*/)?)(?P<number>\d{1,2})(?P<end>\.(?:log|out|err))\Z", re.DOTALL)
_FEWEST: Final = 2
_FIRST: Final = 1
"""Counts begin at 0, or at 1."""


def numbered_alone(paths: Iterable[str], events: Sequence[Event]) -> Mapping[str, int]:
    """Return the files that are numbered like one of many while the first are missing or there is no other, with their numbers.

    Where a line of such a file names a rank of that number itself, it is one.
    """
    groups: dict[tuple[str, str], dict[int, str]] = {}
    for path in paths:
        if found := _BARE.match(path):
            groups.setdefault((found["folder"], found["end"]), {})[int(found["number"])] = path
    alone = {
        path: number
        for group in groups.values()
        if len(group) < _FEWEST or min(group) > _FIRST
        for number, path in group.items()
    }
    for event in events if alone else ():
        number = alone.get(event.citation.artifact)
        if number is not None and re.search(rf"(?i)rank\W{{0,3}}{number}(?!\d)", event.excerpt):
            del alone[event.citation.artifact]
    return alone


def unranked(told: Iterable[Told], alone: Mapping[str, int]) -> tuple[Told, ...]:
    """Return what was told without the ranks that are only numbers of files."""
    if not alone:
        return tuple(told)
    return tuple(
        replace(item, subject=replace(item.subject, rank=None))
        if item.subject.rank is not None and alone.get(_artifact(item)) == item.subject.rank
        else item
        for item in told
    )


def _artifact(item: Event | RankProgress | Series) -> str:
    return item.citation.artifact if isinstance(item, Event) else item.artifact
