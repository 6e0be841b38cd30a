"""Many diagnoses at a glance: failures by week, and nodes that fail more than the others."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from datetime import date, timedelta
from typing import TYPE_CHECKING, Final

from msgspec import Struct

if TYPE_CHECKING:
    from runtriage.store.history import History
    from runtriage.store.history_listing import Query, Sums

_WEEKS: Final = 26
_LEAST: Final = 3
_CHANCE: Final = 0.01
"""A node stands out when chance alone would give it so many failures in less than 1 of 100 fleets."""


class Node(Struct, frozen=True):
    """A node with its failures, how many an average one of the others has, and whether it stands out."""

    name: str
    failures: int
    others: float
    stands_out: bool


class Overview(Struct, frozen=True, kw_only=True):
    """The sums of the history, with weeks (their Monday) and nodes."""

    sums: Sums
    weeks: list[tuple[str, int]]
    nodes: list[Node]


def overview(history: History, query: Query) -> Overview:
    """Return what the diagnoses that fit add up to."""
    from runtriage.store.history_listing import sums

    found = sums(history, query)
    return Overview(
        sums=found, weeks=weeks([(day, count) for day, _, count in found.by_day]), nodes=nodes(found.by_node)
    )


def weeks(days: Sequence[tuple[str, int]]) -> list[tuple[str, int]]:
    """Return failures by week without a gap, named by their Monday, the last 26 at most."""
    counts: Counter[date] = Counter()
    for text, count in days:
        day = date.fromisoformat(text)
        counts[day - timedelta(days=day.weekday())] += count
    if not counts:
        return []
    last = max(counts)
    first = max(min(counts), last - timedelta(weeks=_WEEKS - 1))
    count = (last - first).days // 7 + 1
    return [((monday := first + timedelta(weeks=number)).isoformat(), counts[monday]) for number in range(count)]


def nodes(counts: Sequence[tuple[str, int]]) -> list[Node]:
    """Return the nodes, those that stand out marked: as a Poisson count against the mean of the others, for so many nodes."""
    total = sum(count for _, count in counts)
    found: list[Node] = []
    for name, count in counts:
        others = (total - count) / (len(counts) - 1) if len(counts) > 1 else 0.0
        alone = len(counts) < _LEAST or count < _LEAST
        found.append(Node(name, count, round(others, 2), not alone and _tail(count, others) < _CHANCE / len(counts)))
    return found


def _tail(count: int, mean: float) -> float:
    """Return the chance of `count` or more where `mean` are expected."""
    if mean <= 0:
        return 0.0
    below = sum(math.exp(-mean + k * math.log(mean) - math.lgamma(k + 1)) for k in range(count))
    return max(1.0 - below, 0.0)
