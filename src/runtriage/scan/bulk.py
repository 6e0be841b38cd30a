"""Reads the metric lines of large artifacts many at a time; numpy does the work, and results are those of reading one by one."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

import numpy as np
from msgspec import Struct, field

from runtriage.scan.block import Block
from runtriage.scan.bulk_clock import Minute
from runtriage.scan.bulk_ground import Ground
from runtriage.scan.bulk_keys import Column, Plain
from runtriage.scan.bulk_numbers import Flags, Places
from runtriage.scan.bulk_shape import LEAD, Shape
from runtriage.scan.bulk_walk import Walk
from runtriage.scan.contract import LineReader
from runtriage.scan.dialects.front import openings
from runtriage.scan.layout import Layout, Parse
from runtriage.scan.table import Printed

_LONGEST: Final = 2048
_MARGIN: Final = _LONGEST + 256
_PAIRS: Final = 128
_TRIAL: Final = 512
_AT_ONCE: Final = 4096
"""Lines that are walked at once: as many as fit a cache."""
_SHAPES: Final = 4
"""Shapes that are tried for a layout."""
_COMMON: Final = 64
"""Lines of a layout in one harvest that make learning a shape worth while; fewer are read one by one as fast."""
_EACH: Final = 128
"""Bytes of a metric line: trying one more prefix and layout on a few lines takes about as long as reading one line by itself."""
_BREAKS: Final = 128
"""Finding all line breaks of a block takes about as long as reading a share of it, one of so many, line by line."""
_LEFT: Final = 16
"""Where less than one byte of so many is left, literals are looked for line by line."""

Ticking = Callable[[Layout, bytes], "Minute | None"]
"""Tells where lines of a prefix and layout print their time, if that is known."""


class Batch(NamedTuple):
    """Lines of one prefix and layout: where they start and end, and a column for each of the layout's values.

    `same` tells of each line that it prints the same minute as the one before it, if that was looked at.
    """

    prefix: bytes
    own: bool
    layout: Layout
    parse: Parse
    starts: Places
    ends: Places
    columns: list[Column]
    totals: Column | None
    shape: Shape | None = None
    same: Flags | None = None


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

    def walks(self) -> Iterator[Walk]:
        """Yield the ways to read such lines whatever their shape, the faster one first."""
        if self.sample is not None:
            self.like, self.sample = Walk(self.prefix, self.layout, self.layout.idle_lengths(self.sample)), None
        if self.like is not None:
            yield self.like
        yield self.any

    def learn(self, body: bytes) -> Shape | None:
        """Learn the shape of a line; the one that was used the longest time ago makes room."""
        shape = Shape(self.prefix if self.own else b"", self.layout, body, own=self.own)
        if not shape.possible:
            return None
        self.shapes.insert(0, shape)
        del self.shapes[_SHAPES:]
        return shape


class _Lines:
    """Parts of lines, in order; those that were read are no longer free."""

    def __init__(self, starts: Places, ends: Places, own: Flags | None = None) -> None:
        self.starts = starts
        self.ends = ends
        self.lengths = ends - starts
        self.own = own

    def take(self, rows: Places) -> None:
        """Take note of lines that were read."""
        self.lengths[rows] = -1

    def free(self) -> Flags:
        """Tell which lines were not read."""
        return self.lengths >= 0


class Bulk:
    """The prefixes and layouts that were met, the ones met last in front."""

    def __init__(self, reader: LineReader) -> None:
        self._reader = reader
        self._pairs: dict[tuple[bytes, bool, int], _Pair] = {}
        self._ground: Ground | None = None

    @property
    def ready(self) -> bool:
        """Tell whether any line was met yet."""
        return bool(self._pairs)

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

    def worth(self, block: Block, size: int) -> bool:
        """Tell whether so many bytes of a block hold more lines than it takes to try all that was met, and to find all its line breaks."""
        begun = self._ground is not None and self._ground.block is block
        return size >= _EACH * len(self._pairs) and (begun or size >= (block.high - block.low) // _BREAKS)

    def harvest(self, block: Block, start: int, end: int, literals: tuple[bytes, ...], ticking: Ticking) -> Harvest:
        """Read the metric lines whose anchors lie in [start, end)."""
        ground = self._ground_of(block)
        low, high = np.searchsorted(ground.ends, (max(start - 1, 0), min(end + _LONGEST, block.top)))
        borders = ground.ends[low:high]
        lines = _Lines(borders[:-1] + 1, borders[1:])
        first = int(np.searchsorted(lines.starts, max(start, LEAD)))
        last = int(np.searchsorted(lines.ends, min(end, block.top - _MARGIN - 1), "right"))
        batches = self._shaped(ground, lines, slice(first, max(last, first)), literals, ticking)
        holds = _holding(ground, borders, lines, (start, end), literals)
        holds[1:-1] &= lines.free()
        which = np.flatnonzero(holds[1:-1])
        starts, ends = lines.starts[which], lines.ends[which]
        usable = (
            (ends - starts <= _LONGEST)
            & (starts >= LEAD)
            & (ends < block.top - _MARGIN)
            & (ground.text.bytes[starts - 2] != 58)
        )
        left = _spans(starts[~usable], ends[~usable])
        if holds[0]:
            left.append((start, int(borders[0]) if len(borders) else end))
        if len(borders) and holds[-1]:
            left.append((int(borders[-1]) + 1, end))
        starts, ends = starts[usable], ends[usable]
        if len(starts) >= _COMMON:
            plain = self._plain(ground, starts)
            left += _spans(starts[~plain], ends[~plain])
            starts, ends = starts[plain], ends[plain]
            rest = _Lines(starts, ends, ground.text.bytes[starts - 1] == 10)
            batches += self._walked(ground, rest, ticking)
            starts, ends = starts[rest.free()], ends[rest.free()]
        return Harvest(batches, sorted(left + _spans(starts, ends)))

    def _ground_of(self, block: Block) -> Ground:
        if self._ground is None or self._ground.block is not block:
            self._ground = Ground(block)
        return self._ground

    def _shaped(
        self, ground: Ground, lines: _Lines, whole: slice, literals: tuple[bytes, ...], ticking: Ticking
    ) -> list[Batch]:
        """Read the lines of known shapes among those that lie wholly in a region."""
        batches: list[Batch] = []
        starts, lengths = lines.starts[whole], lines.lengths[whole]
        for pair in self._pairs.values():
            for shape in pair.shapes if pair.own or ground.parted else ():
                if shape.holds(literals):
                    batch = self._of_shape(ground, pair, shape, starts, lengths, ticking)
                    if batch is not None:
                        batches.append(batch)
        return batches

    def _of_shape(
        self, ground: Ground, pair: _Pair, shape: Shape, starts: Places, lengths: Places, ticking: Ticking
    ) -> Batch | None:
        """Read the lines of one shape; their lengths are then -1."""
        rows, columns, totals, same = shape.run(ground.text, starts, lengths, ticking(pair.layout, pair.prefix))
        if len(rows) and not pair.own:
            plain = self._plain(ground, starts[rows])
            if not plain.all():
                rows, columns = rows[plain], [column.some(plain) for column in columns]
                totals, same = totals.some(plain) if totals is not None else None, None
        if not len(rows):
            return None
        begin = starts[rows]
        lengths[rows] = -1
        return Batch(
            pair.prefix, pair.own, pair.layout, pair.parse, begin, begin + shape.length, columns, totals, shape, same
        )

    def _plain(self, ground: Ground, starts: Places) -> Flags:
        """Tell of which segments the line's prefix is known: it is printed in them, or their line has none."""
        plain = ground.text.bytes[starts - 1] == 10
        inner = np.flatnonzero(~plain)
        if len(inner):
            block = ground.block
            lines = np.concatenate([[block.data.rfind(b"\n", 0, int(starts[inner[0]])) + 1], ground.breaks + 1])
            lines = lines[np.searchsorted(lines[1:], starts[inner], "right")]
            if opening := openings(self._reader.style):
                closed = (lines > 0) & ~np.isin(ground.text.bytes[lines], np.frombuffer(opening, np.uint8))
                plain[inner[closed]] = True
                inner, lines = inner[~closed], lines[~closed]
            mute = {
                int(line): self._mute(block, int(line), int(start)) for line, start in _firsts(lines, starts[inner])
            }
            plain[inner] = [mute[line] for line in lines.tolist()]
        return plain

    def _mute(self, block: Block, line: int, end: int) -> bool:
        """Tell whether a line is known to have no prefix."""
        return line > 0 and not self._reader.speaker(block.slice(line, min(line + 256, end)))[0]

    def _walked(self, ground: Ground, lines: _Lines, ticking: Ticking) -> list[Batch]:
        """Read what known layouts read whatever its shape, and learn the shapes of what is common."""
        batches: list[Batch] = []
        for pair in self._pairs.values():
            for walk in list(pair.walks()):
                batches += self._of_walk(ground, pair, walk, lines, ticking)
        return batches

    def _of_walk(self, ground: Ground, pair: _Pair, walk: Walk, lines: _Lines, ticking: Ticking) -> Iterator[Batch]:
        free = lines.free() & (lines.own == pair.own)
        chosen, at, step, read = np.flatnonzero(free), 0, _TRIAL, 0
        while len(chosen) - at >= (_COMMON if at == 0 else 1):
            rows = chosen[at : at + step]
            at, step = at + step, _AT_ONCE
            found = walk.run(ground.text, lines.starts[rows], lines.ends[rows])
            rows = rows[found.rows]
            read += len(rows)
            if not len(rows):
                continue
            lines.take(rows)
            totals = Plain(found.totals) if found.totals is not None else None
            columns = list[Column](map(Plain, found.columns))
            yield Batch(
                pair.prefix, pair.own, pair.layout, pair.parse, lines.starts[rows], lines.ends[rows], columns, totals
            )
            if read >= _COMMON:
                read = 0
                shape = pair.learn(_body(ground.block, pair, lines, int(rows[len(rows) // 2])))
                batch = self._of_shape(ground, pair, shape, lines.starts, lines.lengths, ticking) if shape else None
                if batch is not None:
                    yield batch
                    chosen = chosen[at:][lines.lengths[chosen[at:]] >= 0]
                    at = 0


def _holding(
    ground: Ground, borders: Places, lines: _Lines, region: tuple[int, int], literals: tuple[bytes, ...]
) -> Flags:
    """Tell in which stretches between borders, the first before them all, a literal begins within a region.

    What was read already may be told wrongly.
    """
    start, end = region
    holds = np.zeros(len(borders) + 1, bool)
    rest = np.flatnonzero(lines.free())
    if int(lines.lengths[rest].sum()) * _LEFT > end - start:
        for literal in literals:
            holds[np.searchsorted(borders, ground.find(literal, start, end))] = True
        return holds
    pattern = re.compile(b"|".join(map(re.escape, literals)))
    longest = max(map(len, literals))
    some = [(int(row) + 1, int(lines.starts[row]), int(lines.ends[row])) for row in rest]
    some.append((0, start, int(borders[0]) if len(borders) else end))
    if len(borders):
        some.append((len(borders), int(borders[-1]), end))
    for index, low, high in some:
        found = pattern.search(ground.block.data, max(low, start), min(high + longest, ground.block.top))
        holds[index] = found is not None and found.start() < min(high, end)
    return holds


def _spans(starts: Places, ends: Places) -> list[tuple[int, int]]:
    return list(zip(starts.tolist(), ends.tolist(), strict=True))


def _body(block: Block, pair: _Pair, lines: _Lines, row: int) -> bytes:
    """Return one of some lines, without its prefix."""
    return block.slice(int(lines.starts[row]) + (len(pair.prefix) if pair.own else 0), int(lines.ends[row]))


def _firsts(lines: Places, starts: Places) -> Iterator[tuple[int, int]]:
    """Yield each line with where the first of its segments starts."""
    first = np.flatnonzero(np.concatenate([[True], lines[1:] != lines[:-1]])[: len(lines)])
    return zip(lines[first].tolist(), starts[first].tolist(), strict=True)
