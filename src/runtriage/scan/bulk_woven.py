"""A metric whose lines were read at once in several ways: each way's values are thinned apart, and only what is kept is brought together."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from runtriage.scan.bulk_keys import Column
from runtriage.scan.bulk_numbers import Places
from runtriage.scan.thin import Maker, Pick, Picked, Thin

Stretches = Callable[[int, int, int], "Sequence[tuple[int, int, int]]"]
"""Cuts rows [low, high) into the buckets of a size: the key of each, its first row and the one behind its last."""


class Strand(NamedTuple):
    """Rows that print a metric, in order, and its finite values there."""

    rows: Places
    values: Column


class Woven:
    """One metric of a table. `odd` are the rows that print a non-finite value, in order, with that."""

    def __init__(
        self, strands: Sequence[Strand], odd: Sequence[tuple[int, float]], maker: Maker, stretches: Stretches
    ) -> None:
        self._strands = strands
        self._odd = odd
        self._maker = maker
        self._stretches = stretches

    def first(self, low: int, high: int) -> int | None:
        """See `runtriage.scan.table.Column`."""
        strands, odd = self._cut(low, high)
        firsts = [int(strand.rows[0]) for strand in strands] + [row for row, _ in odd[:1]]
        return min(firsts, default=None)

    @property
    def begin(self) -> int:
        """The first row that prints it."""
        return min([int(strand.rows[0]) for strand in self._strands] + [row for row, _ in self._odd[:1]])

    def feed(self, thin: Thin, low: int, high: int) -> None:
        """See `runtriage.scan.table.Column`."""
        strands, odd = self._cut(low, high)
        if not strands and not odd:
            return
        finite = sum(len(strand.rows) for strand in strands)
        picks = thin.takes_picked(finite) and (thin.nonfinite or not odd)
        if not picks or (thin.changing and (odd or not _unchanged(thin, strands))):
            rows = np.concatenate([*(strand.rows for strand in strands), np.array([row for row, _ in odd], np.int64)])
            values = np.concatenate([*(strand.values.values() for strand in strands), [value for _, value in odd]])
            order = np.argsort(rows, kind="stable")
            take = thin.notice if picks else thin.extend
            # an array offers what a series needs of a sequence: length, items and slices
            take(values[order], rows[order], self._maker)  # pyright: ignore[reportArgumentType]
        if picks:
            self._absorb(thin, strands, odd, low, high)

    def _cut(self, low: int, high: int) -> tuple[list[Strand], list[tuple[int, float]]]:
        cut: list[Strand] = []
        for rows, values in self._strands:
            if low <= rows[0] and rows[-1] < high:
                cut.append(Strand(rows, values))
                continue
            first, last = (int(at) for at in np.searchsorted(rows, (low, high)))
            if first < last:
                cut.append(Strand(rows[first:last], values.part(first, last)))
        begin, end = (bisect_left(self._odd, row, key=_row) for row in (low, high))
        return cut, list(self._odd[begin:end])

    def _absorb(
        self, thin: Thin, strands: Sequence[Strand], odd: Sequence[tuple[int, float]], low: int, high: int
    ) -> None:
        thin.reach(self._maker.byte(high - 1))
        stretches = self._stretches(thin.shift, low, high)
        keys: list[int] = []
        rows: list[int] = [row for row, _ in odd]
        values: list[float] = [value for _, value in odd]
        for strand in strands:
            found, places = _places(strand, stretches)
            keys += found
            rows += strand.rows[places].tolist()
            values += strand.values.at(places)
        picks = list(map(Pick, self._ordinals(strands, odd, rows, (low, high, thin.total)), rows, values))
        buckets: dict[int, list[Picked]] = {}
        for at, key in zip(range(len(odd), len(picks), 4), keys, strict=True):
            buckets.setdefault(key, []).append(Picked(key, *picks[at : at + 4]))
        joined = [_joined(buckets[key]) for key in sorted(buckets)]
        last = max([*picks[: len(odd)][-1:], *(each.last for each in joined[-1:])])
        thin.absorb(joined, picks[: len(odd)], last, self._maker)

    @staticmethod
    def _ordinals(
        strands: Sequence[Strand], odd: Sequence[tuple[int, float]], rows: list[int], span: tuple[int, int, int]
    ) -> list[int]:
        """Return the ranks in the series of some rows; `span` are the first row, the one behind the last, and the rank of the first."""
        low, high, before = span
        if sum(len(strand.rows) for strand in strands) + len(odd) == high - low:
            return [row - low + before for row in rows]
        chosen = np.array(rows, np.int64)
        ranks = np.searchsorted(np.array([row for row, _ in odd], np.int64), chosen) + before
        for strand in strands:
            ranks += np.searchsorted(strand.rows, chosen)
        return ranks.tolist()


def _row(odd: tuple[int, float]) -> int:
    return odd[0]


def _unchanged(thin: Thin, strands: Sequence[Strand]) -> bool:
    """Tell whether all values equal the last one before."""
    if thin.last is None or not all(strand.values.steady() for strand in strands):
        return False
    return all(strand.values.at(np.zeros(1, np.int64)) == [thin.last.value] for strand in strands)


def _places(strand: Strand, stretches: Sequence[tuple[int, int, int]]) -> tuple[list[int], Places]:
    """Return the buckets in which values of one strand lie, and where in it their first, least, greatest and last are."""
    keys: list[int] = []
    places: list[int] = []
    cuts = np.searchsorted(strand.rows, [stop for _, _, stop in stretches]).tolist()
    low = 0
    for (key, _, _), high in zip(stretches, cuts, strict=True):
        if low < high:
            least, greatest = strand.values.part(low, high).extremes()
            keys.append(key)
            places += (low, low + least, low + greatest, high - 1)
            low = high
    return keys, np.array(places, np.int64)


def _joined(parts: Sequence[Picked]) -> Picked:
    """Return what one bucket keeps of all strands."""
    if len(parts) == 1:
        return parts[0]
    return Picked(
        parts[0].key,
        min(part.first for part in parts),
        min((part.least for part in parts), key=lambda pick: (pick.value, pick.ordinal)),
        min((part.greatest for part in parts), key=lambda pick: (-pick.value, pick.ordinal)),
        max(part.last for part in parts),
    )


def split(rows: Places, values: Sequence[float]) -> tuple[list[int], list[tuple[int, float]]]:
    """Return which of some values are finite, and the others with their rows."""
    finite = [at for at, value in enumerate(values) if math.isfinite(value)]
    odd = [(int(rows[at]), value) for at, value in enumerate(values) if not math.isfinite(value)]
    return finite, odd
