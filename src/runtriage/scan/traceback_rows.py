"""Rows of one speaker, with one row of look-ahead and a count of what was taken."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from runtriage.scan.contract import Row
from runtriage.scan.traceback_line import LONGEST


class Line(NamedTuple):
    """A row as text, at most `LONGEST` bytes of it."""

    start: int
    end: int
    text: str


class Rows:
    """Takes rows one by one; `taken` counts them."""

    def __init__(self, rows: Iterator[Row]) -> None:
        self._rows = rows
        self._ahead: Line | None = None
        self.taken = 0

    def peek(self) -> Line | None:
        """The next row, left in place; None at the end."""
        if self._ahead is None:
            row = next(self._rows, None)
            if row is not None:
                self._ahead = Line(row.start, row.end, row.text[:LONGEST].decode("utf-8", "replace").rstrip("\r\n"))
        return self._ahead

    def take(self) -> Line | None:
        """The next row, consumed."""
        line = self.peek()
        self._ahead = None
        self.taken += line is not None
        return line
