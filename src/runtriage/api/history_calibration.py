"""How often verdicts that people judged were right, by how sure they were."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final

from msgspec import Struct

if TYPE_CHECKING:
    from runtriage.store.history import History

_EDGES: Final = (0.0, 0.5, 0.7, 0.8, 0.9, 0.95, 1.0)


class Bin(Struct, frozen=True):
    """Verdicts with a confidence from `low` to below `high` (the last one up to 1): how many were judged, and how many right."""

    low: float
    high: float
    judged: int
    right: int
    confidence: float
    """Mean confidence of those that were judged."""


def calibration(history: History) -> list[Bin]:
    """Return the bins that hold a judged verdict; of each diagnosis what was said last counts, and `fixed` counts as right."""
    last = {entry.id: (entry.confidence, item.says != "wrong") for entry, item in history.judged()}
    found: list[Bin] = []
    for low, high in pairwise(_EDGES):
        among = [pair for pair in last.values() if low <= pair[0] < high or (high == 1.0 and pair[0] == 1.0)]
        if among:
            mean = sum(confidence for confidence, _ in among) / len(among)
            found.append(Bin(low, high, len(among), sum(right for _, right in among), round(mean, 3)))
    return found
