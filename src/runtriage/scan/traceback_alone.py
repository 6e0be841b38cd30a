"""Tells whether the lines around a traceback leave its meaning to its own text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from runtriage.scan.contract import Row
from runtriage.scan.traceback import read_traceback
from runtriage.scan.traceback_line import LONGEST

PARTICULAR: Final = ("chain", "logged", "remote", "ignored", "thread", "truncated")
"""Captures that depend on what stands around a traceback."""
_FRONT: Final = (b"Traceback (most recent call last):", b'  File "a.py", line 1, in a')
_BLANKS: Final = 8


def stands_alone(above: Row, last: bytes, below: Iterator[Row]) -> bool:
    """Tell whether a traceback that ends with the line `last` is told by its text alone.

    `above` is the line of its speaker before its header, `below` are those behind it; no more of them is taken than a reader looks at.
    """
    after: list[bytes] = []
    for row in below:
        after.append(row.text[:LONGEST])
        if after[-1].strip():
            break
        if len(after) > _BLANKS:
            return False
    return _alone(above.text[:LONGEST], last[:LONGEST], tuple(after))


def stands_between(above: bytes, last: bytes, below: bytes) -> bool:
    """Tell the same of a traceback whose speaker's lines above and below are known; empty where there is none."""
    return _alone(above[:LONGEST], last[:LONGEST], (below[:LONGEST],) if below else ())


@lru_cache(maxsize=1024)
def _alone(above: bytes, last: bytes, after: tuple[bytes, ...]) -> bool:
    """Read a short traceback that ends alike between the same lines: the reader itself knows what it makes of them."""
    rows = _rows((above, *_FRONT, last, *after))
    reading = read_traceback("", iter(rows))
    if len(reading.drafts) != 1 or reading.rows > len(rows) - (bool(after) and bool(after[-1].strip())):
        return False
    draft, end = reading.drafts[0], rows[len(_FRONT) + 1].end
    return draft.end == draft.numbers["to"] == end and draft.captures.keys().isdisjoint(PARTICULAR)


def _rows(texts: Sequence[bytes]) -> list[Row]:
    rows: list[Row] = []
    at = 0
    for text in texts:
        rows.append(Row(at, at + len(text), text))
        at += len(text) + 1
    return rows
