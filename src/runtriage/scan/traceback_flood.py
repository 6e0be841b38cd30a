"""Where a block is full of known tracebacks: their lines hold nothing new, and need not be looked at for anything else one by one."""

from __future__ import annotations

from bisect import bisect_left
from itertools import accumulate
from operator import attrgetter
from typing import Final, NamedTuple

from runtriage.scan.block import Block
from runtriage.scan.traceback_repeat import Known, Repeats
from runtriage.scan.traceback_train import Row

_NEAR: Final = 64 * 1024
"""Bytes from the front of a block, or from the end of a flood on, in which the next one must begin."""
_LEAST: Final = 32 * 1024
"""Bytes of a flood from which on it is worth passing over."""


class Flood(NamedTuple):
    """Known tracebacks directly behind one another from `start` to `end`, where a line begins; `texts` are the different ones."""

    start: int
    end: int
    texts: tuple[bytes, ...]


class Floods:
    """The floods of the present block that are known before it is gone through."""

    def __init__(self, repeats: Repeats) -> None:
        self._repeats = repeats
        self._rows: list[Row] = []

    def survey(self, block: Block) -> list[Flood]:
        """Look for floods in a block, and tell it how many lines they have."""
        self._rows = []
        floods: list[Flood] = []
        at = block.low
        while (first := self._repeats.ahead(block.data, at, min(at + _NEAR, block.high))) is not None:
            _, start, at = first
            row = self._row(block, start)
            if start < block.low or not row.inside:
                continue
            found, starts = row.known[: row.inside], row.starts[: row.inside]
            end = _end(found[-1], starts[-1]) + 1
            at = max(at, end)
            if end - start < _LEAST:
                continue
            self._rows.append(row)
            block.know_lines([*starts, end], list(accumulate(map(attrgetter("breaks"), found), initial=0)))
            floods.append(Flood(start, end, tuple(known.text for known in dict.fromkeys(found))))
        return floods

    def row(self, block: Block, at: int) -> Row:
        """Return the known tracebacks that begin with the line at a position, those with all that stands in them."""
        for row in self._rows:
            if row.starts[0] <= at <= row.starts[row.inside - 1]:
                index = bisect_left(row.starts, at)
                if row.starts[index] == at:
                    return Row(row.known[index:], row.starts[index:], row.inside - index)
        return self._row(block, at)

    def _row(self, block: Block, at: int) -> Row:
        found, starts = self._repeats.row(block.data, at, block.top)
        count = len(found)
        while count and _end(found[count - 1], starts[count - 1]) >= block.high:
            count -= 1
        return Row(found, starts, count)


def _end(known: Known, start: int) -> int:
    return start + len(known.text)
