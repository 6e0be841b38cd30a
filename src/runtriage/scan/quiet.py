"""The times that the last lines of an artifact print: where progress prints none, they tell for how long nothing but they came."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import Final

from runtriage.model.event import STATEMENT
from runtriage.model.pattern import deferred
from runtriage.model.time import Instant
from runtriage.scan.block import Block
from runtriage.scan.contract import LineReader
from runtriage.scan.dialects.header import message_start
from runtriage.scan.draft import Draft
from runtriage.scan.silence import between

LINES: Final = 128
"""Lines at the end that are looked at: at a sign of life every few seconds, those of many minutes."""
_LONGEST: Final = 2_000

AGAIN: Final = 8
"""Prints of one and the same count at the end."""
NAME: Final = "standstill/long"
_LEAST: Final = 300.0
"""Seconds over which they must have come."""
_COUNT = deferred(
    rb"(?<![\d.])(\d{1,12}(?:\.\d{1,4})?) ?[A-Za-z]{0,5} ?(?:/|of|out of) ?(\d{1,12}(?:\.\d{1,4})?)(?![\d.]*\d)"
)

BEAT: Final = "standstill/beat"
_LIVING = deferred(
    rb"(?:up ?time|elapsed|up|rss|mem\w*|cpu|gpu|load|seq|pid|beat|tick|alive|for|since)\W{0,4}#?\d[\d.:,]*\s?[a-z%]{0,8}"
    rb"|\d[\d.:,]*\s?(?:s|secs?|seconds|m|mins?|minutes|h|hours|ms|[KMG]i?B|%)(?![a-z])",
    re.IGNORECASE,
)
"""What changes in a sign of life although nothing happens."""
_BAR = deferred(rb"(?<![\d/.])(\d{1,12})/(\d{1,12}) \[")

Times = list[tuple[int, Instant]]
"""Offsets in the artifact of lines, in order, and the times they print."""


def last_times(block: Block, reader: LineReader) -> Times:
    """Return when the last lines of a final block were printed, those that say so."""
    found: Times = []
    for start, line in from_end(block):
        when = reader.context(line).when
        if when is not None:
            found.append((block.first_byte(start), when))
    return found[::-1]


def same_count(block: Block, reader: LineReader) -> Draft | None:
    """Return where the lines begin that print, for minutes and up to the end, one count of a whole (`380 MB of 1240 MB`) that moved before."""
    first, again, moved = None, 0, False
    end: Instant | None = None
    said: tuple[bytes, bytes] | None = None
    for start, line in from_end(block):
        if b"/" not in line and b"of" not in line:
            continue
        found = _COUNT.search(line[message_start(line.decode("utf-8", "replace")) :])
        if found is None or (said is not None and found[2] != said[1]):
            continue
        said = said or (found[1], found[2])
        if found[1] != said[0]:
            moved = float(found[1]) < float(said[0])
            break
        when = reader.context(line).when
        first, again, end = (start, line, when), again + 1, end or when
    if first is None or said is None or again < AGAIN or not moved or float(said[0]) >= float(said[1]):
        return None
    span = between(first[2], end)
    if span is None or span < _LEAST:
        return None
    return Draft(kind=STATEMENT, name=NAME, start=first[0], end=first[0] + len(first[1]), numbers={"seconds": span})


def signs_of_life(block: Block, reader: LineReader) -> Draft | None:
    """Return the line behind which one and the same sign of life is all that was printed up to the end, and for how long.

    Capture `bar` is `yes` where that line is a progress bar that had not come to its end.
    """
    again, first, end = 0, None, None
    shape: bytes | None = None
    for start, line in from_end(block):
        own = _LIVING.sub(b"", line[message_start(line.decode("utf-8", "replace")) :])
        if shape is None:
            shape = own
        if own != shape:
            span = between(first, end)
            if again < AGAIN or span is None or not any(65 <= (byte & 0xDF) <= 90 for byte in shape):
                return None
            part = line[line.rfind(b"\r") + 1 :]
            bar = _BAR.search(part)
            captures = {"bar": "yes"} if bar is not None and float(bar[1]) < float(bar[2]) else {}
            at = start + len(line) - len(part)
            numbers = {"seconds": span, "lines": float(again)}
            return Draft(kind=STATEMENT, name=BEAT, start=at, end=start + len(line), captures=captures, numbers=numbers)
        when = reader.context(line).when
        again, first, end = again + 1, when or first, end or when
    return None


def from_end(block: Block) -> Iterator[tuple[int, bytes]]:
    """Yield the last lines and where they start, backwards."""
    end = block.high
    for _ in range(LINES):
        if end <= block.low:
            return
        start = block.data.rfind(b"\n", block.low, end - 1) + 1 or block.low
        if 1 < end - start <= _LONGEST:
            yield start, block.slice(start, end).strip(b"\r\n")
        end = start


def since(times: Times, at: int) -> Instant | None:
    """Return the first time printed behind an offset."""
    place = bisect_right(_offsets(times), at)
    return times[place][1] if place < len(times) else None


def _offsets(times: Times) -> Sequence[int]:
    return [offset for offset, _ in times]
