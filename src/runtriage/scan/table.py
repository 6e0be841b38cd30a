"""The metric lines of one block: rows in order, their numbers as columns, everything else read only where it is asked for."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple, Protocol

from msgspec import Struct

from runtriage.model.series import Columns
from runtriage.model.time import Instant
from runtriage.scan.block import Block
from runtriage.scan.contract import LineReader, MetricLine
from runtriage.scan.layout import Layout, Parse
from runtriage.scan.silence import longest, silence
from runtriage.scan.thin import Thin
from runtriage.scan.ticks import Ticks
from runtriage.scan.track import Reach
from runtriage.scan.whole import Sample, packed


class Printed(Struct, frozen=True):
    """One metric line: its segment in the block, its line's prefix and whether that is part of the segment, and how it was read.

    `found` is None when only the reference read it; `said` is None as long as it did not.
    """

    start: int
    end: int
    prefix: bytes
    own: bool
    said: MetricLine | None
    layout: Layout | None
    found: re.Match[bytes] | None
    parse: Parse


class Column(Protocol):
    """One metric of a table."""

    def first(self, low: int, high: int, /) -> int | None:
        """Return the first row of [low, high) that prints it."""
        ...

    def feed(self, thin: Thin, low: int, high: int, /) -> None:
        """Add what the rows of [low, high) print to a series."""
        ...


class Place(NamedTuple):
    """Where a row starts in the artifact, its step (or epoch), its line and its time in seconds."""

    byte: int
    step: float | None
    line: int
    seconds: float | None


class Times(Struct, frozen=True):
    """When some rows were printed: the first and the last that print a time, the longest silence between neighbours worth telling, and which row is the last."""

    first: Instant | None
    last: Instant | None
    gap: float | None
    at: int


class Listed(NamedTuple):
    """A metric as lists: which rows print it, in order, and its values."""

    rows: Sequence[int]
    values: Sequence[float]
    table: Table

    def first(self, low: int, high: int) -> int | None:
        """See `Column`."""
        at = bisect_left(self.rows, low)
        return self.rows[at] if at < len(self.rows) and self.rows[at] < high else None

    def feed(self, thin: Thin, low: int, high: int) -> None:
        """See `Column`."""
        first, last = bisect_left(self.rows, low), bisect_left(self.rows, high)
        thin.extend(self.values[first:last], self.rows[first:last], self.table)


class Table(ABC):
    """The metric lines of one subject in one block. `stepped` and `epochs` are the rows that print a step or an epoch."""

    def __init__(self, block: Block, reader: LineReader, ticks: dict[tuple[int, bytes], Ticks]) -> None:
        self.block = block
        self.starts: Sequence[int] = ()
        self.stepped: Sequence[int] = ()
        self.epochs: Sequence[int] = ()
        self._reader = reader
        self._ticks = ticks
        self._said: dict[int, MetricLine] = {}
        self._when: dict[int, Instant | None] = {}
        self._places: dict[int, Place] = {}
        self._shared: dict[range | tuple[int, ...], Columns] = {}

    @abstractmethod
    def row(self, index: int) -> Printed:
        """Return one row."""

    @abstractmethod
    def columns(self) -> Mapping[str, Column]:
        """Return all metrics, in order of appearance."""

    @abstractmethod
    def totals(self, rows: Sequence[int]) -> set[int | None]:
        """Return all planned last steps that some rows print."""

    def before(self, at: int) -> int:
        """Return how many rows start before a position."""
        return bisect_left(self.starts, at)

    def latest(self, rows: Sequence[int], low: int, high: int) -> tuple[int, ...]:
        """Return the last of some rows that lies in [low, high), if one does."""
        last = bisect_left(rows, high) - 1
        return (rows[last],) if last >= 0 and rows[last] >= low else ()

    def said(self, index: int) -> MetricLine:
        """Return what a row says, exactly as the reference reads it."""
        known = self._said.get(index)
        if known is None:
            row = self.row(index)
            if row.said is not None:
                known = row.said
            elif row.layout is not None and row.layout.whole and row.found is not None:
                known = row.layout.say(row.found)
            else:
                known = row.parse(self._body(row)) or MetricLine(None, None, None, ())
            self._said[index] = known
        return known

    def total(self, index: int) -> int | None:
        """Return the planned last step a row prints."""
        layout = self.row(index).layout
        return None if layout is not None and not layout.totalled else self.said(index).total

    def reach(self, low: int, high: int, before: Reach) -> Reach:
        """Return how far the subject had come at a row, `before` being how far it was before the block."""
        first, last = bisect_left(self.stepped, low), bisect_left(self.stepped, high)
        if first == last:
            return before
        rows = self.stepped[first:last]
        totals = [None] if self.totals(rows) == {None} else [self.total(index) for index in rows]
        changes = sum(one != other for one, other in pairwise(totals))
        new = before.run < 0 or totals[0] != before.total
        return Reach(before.run + new + changes, self.said(rows[-1]).step, totals[-1])

    def _body(self, row: Printed) -> bytes:
        return self.block.slice(row.start + (len(row.prefix) if row.own else 0), row.end)

    def text(self, index: int) -> bytes:
        """Return what a row prints, without its launcher's prefix."""
        return self._body(self.row(index))

    def byte(self, index: int) -> int:
        """Return where a row starts in the artifact."""
        return self.block.first_byte(int(self.starts[index]))

    def end(self, index: int) -> int:
        """Return where a row ends in the block."""
        return self.row(index).end

    def timed(self, low: int, high: int) -> Sequence[int]:
        """Return the rows of [low, high) that print a time."""
        return [index for index in range(low, high) if self._timed(index)]

    def _timed(self, index: int) -> bool:
        row = self.row(index)
        ticks = self._ticks.get((id(row.layout), row.prefix)) if row.layout is not None else None
        return self.instant(index) is not None if ticks is None else not ticks.silent

    def instant(self, index: int) -> Instant | None:
        """Return the time a row prints."""
        if index not in self._when:
            self._when[index] = self._instant(self.row(index))
        return self._when[index]

    def times(self, low: int, high: int) -> Times | None:
        """Return when the rows of [low, high) were printed, or None where none of them tells."""
        timed = self.timed(low, high)
        return (
            Times(self.instant(timed[0]), self.instant(timed[-1]), self.longest_gap(timed), timed[-1])
            if timed
            else None
        )

    def longest_gap(self, timed: Sequence[int]) -> float | None:
        """Return the longest silence between neighbours among rows that print a time, if it is worth telling."""
        gap: float | None = None
        for one, other in pairwise(timed):
            gap = longest(gap, silence(self.instant(one), self.instant(other)))
        return gap

    def _instant(self, row: Printed) -> Instant | None:
        line = row.prefix + self._body(row)
        if row.layout is None:
            return self._reader.when(line)
        ticks = self._ticks.get((id(row.layout), row.prefix))
        if ticks is not None:
            if ticks.silent:
                return None
            if (when := ticks.read(line)) is not None:
                return when
        when = self._reader.when(line)
        if ticks is None:
            ticks = self._ticks[id(row.layout), row.prefix] = Ticks(line, when)
        if when is not None:
            ticks.note(line, when)
        return when

    def _seconds(self, index: int) -> float | None:
        """Return the time a row prints in seconds; cheaper than the whole time."""
        seconds: float | None = None
        if index not in self._when:
            row = self.row(index)
            ticks = self._ticks.get((id(row.layout), row.prefix)) if row.layout is not None else None
            seconds = ticks.seconds(row.prefix + self._body(row)) if ticks is not None else None
        if seconds is None:
            when = self.instant(index)
            seconds = when.seconds if when is not None else None
        return seconds

    def sample(self, ordinal: int, index: int, value: float) -> Sample:
        """Return one value of a row with everything that is kept of it."""
        byte, step, line, seconds = self._place(index)
        return Sample(ordinal, byte, value, step, line, seconds)

    def columns_of(self, rows: Sequence[int]) -> Columns:
        """Return where rows stand; those that are asked for again, by another metric, are remembered."""
        first, last = int(rows[0]), int(rows[-1])
        key = range(first, last + 1) if last - first + 1 == len(rows) else tuple(rows)
        found = self._shared.get(key)
        if found is None:
            found = self._shared[key] = self._columns_of(rows)
        return found

    def _columns_of(self, rows: Sequence[int]) -> Columns:
        return packed([self.sample(0, int(row), 0.0) for row in rows]).columns

    def _place(self, index: int) -> Place:
        """Return where a row starts, its step, its line and its time; asked for once a metric, so it is remembered."""
        known = self._places.get(index)
        if known is None:
            said, start = self.said(index), int(self.starts[index])
            step = said.step if said.step is not None else said.epoch
            known = self._places[index] = Place(
                self.block.first_byte(start),
                None if step is None else float(step),
                self.block.line_number(start),
                self._seconds(index),
            )
        return known


class Rows(Table):
    """Lines that were read one by one."""

    def __init__(self, block: Block, reader: LineReader, ticks: dict[tuple[int, bytes], Ticks]) -> None:
        super().__init__(block, reader, ticks)
        self.printed: list[Printed] = []
        self.starts = self._starts = list[int]()
        self.stepped = self._stepped = list[int]()
        self.epochs = self._epochs = list[int]()
        self.totalled = False

    def row(self, index: int) -> Printed:
        """See `Table`."""
        return self.printed[index]

    def add(self, row: Printed) -> None:
        """Append a line; lines come in order."""
        layout, said, index = row.layout, row.said, len(self.starts)
        if layout.stepped if layout is not None else said is not None and said.step is not None:
            self._stepped.append(index)
        if layout.epoched if layout is not None else said is not None and said.epoch is not None:
            self._epochs.append(index)
        if layout.totalled if layout is not None else said is not None and said.total is not None:
            self.totalled = True
        self.printed.append(row)
        self._starts.append(row.start)

    def totals(self, rows: Sequence[int]) -> set[int | None]:
        """See `Table`."""
        return {self.total(index) for index in rows} if self.totalled else {None}

    def columns(self) -> dict[str, Listed]:
        """See `Table`."""
        columns: dict[str, list[Listed]] = {}
        by_layout: dict[int, list[int]] = {}
        for index, row in enumerate(self.printed):
            if row.layout is not None:
                by_layout.setdefault(id(row.layout), []).append(index)
            elif row.said is not None:
                for name, value in row.said.values:
                    columns.setdefault(name, []).append(Listed([index], [value], self))
        for rows in by_layout.values():
            for name, values in self._read(rows):
                columns.setdefault(name, []).append(Listed(rows, values, self))
        joined = {name: parts[0] if len(parts) == 1 else _joined(parts) for name, parts in columns.items()}
        return dict(sorted(joined.items(), key=lambda item: item[1].rows[0]))

    def _read(self, rows: list[int]) -> list[tuple[str, list[float]]]:
        """Return the numbers of rows that share a layout, by metric."""
        layout = self.printed[rows[0]].layout
        if layout is None or not layout.values:
            return []
        found = [row.found for index in rows if (row := self.printed[index])]
        columns = [[match[group] for match in found if match is not None] for _, group in layout.values]
        return [(name, numbers(column)) for (name, _), column in zip(layout.values, columns, strict=True)]


def numbers(tokens: Sequence[bytes]) -> list[float]:
    """Return printed numbers as values; thousands may be grouped by commas."""
    try:
        return list(map(float, tokens))
    except ValueError:
        return [float(token.replace(b",", b"")) for token in tokens]


def _joined(parts: list[Listed]) -> Listed:
    pairs = sorted((row, value) for part in parts for row, value in zip(part.rows, part.values, strict=True))
    return Listed([row for row, _ in pairs], [value for _, value in pairs], parts[0].table)
