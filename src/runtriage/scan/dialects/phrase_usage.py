"""The usage that an argument parser prints above what it refuses: the options that the program has."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from runtriage.model.event import COMMAND
from runtriage.model.pattern import deferred
from runtriage.scan.contract import Reading, Row
from runtriage.scan.draft import Draft

CUE: Final = r"usage: \S"
_OPTION = deferred(rb"(?<![\w-])--[A-Za-z][\w-]{0,80}")
_LINES: Final = 80
"""Lines that a usage may be wrapped over."""
_MOST: Final = 400


def read_usage(cue: str, rows: Iterator[Row]) -> Reading:
    """Read the long options that a usage names, over the lines that are set in below its first: captures `options`."""
    first = next(rows, None)
    if first is None:
        return Reading()
    begin = first.text.find(b"usage: ")
    options = dict.fromkeys(_OPTION.findall(first.text[max(begin, 0) :]))
    used = 1
    for row in rows:
        if not row.text[:1].isspace() or not row.text.strip() or used >= _LINES:
            break
        options |= dict.fromkeys(_OPTION.findall(row.text))
        used += 1
    if not options:
        return Reading()
    told = b" ".join(list(options)[:_MOST]).decode("ascii")
    return Reading(
        [Draft(kind=COMMAND, name="usage", start=first.start, end=first.end, captures={"options": told})], used
    )
