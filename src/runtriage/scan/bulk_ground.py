"""A block as arrays: its bytes, where its lines and their parts end, and where literals stand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np

from runtriage.scan.block import Block
from runtriage.scan.bulk_numbers import Flags, Places, Text

_AT_ONCE: Final = 128 * 1024
"""Bytes that are compared at once: what that needs stays in a core's own cache."""
_SAMPLE: Final = 32 * 1024
"""Bytes in which pairs of bytes are counted."""


class Ground:
    """One block. `ends` are the line breaks and carriage returns from the byte before it to its top, `breaks` the line breaks alone.

    `parted` tells whether there are carriage returns.
    """

    def __init__(self, block: Block) -> None:
        self.block = block
        self.text = Text(block.data, block.top)
        self._buffer = np.empty((2, _AT_ONCE), bool)
        begin = max(block.low - 1, 0)
        self.parted = block.data.find(b"\r", begin, block.top) >= 0
        self.ends = self.breaks = self._where(begin, block.top, self._low if self.parted else self._breaks)
        if self.parted:
            found = self.text.bytes[self.ends]
            self.breaks = self.ends[found == 10]
            self.ends = self.ends[(found == 10) | (found == 13)]
        block.know_breaks(self.breaks)

    def find(self, literal: bytes, start: int, end: int) -> Places:
        """Return where a literal begins in [start, end)."""
        if len(literal) == 1:
            return self._where(
                start, min(end, len(self.text.bytes)), lambda low, high: self._byte(literal[0], low, high)
            )
        data, rare = self.text.bytes, self._rarest(literal, start)
        first, second = literal[rare], literal[rare + 1]

        def alike(low: int, high: int) -> Flags:
            found, other = self._buffer[:, : high - low]
            np.equal(data[low + rare : high + rare], first, out=found)
            np.equal(data[low + rare + 1 : high + rare + 1], second, out=other)
            return np.logical_and(found, other, out=found)

        places = self._where(start, min(end, len(data) - len(literal) + 1), alike)
        for index in {*range(len(literal))} - {rare, rare + 1}:
            places = places[data[places + index] == literal[index]]
        return places

    def _rarest(self, literal: bytes, start: int) -> int:
        """Return where in a literal the pair of bytes begins that is met least."""
        pairs = range(len(literal) - 1)
        return min(pairs, key=lambda at: self.block.data.count(literal[at : at + 2], start, start + _SAMPLE))

    def _byte(self, value: int, low: int, high: int) -> Flags:
        return np.equal(self.text.bytes[low:high], value, out=self._buffer[0, : high - low])

    def _breaks(self, low: int, high: int) -> Flags:
        return np.equal(self.text.bytes[low:high], 10, out=self._buffer[0, : high - low])

    def _low(self, low: int, high: int) -> Flags:
        return np.less_equal(self.text.bytes[low:high], 13, out=self._buffer[0, : high - low])

    def _where(self, low: int, high: int, flags: Callable[[int, int], Flags]) -> Places:
        parts = [flags(at, min(at + _AT_ONCE, high)).nonzero()[0] + at for at in range(low, max(high, low), _AT_ONCE)]
        return np.concatenate(parts) if parts else np.zeros(0, np.int64)
