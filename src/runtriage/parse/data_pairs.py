"""Which label each value of a column goes with, and in how many rows it does not."""

from __future__ import annotations

from collections import Counter
from typing import Final

_PAIRS: Final = 4_000
"""Different pairs of value and label that are counted."""
_LOOSE: Final = 64
_SHARE: Final = 0.02
"""Rows, and their part of all, from which a column that does not go with the label is no longer counted."""


class Pairs:
    """Counts of value and label together; `astray` rows have another label than most rows with their value."""

    __slots__ = ("_best", "_counts", "astray", "rows")

    def __init__(self) -> None:
        self._counts: Counter[tuple[str, str]] = Counter()
        self._best: dict[str, int] = {}
        self.rows = 0
        self.astray = 0

    @property
    def values(self) -> int:
        """How many different values there are."""
        return len(self._best)

    def add(self, value: str, label: str) -> bool:
        """Take one row in; False once the column cannot tell the label any more, or has too many values to count."""
        self.rows += 1
        self._counts[value, label] += 1
        if self._counts[value, label] > self._best.get(value, 0):
            self._best[value] = self._counts[value, label]
        else:
            self.astray += 1
        loose = self.astray > _LOOSE and self.astray > _SHARE * self.rows
        return not loose and len(self._counts) <= _PAIRS
