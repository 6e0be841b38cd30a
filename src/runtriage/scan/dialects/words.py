"""The one line a phrase reader is given, behind its logger's header."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from runtriage.model.pattern import deferred
from runtriage.scan.contract import Row
from runtriage.scan.dialects.header import message_start
from runtriage.scan.draft import Draft
from runtriage.scan.traceback_rows import Rows

SHAPES: Final = 4096
"""Sentences that differ in more than their numbers of which a reader remembers what they say."""
_NUMBERS: Final = deferred(r"(?<![a-z\d_:-])0*[1-9]\d*(?=(?:ms|s|m|h|min|secs?)\b|(?![a-z_\d:]|-[a-z]))")


class Said(Struct, frozen=True):
    """The words of one line and the place of the whole line."""

    words: str
    start: int
    end: int
    header: str = ""
    """What stands before the words: time, level, logger."""

    def draft(self, kind: str, name: str, **captures: str) -> Draft:
        """Make an event of the whole line."""
        return Draft(kind=kind, name=name, start=self.start, end=self.end, captures=captures)


def said(rows: Iterator[Row]) -> Said | None:
    """Return what the first row says, or None without a row."""
    line = Rows(rows).take()
    if line is None:
        return None
    begin = message_start(line.text)
    return Said(line.text[begin:], line.start, line.end, line.text[:begin])


def shape(words: str) -> str:
    """Return words in lower case with one number in place of every other that is not nothing and stands for itself."""
    return _NUMBERS.sub("7", words)
