"""The metric lines of one subject in one block when most of them were read at once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from runtriage.scan.block import Block
from runtriage.scan.bulk import Batch
from runtriage.scan.bulk_clock import read_clock
from runtriage.scan.bulk_numbers import Flags, Numbers, Places, Text
from runtriage.scan.contract import LineReader
from runtriage.scan.silence import NOTABLE
from runtriage.scan.table import Column, Printed, Rows, Table
from runtriage.scan.ticks import Ticks


class BulkTable(Table):
    """Batches and single rows, brought into the order of their lines."""

    def __init__(
        self,
        block: Block,
        reader: LineReader,
        ticks: dict[tuple[int, bytes], Ticks],
        batches: Sequence[Batch],
        single: Rows | None,
    ) -> None:
        super().__init__(block, reader, ticks)
        self._batches = batches
        self._single = single
        parts = [batch.starts for batch in batches]
        if single is not None:
            parts.append(np.array(single.starts))
        starts = np.concatenate(parts)
        order = np.argsort(starts, kind="stable") if len(parts) > 1 else np.arange(len(starts))
        self._order = order
        self._offsets = np.cumsum([0, *(len(part) for part in parts)])
        rank = np.empty_like(order)
        rank[order] = np.arange(len(order))
        self._ranks = [rank[low:high] for low, high in zip(self._offsets, self._offsets[1:], strict=False)]
        self.starts = starts[order].tolist()
        self.stepped = self._rows_of([batch.layout.stepped for batch in batches], single.stepped if single else ())
        self.epochs = self._rows_of([batch.layout.epoched for batch in batches], single.epochs if single else ())
        self._printed: dict[int, Printed] = {}

    def _rows_of(self, flags: list[bool], single: Sequence[int]) -> Sequence[int]:
        """Return the rows of the batches with a flag, and some of the single ones."""
        if all(flags) and (self._single is None or len(single) == len(self._single.starts)):
            return range(len(self.starts))
        chosen = [rank for rank, flag in zip(self._ranks, flags, strict=False) if flag]
        if len(single):
            chosen.append(self._ranks[-1][np.array(single)])
        return sorted(np.concatenate(chosen).tolist()) if chosen else ()

    def row(self, index: int) -> Printed:
        """See `Table`."""
        known = self._printed.get(index)
        if known is None:
            known = self._printed[index] = self._row(int(self._order[index]))
        return known

    def _row(self, place: int) -> Printed:
        part = int(np.searchsorted(self._offsets, place, "right")) - 1
        at = place - int(self._offsets[part])
        if part >= len(self._batches):
            assert self._single is not None
            return self._single.row(at)
        batch = self._batches[part]
        start, end = int(batch.starts[at]), int(batch.ends[at])
        body = self.block.slice(start + (len(batch.prefix) if batch.own else 0), end)
        found = batch.layout.pattern.fullmatch(body)
        return Printed(start, end, batch.prefix, batch.own, None, batch.layout, found, batch.parse)

    def timed(self, low: int, high: int) -> Sequence[int]:
        """See `Table`: lines of one prefix and layout print a time, or none does."""
        chosen: list[Places] = []
        for part, rank in enumerate(self._ranks):
            rows = rank[np.searchsorted(rank, low) : np.searchsorted(rank, high)]
            if part >= len(self._batches):
                rows = rows[np.array([self._timed(int(row)) for row in rows], bool)]
            elif len(rows) and not self._timed(int(rows[0])):
                continue
            chosen.append(rows)
        found = np.concatenate(chosen) if chosen else np.zeros(0, np.int64)
        return range(low, high) if len(found) == high - low else np.sort(found).tolist()

    def longest_gap(self, timed: Sequence[int]) -> float | None:
        """See `Table`."""
        rows = np.array(timed, np.int64)
        asked = np.zeros(len(self.starts), bool)
        asked[rows] = True
        seconds = np.full(len(self.starts), np.nan)
        kinds = set[tuple[str, bool, bool]]()
        for part, rank in enumerate(self._ranks):
            mine = rank[asked[rank]]
            if part >= len(self._batches) or not self._clocked(part, asked[rank], mine, seconds, kinds):
                for row in mine.tolist():
                    self._moment(row, seconds, kinds)
        if len(kinds) > 1:
            return super().longest_gap(timed)
        gaps = np.diff(seconds[rows])
        widest = float(gaps.max(initial=0.0, where=~np.isnan(gaps)))
        return widest if widest > NOTABLE else None

    def _moment(self, row: int, seconds: Numbers, kinds: set[tuple[str, bool, bool]]) -> None:
        """Read the time of one row."""
        when = self.instant(row)
        if when is not None:
            kinds.add((when.clock, when.dated, when.zoned))
            seconds[row] = when.seconds

    def _clocked(
        self, part: int, asked: Flags, rows: Places, seconds: Numbers, kinds: set[tuple[str, bool, bool]]
    ) -> bool:
        """Read the times of a batch's rows at once where their place is known; tell whether it is."""
        batch = self._batches[part]
        ticks = self._ticks.get((id(batch.layout), batch.prefix))
        place = ticks.place if ticks is not None else None
        at = -1 if place is None else place - (0 if batch.own else len(batch.prefix))
        if ticks is None or at < 0 or not len(rows):
            return False
        found = read_clock(
            Text(self.block.data, self.block.top),
            batch.starts[asked] + at,
            ticks,
            lambda index: self._moment(int(rows[index]), seconds, kinds),
        )
        kinds.add(ticks.kind)
        seconds[rows] = np.where(np.isnan(found), seconds[rows], found)
        return True

    def totals(self, rows: Sequence[int]) -> set[int | None]:
        """See `Table`."""
        if all(batch.totals is None for batch in self._batches) and self._single is None:
            return {None}
        chosen = np.zeros(len(self.starts), bool)
        chosen[np.array(rows, np.int64)] = True
        found = set[int | None]()
        for batch, rank in zip(self._batches, self._ranks, strict=False):
            mine = chosen[rank]
            if mine.any():
                found |= {None} if batch.totals is None else {int(total) for total in np.unique(batch.totals[mine])}
        if self._single is not None:
            found |= self._single.totals(np.flatnonzero(chosen[self._ranks[-1]]).tolist())
        return found

    def columns(self) -> dict[str, Column]:
        """See `Table`."""
        parts: dict[str, list[tuple[Places, Numbers]]] = {}
        for batch, rank in zip(self._batches, self._ranks, strict=False):
            for (name, _), values in zip(batch.layout.values, batch.columns, strict=True):
                parts.setdefault(name, []).append((rank, values))
        if self._single is not None:
            rank = self._ranks[-1]
            for name, (rows, values) in self._single.columns().items():
                parts.setdefault(name, []).append((rank[np.array(rows)], np.array(values)))
        joined = {name: _joined(found, len(self.starts)) for name, found in parts.items()}
        return dict(sorted(joined.items(), key=lambda item: item[1].rows[0]))


def _joined(parts: list[tuple[Places, Numbers]], size: int) -> Column:
    rows, values = parts[0]
    if len(parts) > 1:
        every, held = np.empty(size), np.zeros(size, bool)
        for some, theirs in parts:
            every[some] = theirs
            held[some] = True
        rows = np.flatnonzero(held)
        values = every[rows]
    # an array offers what a column needs of a sequence: length, items and slices
    return Column(rows, values)  # pyright: ignore[reportArgumentType]
