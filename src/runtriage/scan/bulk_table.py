"""The metric lines of one subject in one block when most of them were read at once."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Hashable, Mapping, Sequence
from itertools import count

import numpy as np

from runtriage.model.series import Columns
from runtriage.scan.block import Block
from runtriage.scan.bulk import Batch
from runtriage.scan.bulk_clock import minutes, read_clock
from runtriage.scan.bulk_keys import Column as Values
from runtriage.scan.bulk_keys import Plain
from runtriage.scan.bulk_numbers import Flags, Numbers, Places, Text
from runtriage.scan.bulk_where import Where, shares
from runtriage.scan.bulk_woven import Strand, Woven, split
from runtriage.scan.contract import LineReader
from runtriage.scan.silence import NOTABLE
from runtriage.scan.table import Column, Place, Printed, Rows, Table, Times
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
        self._offsets = np.cumsum([0, *(len(part) for part in parts)]).tolist()
        rank = np.empty_like(order)
        rank[order] = np.arange(len(order))
        self._ranks = [rank[low:high] for low, high in zip(self._offsets, self._offsets[1:], strict=False)]
        # an array offers what is needed of a sequence: length and items
        self.starts = starts[order]  # pyright: ignore[reportAttributeAccessIssue]
        self.stepped = self._rows_of([batch.layout.stepped for batch in batches], single.stepped if single else ())
        self.epochs = self._rows_of([batch.layout.epoched for batch in batches], single.epochs if single else ())
        self._printed: dict[int, Printed] = {}
        self._minute: Places | None = None
        self._cut: dict[tuple[int, int, int], list[tuple[int, int, int]]] = {}

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
        part = bisect_right(self._offsets, place) - 1
        at = place - self._offsets[part]
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
        chosen = self._timed_parts(low, high)
        return np.sort(np.concatenate(chosen)).tolist() if chosen else []

    def _timed_parts(self, low: int, high: int) -> list[Places]:
        """Return the rows of [low, high) that print a time, each part's apart."""
        found: list[Places] = []
        for part, rank in enumerate(self._ranks):
            first, last = (int(at) for at in np.searchsorted(rank, (low, high)))
            rows = rank[first:last]
            if part >= len(self._batches):
                rows = rows[np.array([self._timed(int(row)) for row in rows], bool)]
            elif len(rows) and not self._timed(int(rows[0])):
                continue
            if len(rows):
                found.append(rows)
        return found

    def times(self, low: int, high: int) -> Times | None:
        """See `Table`: only neighbours that do not print the same minute are looked at."""
        parts = self._timed_parts(low, high)
        if not parts:
            return None
        rows = np.arange(low, high) if sum(map(len, parts)) == high - low else np.sort(np.concatenate(parts))
        minutes = self._minutes()[rows]
        far = np.flatnonzero((minutes[1:] != minutes[:-1]) | (minutes[1:] < 0)) + 1
        return Times(self.instant(int(rows[0])), self.instant(int(rows[-1])), self._gap(rows, far), int(rows[-1]))

    def _minutes(self) -> Places:
        """Number the minutes that rows print, as they are printed; -1 where that was not looked at."""
        if self._minute is None:
            self._minute = np.full(len(self.starts), -1)
            seen: dict[Hashable, dict[bytes, int]] = {}
            fresh = count()
            for batch, rank in zip(self._batches, self._ranks, strict=False):
                ticks = self._ticks.get((id(batch.layout), batch.prefix))
                if batch.same is None or ticks is None or ticks.place is None:
                    continue
                form, place = ticks.form, ticks.place
                heads = np.flatnonzero(~batch.same)
                known = seen.setdefault((form.fields, form.stop, len(form.token)), {})
                told = minutes(self.block.data, batch.starts[heads] + place, form)
                numbers = [known.setdefault(minute, next(fresh)) for minute in told]
                self._minute[rank] = np.repeat(np.array(numbers), np.diff(heads, append=len(rank)))
        return self._minute

    def _gap(self, rows: Places, far: Places) -> float | None:
        """Return the longest silence before some of the rows, if it is worth telling."""
        asked = np.zeros(len(self.starts), bool)
        asked[rows[far]] = asked[rows[far - 1]] = True
        seconds = np.full(len(self.starts), np.nan)
        kinds = set[tuple[str, bool, bool]]()
        for part, rank in enumerate(self._ranks):
            mine = rank[asked[rank]]
            if part >= len(self._batches) or not self._clocked(part, asked[rank], mine, seconds, kinds):
                for row in mine.tolist():
                    self._moment(row, seconds, kinds)
        if len(kinds) > 1:
            return super().longest_gap(rows.tolist())
        gaps = seconds[rows[far]] - seconds[rows[far - 1]]
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
        single = self._single if self._single is not None and self._single.totalled else None
        if all(batch.totals is None for batch in self._batches) and single is None:
            return {None}
        chosen = np.zeros(len(self.starts), bool)
        chosen[slice(rows.start, rows.stop) if isinstance(rows, range) else np.array(rows, np.int64)] = True
        found = set[int | None]()
        for batch, rank in zip(self._batches, self._ranks, strict=False):
            mine = chosen[rank]
            if mine.any():
                found |= {None} if batch.totals is None else _different(batch.totals.some(mine))
        if self._single is not None and (mine := np.flatnonzero(chosen[self._ranks[-1]]).tolist()):
            found |= self._single.totals(mine)
        return found

    def columns(self) -> Mapping[str, Column]:
        """See `Table`."""
        strands: dict[str, list[Strand]] = {}
        odd: dict[str, list[tuple[int, float]]] = {}
        for batch, rank in zip(self._batches, self._ranks, strict=False):
            for (name, _), values in zip(batch.layout.values, batch.columns, strict=True):
                strands.setdefault(name, []).append(Strand(rank, values))
        if self._single is not None:
            for name, (places, values, _) in self._single.columns().items():
                rows = self._ranks[-1][np.array(places)]
                finite, odd[name] = split(rows, values)
                if finite:
                    numbers = Plain(np.array([values[at] for at in finite]))
                    strands.setdefault(name, []).append(Strand(rows[finite], numbers))
        found = [
            (name, Woven(strands.get(name, ()), odd.get(name, ()), self, self._stretches))
            for name in {**strands, **odd}
        ]
        return dict(sorted(found, key=_begin))

    def _stretches(self, shift: int, low: int, high: int) -> Sequence[tuple[int, int, int]]:
        """Cut rows into the buckets of a series; see `Stretches`."""
        known = self._cut.get((shift, low, high))
        if known is None:
            known, first = list[tuple[int, int, int]](), low
            while first < high:
                key = self.byte(first) >> shift
                stop = bisect_left(range(high), (key + 1) << shift, first, high, key=self.byte)
                known.append((key, first, stop))
                first = stop
            self._cut[shift, low, high] = known
        return known

    def _columns_of(self, rows: Sequence[int]) -> Columns:
        """See `Table`."""
        where = Where(self.block, len(rows))
        # an array offers what is needed of a sequence: length and items
        for part, share in enumerate(shares(rows, self._order, self.starts, self._offsets)):  # pyright: ignore[reportArgumentType]
            if not len(share.at):
                continue
            if part >= len(self._batches):
                where.add_each(share, self._place)
                continue
            batch = self._batches[part]
            self._timed(int(share.rows[0]))
            where.add(batch, self._ticks.get((id(batch.layout), batch.prefix)), share, self._place)
        return where.columns()

    def _place(self, index: int) -> Place:
        """See `Table`: what stands in known columns is read there."""
        if index in self._places:
            return self._places[index]
        place = int(self._order[index])
        part = bisect_right(self._offsets, place) - 1
        shape = self._batches[part].shape if part < len(self._batches) else None
        if shape is None or not shape.layout.whole:
            return super()._place(index)
        batch, start = self._batches[part], int(self.starts[index])
        line = self.block.slice(start, start + shape.length)
        ticks = self._ticks.get((id(batch.layout), batch.prefix))
        seconds = ticks.seconds(line) if ticks is not None else None
        if seconds is None and (when := self.instant(index)) is not None:
            seconds = when.seconds
        known = Place(self.block.first_byte(start), shape.step(line), self.block.line_number(start), seconds)
        self._places[index] = known
        return known


def _begin(item: tuple[str, Woven]) -> int:
    return item[1].begin


def _different(totals: Values) -> set[int | None]:
    """Return the planned last steps among some."""
    return {int(total) for total in (totals.at(np.zeros(1, np.int64)) if totals.steady() else totals.values())}
