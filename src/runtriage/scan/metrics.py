"""Finds metric lines in blocks: learns how the artifact prints them, then looks for the literals that mark such lines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from runtriage.scan.block import AHEAD, Block
from runtriage.scan.contract import Dialect, MetricLine, Metrics
from runtriage.scan.find import REACH

_WINDOW: Final = AHEAD
_EAGER: Final = 16
"""Windows at the front of an artifact in which formats are looked for while none is known."""
_FAR: Final = 1024
"""Windows between two looks, at most; the distance doubles up to that."""
_PER_SHAPE: Final = 4
_SHAPES: Final = 64
_DIGITS = re.compile(rb"[-+]?\d[\d.,eE+-]*|\bnan\b|\binf\b")


class Printed(NamedTuple):
    """One metric line: where its segment starts and ends in the block, where its line starts, and what it says."""

    start: int
    end: int
    line: int
    said: MetricLine


class MetricFinder:
    """The formats known so far of one artifact, and the lines they claim."""

    def __init__(self, metrics: Metrics) -> None:
        self._metrics = metrics
        self._dialects: list[Dialect] = []
        self._anchors: re.Pattern[bytes] | None = None
        self._until = 0

    def read(self, block: Block) -> Iterator[Printed]:
        """Yield the metric lines of a block in order. Formats are learnt at fixed places of the artifact, whatever the blocks are."""
        at = block.low
        while at < block.high:
            window = block.first_byte(at) // _WINDOW
            following = block.cleaning.at((window + 1) * _WINDOW - block.base)
            end = max(min(following, block.high), at + 1)
            if _looks(window, known=bool(self._dialects)) and self._begins(block, at):
                self._learn(block, at, min(at + _WINDOW, block.top))
            yield from self._region(block, at, end)
            at = end

    def _begins(self, block: Block, at: int) -> bool:
        return block.first_byte(at) % _WINDOW == 0

    def _learn(self, block: Block, start: int, end: int) -> None:
        known = {dialect.anchors for dialect in self._dialects}
        found = [each for each in self._metrics.learn(_shapes(block, start, end)) if each.anchors not in known]
        if found:
            self._dialects.extend(found)
            anchors = sorted({anchor for dialect in self._dialects for anchor in dialect.anchors})
            self._anchors = re.compile(b"|".join(map(re.escape, anchors)))

    def _region(self, block: Block, start: int, end: int) -> Iterator[Printed]:
        if self._anchors is None:
            return
        data = block.data
        done = max(start, block.cleaning.at(max(self._until - block.base, 0)))
        for found in self._anchors.finditer(data, start, min(end + 64, block.top)):
            place = found.start()
            if place < done or place >= end:
                continue
            line = data.rfind(b"\n", 0, place) + 1
            begin = max(data.rfind(b"\r", max(line, place - REACH), place) + 1, line, place - REACH)
            done = _segment_end(block, place)
            self._until = block.first_byte(done)
            said = self._parse(block.slice(begin, done))
            if said is not None:
                yield Printed(begin, done, line, said)

    def _parse(self, text: bytes) -> MetricLine | None:
        for dialect in self._dialects:
            said = dialect.parse(text)
            if said is not None:
                return said
        return None


def _segment_end(block: Block, at: int) -> int:
    stop = min(at + REACH, block.top)
    line = block.data.find(b"\n", at, stop)
    line = stop if line < 0 else line
    back = block.data.find(b"\r", at, line)
    return line if back < 0 else back


def _looks(window: int, *, known: bool) -> bool:
    """Tell whether formats are looked for in a window: the first ones, then at doubling distance."""
    if window < _EAGER:
        return window == 0 or not known
    return window % _FAR == 0 or (window & (window - 1)) == 0


def _shapes(block: Block, start: int, end: int) -> list[bytes]:
    """Return a few lines of each shape in a stretch: equal but for their numbers."""
    seen: dict[bytes, int] = {}
    kept: list[bytes] = []
    for line in re.split(rb"[\r\n]+", block.slice(start, end)):
        shape = _DIGITS.sub(b"0", line[:REACH])
        count = seen.get(shape, 0)
        if count < _PER_SHAPE and (count or len(seen) < _SHAPES):
            seen[shape] = count + 1
            kept.append(line[:REACH])
    return kept
