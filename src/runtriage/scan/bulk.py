"""Reads the metric lines of large artifacts many at a time; numpy does the work, and results are those of reading one by one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

import numpy as np
from msgspec import Struct, field

from runtriage.scan.block import Block
from runtriage.scan.bulk_ground import Ground
from runtriage.scan.bulk_numbers import Flags, Numbers, Places, Text
from runtriage.scan.bulk_shape import Shape
from runtriage.scan.bulk_walk import Walk, Walked
from runtriage.scan.contract import LineReader
from runtriage.scan.layout import Layout, Parse
from runtriage.scan.table import Printed

_LONGEST: Final = 2048
_MARGIN: Final = _LONGEST + 256
_PAIRS: Final = 128
_AT_ONCE: Final = 4096
_SHAPES: Final = 4
"""Shapes that are tried for a layout."""
_COMMON: Final = 64
"""Lines of a layout in one harvest that make learning a shape worth while."""
_RARE: Final = 32
"""A shape is forgotten that reads less than one of so many lines."""
_EACH: Final = 128
"""Bytes of a metric line: trying one more prefix and layout on a few lines takes about as long as reading one line by itself."""


class Batch(NamedTuple):
    """Lines of one prefix and layout: where they start and end, and a column for each of the layout's values."""

    prefix: bytes
    own: bool
    layout: Layout
    parse: Parse
    starts: Places
    ends: Places
    columns: list[Numbers]
    totals: Numbers | None


class Harvest(NamedTuple):
    """What was read at once, and in which stretches, in order, anchors are left whose segments must be read one by one."""

    batches: list[Batch]
    left: list[tuple[int, int]]


class _Pair(Struct):
    """A prefix and a layout, and the ways to read such lines.

    Lines of a shape that came before are read fastest, then those that agree with the last single one in the length of idle numbers.
    """

    prefix: bytes
    layout: Layout
    own: bool
    parse: Parse
    any: Walk
    like: Walk | None = None
    sample: bytes | None = None
    shapes: list[Shape] = field(default_factory=list[Shape])

    def ways(self) -> Iterator[Shape | Walk]:
        """Yield the ways to read such lines, the fastest first."""
        yield from self.shapes
        if self.sample is not None:
            self.like, self.sample = Walk(self.prefix, self.layout, self.layout.idle_lengths(self.sample)), None
        if self.like is not None:
            yield self.like
        yield self.any

    def used(self, way: Shape | Walk, tried: int, count: int, sample: bytes) -> None:
        """Take note of how many of the lines that were tried one way were read: a rare shape is forgotten, another learnt from a sample."""
        if isinstance(way, Shape):
            if count * _RARE < tried:
                self.shapes.remove(way)
        elif count >= _COMMON and len(self.shapes) < _SHAPES:
            shape = Shape(self.prefix if self.own else b"", self.layout, sample)
            if shape.possible:
                self.shapes.append(shape)


class Bulk:
    """The prefixes and layouts that were met, the ones met last in front."""

    def __init__(self, reader: LineReader) -> None:
        self._reader = reader
        self._pairs: dict[tuple[bytes, bool, int], _Pair] = {}
        self._ground: Ground | None = None

    def meet(self, row: Printed) -> None:
        """Remember a line that was read one by one: its prefix and layout belong together."""
        layout = row.layout
        if layout is None or layout.voices or row.found is None or not (row.own or not row.prefix):
            return
        prefix = row.prefix if row.own else b""
        key = (prefix, row.own, id(layout))
        pair = self._pairs.get(key)
        if pair is None and len(self._pairs) < _PAIRS:
            walk = Walk(prefix, layout)
            if walk.possible:
                pair = self._pairs[key] = _Pair(prefix, layout, row.own, row.parse, walk)
        if pair is not None:
            pair.sample = row.found.string

    def worth(self, size: int) -> bool:
        """Tell whether so many bytes hold more lines than it takes to try all that was met."""
        return size >= _EACH * len(self._pairs)

    def harvest(self, block: Block, start: int, end: int, literals: tuple[bytes, ...]) -> Harvest:
        """Read the metric lines whose anchors lie in [start, end)."""
        ground = self._ground_of(block)
        text = ground.text
        low, high = np.searchsorted(ground.ends, (max(start - 1, 0), min(end + _LONGEST, block.top)))
        borders = ground.ends[low:high]
        holds = np.zeros(len(borders) + 1, bool)
        for literal in literals:
            holds[np.searchsorted(borders, ground.find(literal, start, end))] = True
        which = np.flatnonzero(holds[1:-1]) + 1
        starts, ends = borders[which - 1] + 1, borders[which]
        usable = (
            (ends - starts <= _LONGEST) & (ends < block.top - _MARGIN) & (text.bytes[np.maximum(starts - 2, 0)] != 58)
        )
        usable &= self._plain(ground, starts)
        left = list(zip(starts[~usable].tolist(), ends[~usable].tolist(), strict=True))
        if holds[0]:
            left.append((start, int(borders[0]) if len(borders) else end))
        if len(borders) and holds[-1]:
            left.append((int(borders[-1]) + 1, end))
        batches, rest = self._read(text, block, starts[usable], ends[usable])
        return Harvest(batches, sorted(left + rest))

    def _ground_of(self, block: Block) -> Ground:
        if self._ground is None or self._ground.block is not block:
            self._ground = Ground(block)
        return self._ground

    def _plain(self, ground: Ground, starts: Places) -> Flags:
        """Tell of which segments the line's prefix is known: it is printed in them, or their line has none."""
        plain = ground.text.bytes[starts - 1] == 10
        inner = np.flatnonzero(~plain)
        if len(inner):
            block = ground.block
            lines = np.concatenate([[block.data.rfind(b"\n", 0, int(starts[inner[0]])) + 1], ground.breaks + 1])
            lines = lines[np.searchsorted(lines[1:], starts[inner], "right")]
            mute = {
                int(line): self._mute(block, int(line), int(start)) for line, start in _firsts(lines, starts[inner])
            }
            plain[inner] = [mute[line] for line in lines.tolist()]
        return plain

    def _mute(self, block: Block, line: int, end: int) -> bool:
        """Tell whether a line is known to have no prefix."""
        return line > 0 and not self._reader.speaker(block.slice(line, min(line + 256, end)))[0]

    def _read(
        self, text: Text, block: Block, starts: Places, ends: Places
    ) -> tuple[list[Batch], list[tuple[int, int]]]:
        """Read what known layouts read; return where the other segments are as well."""
        batches: list[Batch] = []
        own = text.bytes[starts - 1] == 10
        for pair in self._pairs.values():
            if not len(starts):
                break
            for way in list(pair.ways()):
                chosen = np.flatnonzero(own if pair.own else ~own)
                if not len(chosen):
                    break
                rows, columns, totals = _run(way, text, starts[chosen], ends[chosen])
                rows = chosen[rows]
                pair.used(way, len(chosen), len(rows), _body(block, pair, starts, ends, rows))
                if not len(rows):
                    continue
                batches.append(
                    Batch(pair.prefix, pair.own, pair.layout, pair.parse, starts[rows], ends[rows], columns, totals)
                )
                rest = np.ones(len(starts), bool)
                rest[rows] = False
                starts, ends, own = starts[rest], ends[rest], own[rest]
        return batches, list(zip(starts.tolist(), ends.tolist(), strict=True))


def _body(block: Block, pair: _Pair, starts: Places, ends: Places, rows: Places) -> bytes:
    """Return one of some lines, without its prefix."""
    if not len(rows):
        return b""
    row = rows[len(rows) // 2]
    return block.slice(int(starts[row]) + (len(pair.prefix) if pair.own else 0), int(ends[row]))


def _firsts(lines: Places, starts: Places) -> Iterator[tuple[int, int]]:
    """Yield each line with where the first of its segments starts."""
    first = np.flatnonzero(np.concatenate([[True], lines[1:] != lines[:-1]]))
    return zip(lines[first].tolist(), starts[first].tolist(), strict=True)


def _run(walk: Shape | Walk, text: Text, starts: Places, ends: Places) -> Walked:
    """Read so many lines at once as fit a cache."""
    if isinstance(walk, Shape) or len(starts) <= _AT_ONCE:
        return walk.run(text, starts, ends)
    parts = [
        (low, walk.run(text, starts[low : low + _AT_ONCE], ends[low : low + _AT_ONCE]))
        for low in range(0, len(starts), _AT_ONCE)
    ]
    parts = [(low, part) for low, part in parts if len(part.rows)]
    if not parts:
        return Walked(np.zeros(0, np.int64), [], None)
    totals = [part.totals for _, part in parts if part.totals is not None]
    return Walked(
        np.concatenate([part.rows + low for low, part in parts]),
        [np.concatenate(columns) for columns in zip(*(part.columns for _, part in parts), strict=True)],
        np.concatenate(totals) if totals else None,
    )
