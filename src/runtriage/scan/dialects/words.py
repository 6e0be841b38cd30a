"""The one line a phrase reader is given, behind its logger's header."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from runtriage.scan.contract import Row
from runtriage.scan.dialects.header import message_start
from runtriage.scan.draft import Draft
from runtriage.scan.traceback_rows import Rows


class Said(NamedTuple):
    """The words of one line and the place of the whole line."""

    words: str
    start: int
    end: int

    def draft(self, kind: str, name: str, **captures: str) -> Draft:
        """Make an event of the whole line."""
        return Draft(kind=kind, name=name, start=self.start, end=self.end, captures=captures)


def said(rows: Iterator[Row]) -> Said | None:
    """Return what the first row says, or None without a row."""
    line = Rows(rows).take()
    if line is None:
        return None
    return Said(line.text[message_start(line.text) :], line.start, line.end)
