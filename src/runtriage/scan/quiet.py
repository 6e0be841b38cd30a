"""The times that the last lines of an artifact print: where progress prints none, they tell for how long nothing but they came."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import Final

from runtriage.model.time import Instant
from runtriage.scan.block import Block
from runtriage.scan.contract import LineReader

LINES: Final = 128
"""Lines at the end that are looked at: at a sign of life every few seconds, those of many minutes."""
_LONGEST: Final = 2_000

Times = list[tuple[int, Instant]]
"""Offsets in the artifact of lines, in order, and the times they print."""


def last_times(block: Block, reader: LineReader) -> Times:
    """Return when the last lines of a final block were printed, those that say so."""
    found: Times = []
    for start, line in from_end(block):
        when = reader.when(line)
        if when is not None:
            found.append((block.first_byte(start), when))
    return found[::-1]


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
