"""Rows of one speaker, with one row of look-ahead and a count of what was taken."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from itertools import chain
from typing import Final, NamedTuple

from runtriage.scan.contract import Row
from runtriage.scan.traceback_escaped import MOST, unfolded
from runtriage.scan.traceback_line import LONGEST

_WIDEST: Final = 200
_DIGITS: Final = str.maketrans("123456789", "000000000")


class Line(NamedTuple):
    """A row as text, at most `LONGEST` bytes of it."""

    start: int
    end: int
    text: str


class Rows:
    """Takes rows one by one; `taken` counts them."""

    def __init__(self, rows: Iterator[Row]) -> None:
        self._rows = rows
        self._ahead: deque[Line] = deque()
        self._behind = rows
        self._margin = ""
        self.taken = 0

    def unfold(self) -> str | None:
        """Put the lines of the traceback that the next row holds in a string in its place, with no row behind; return what else the row says."""
        row = None if self._ahead else next(self._rows, None)
        if row is None:
            return None
        found = unfolded(row.text[:MOST].decode("utf-8", "replace")) if b"):\\" in row.text else None
        if found is None:
            self._rows = chain((row,), self._rows)
            return None
        self._ahead.extend(Line(row.start, row.end, line[:LONGEST]) for line in found.lines)
        self._behind, self._rows = self._rows, iter(())
        return found.around

    def fold(self) -> None:
        """Go on behind the row whose lines were unfolded: with the row above the traceback, two were taken."""
        self._ahead.clear()
        self._rows = self._behind
        self.taken = 2

    def _look(self, count: int) -> bool:
        while len(self._ahead) < count:
            row = next(self._rows, None)
            if row is None:
                return False
            text = row.text[:LONGEST].decode("utf-8", "replace").rstrip("\r\n")
            self._ahead.append(self._cut(Line(row.start, row.end, text)))
        return True

    def _cut(self, line: Line) -> Line:
        width = len(self._margin)
        alike = width and line.text[:width].translate(_DIGITS) == self._margin
        return line._replace(text=line.text[width:]) if alike else line

    def take_off_before(self, mark: str) -> None:
        """Take what stands before `mark` in the next row off every row, where the row behind it begins alike but for its digits: loggers
        that put a time, a level and a place before each line of a text.
        """
        line = self.peek()
        width = line.text.find(mark) if line else -1
        if line is None or not 0 < width <= _WIDEST or not self._look(2):
            return
        margin = line.text[:width].translate(_DIGITS)
        if self._ahead[1].text[:width].translate(_DIGITS) == margin and margin.strip():
            self._margin = margin
            self._ahead = deque(map(self._cut, self._ahead))

    def peek(self) -> Line | None:
        """The next row, left in place; None at the end."""
        return self._ahead[0] if self._ahead or self._look(1) else None

    def after(self) -> str | None:
        """The words of the row behind the next one, left in place; None at the end."""
        return self._ahead[1].text if self._look(2) else None

    def take(self) -> Line | None:
        """The next row, consumed."""
        if not self._ahead and not self._look(1):
            return None
        self.taken += 1
        return self._ahead.popleft()
