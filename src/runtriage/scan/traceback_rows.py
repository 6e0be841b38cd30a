"""Rows of one speaker, with one row of look-ahead and a count of what was taken."""

from __future__ import annotations

from collections import deque
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
        self._ahead: deque[Line] = deque()
        self.taken = 0

    def _look(self, count: int) -> bool:
        while len(self._ahead) < count:
            row = next(self._rows, None)
            if row is None:
                return False
            text = row.text[:LONGEST].decode("utf-8", "replace").rstrip("\r\n")
            self._ahead.append(Line(row.start, row.end, text))
        return True

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
