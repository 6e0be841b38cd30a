"""The stretch of one line that a hit is about."""

from __future__ import annotations

from msgspec import Struct

from runtriage.scan.block import Block
from runtriage.scan.find import REACH

_BEFORE = 1024
_AFTER = 3072


class Segment(Struct, frozen=True):
    """What lies between line breaks or carriage returns around a hit, at most `REACH` bytes of it.

    `line` is where its line begins in the block, or -1 when that lies before what the block still holds. `short` is false when
    the stretch was cut.
    """

    start: int
    end: int
    line: int
    short: bool


def segment(block: Block, at: int) -> Segment:
    """Return the segment that holds the byte before `at`; a line break there counts to the segment it ends."""
    data = block.data
    last = at - 1
    if data[last] == 10 or data[last] == 13:
        last = max(last - 1, 0)
    line = data.rfind(b"\n", 0, last + 1) + 1
    if line > last:
        return Segment(last, last, line, True)
    floor = max(line, last + 1 - REACH)
    start = max(data.rfind(b"\r", floor, last + 1) + 1, floor)
    roof = min(last + 1 + REACH, block.top)
    end = data.find(b"\n", last, roof)
    end = roof if end < 0 else end
    back = data.find(b"\r", last, end)
    end = end if back < 0 else back
    begun = line > 0 or block.base == 0
    if end - start <= REACH and (start > floor or floor == line) and end < last + 1 + REACH:
        return Segment(start, end, line if begun else -1, True)
    return Segment(start, min(end, at + _BEFORE), line if begun else -1, False)


def around(block: Block, at: int, line: int) -> Segment:
    """Return the part of a very long segment that stands for a match which starts at a position."""
    data = block.data
    floor = max(at - _BEFORE, line, 0)
    start = max(data.rfind(b"\r", floor, at) + 1, floor)
    roof = min(at + _AFTER, block.top)
    ends = [place for place in (data.find(b"\n", at, roof), data.find(b"\r", at, roof)) if place >= 0]
    return Segment(start, min(ends, default=roof), line, False)
