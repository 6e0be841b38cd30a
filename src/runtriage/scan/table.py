"""The metric lines of one block: rows in order, their numbers as columns, everything else read only where it is asked for."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from runtriage.model.time import Instant
from runtriage.scan.block import Block
from runtriage.scan.contract import LineReader, MetricLine
from runtriage.scan.layout import Layout
from runtriage.scan.thin import Sample


class Printed(NamedTuple):
    """One metric line: its segment in the block, where its line starts (-1: before the block), and how it was read."""

    start: int
    end: int
    line: int
    prefix: bytes
    said: MetricLine | None
    layout: Layout | None
    found: re.Match[bytes] | None


class Column(NamedTuple):
    """One metric: which rows print it, and its values."""

    rows: list[int]
    values: list[float]


@dataclass(slots=True)
class Rows:
    """The metric lines of one subject in one block."""

    block: Block
    reader: LineReader
    parse: Callable[[bytes], MetricLine | None]
    printed: list[Printed] = field(default_factory=list[Printed])
    starts: list[int] = field(default_factory=list[int])
    columns: dict[str, Column] = field(default_factory=dict[str, Column])
    stepped: list[int] = field(default_factory=list[int])
    """The rows that print a step."""
    _said: dict[int, MetricLine] = field(default_factory=dict[int, MetricLine])
    _when: dict[int, Instant | None] = field(default_factory=dict["int", "Instant | None"])

    def add(self, row: Printed) -> None:
        """Append a line; lines come in order."""
        index = len(self.starts)
        self.printed.append(row)
        self.starts.append(row.start)
        if row.layout.stepped if row.layout is not None else row.said is not None and row.said.step is not None:
            self.stepped.append(index)
        if row.said is not None:
            for name, value in row.said.values:
                self._put(name, index, value)
        elif row.layout is not None and row.found is not None:
            found = row.found
            for name, group in row.layout.values:
                token = found[group]
                self._put(name, index, float(token.replace(b",", b"") if b"," in token else token))

    def _put(self, name: str, index: int, value: float) -> None:
        column = self.columns.get(name)
        if column is None:
            column = self.columns[name] = Column([], [])
        column.rows.append(index)
        column.values.append(value)

    def before(self, at: int) -> int:
        """Return how many rows start before a position."""
        return bisect_left(self.starts, at)

    def said(self, index: int) -> MetricLine:
        """Return what a row says, exactly as the reference reads it."""
        known = self._said.get(index)
        if known is None:
            row = self.printed[index]
            if row.said is not None:
                known = row.said
            elif row.layout is not None and row.layout.whole and row.found is not None:
                known = row.layout.say(row.found)
            else:
                known = self.parse(self.body(index)) or MetricLine(None, None, None, ())
            self._said[index] = known
        return known

    def total(self, index: int) -> int | None:
        """Return the planned last step a row prints."""
        row = self.printed[index]
        if row.layout is None or row.found is None or not row.layout.whole:
            return self.said(index).total
        group = next((group for name, group in row.layout.places if name == "total"), None)
        return None if group is None else int(row.found[group])

    def body(self, index: int) -> bytes:
        """Return a row's text without its launcher's prefix."""
        row = self.printed[index]
        return self.block.slice(row.start + (len(row.prefix) if row.start == row.line else 0), row.end)

    def byte(self, index: int) -> int:
        """Return where a row starts in the artifact."""
        return self.block.first_byte(self.starts[index])

    def instant(self, index: int) -> Instant | None:
        """Return the time a row prints."""
        if index not in self._when:
            self._when[index] = self.reader.context(self.printed[index].prefix + self.body(index)).when
        return self._when[index]

    def sample(self, ordinal: int, index: int, value: float) -> Sample:
        """Return one value of a row with everything that is kept of it."""
        said, when = self.said(index), self.instant(index)
        step = said.step if said.step is not None else said.epoch
        start = self.starts[index]
        return Sample(
            ordinal,
            self.block.first_byte(start),
            value,
            None if step is None else float(step),
            self.block.line_number(start),
            when.seconds if when else None,
        )
