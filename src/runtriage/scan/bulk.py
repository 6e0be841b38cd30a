"""Reads the metric lines of large artifacts many at a time; numpy does the work, and results are those of reading one by one."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from runtriage.scan.block import Block
from runtriage.scan.bulk_numbers import Flags, Places, Text
from runtriage.scan.bulk_walk import Numbers, Walk
from runtriage.scan.contract import LineReader
from runtriage.scan.layout import Layout, Parse

_LONGEST: Final = 2048
_MARGIN: Final = _LONGEST + 256
_PAIRS: Final = 128


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
    """What was read at once, and the places of anchors whose lines must be read one by one."""

    batches: list[Batch]
    left: list[int]


class _Pair(NamedTuple):
    walk: Walk
    own: bool
    parse: Parse


class Bulk:
    """The prefixes and layouts that were met, the ones met last in front."""

    def __init__(self, reader: LineReader) -> None:
        self._reader = reader
        self._pairs: dict[tuple[bytes, bool, int], _Pair] = {}

    def meet(self, prefix: bytes, own: bool, layout: Layout, parse: Parse) -> None:
        """Remember a prefix and a layout that belong together; `own` tells that the prefix is printed in the segment itself."""
        key = (prefix, own, id(layout))
        if key not in self._pairs and (own or not prefix) and len(self._pairs) < _PAIRS:
            walk = Walk(prefix if own else b"", layout)
            if walk.possible:
                self._pairs[key] = _Pair(walk, own, parse)

    def harvest(self, block: Block, start: int, end: int, literals: tuple[bytes, ...]) -> Harvest:
        """Read the metric lines whose anchors lie in [start, end)."""
        text = Text(block.data, block.top)
        anchors = _find(text, literals, start, end)
        borders = _borders(text, block, start, min(end + _LONGEST, block.top))
        which = np.searchsorted(borders, anchors)
        inner = (which > 0) & (which < len(borders))
        left = [anchors[~inner]]
        anchors, which = anchors[inner], which[inner]
        first = np.flatnonzero(np.diff(which, prepend=-1))
        anchors, which = anchors[first], which[first]
        starts, ends = borders[which - 1] + 1, borders[which]
        usable = (
            (ends - starts <= _LONGEST) & (ends < block.top - _MARGIN) & (text.bytes[np.maximum(starts - 2, 0)] != 58)
        )
        usable &= self._plain(text, block, starts)
        left.append(anchors[~usable])
        anchors, starts, ends = anchors[usable], starts[usable], ends[usable]
        batches = self._read(text, block, anchors, starts, ends, left)
        return Harvest(batches, sorted(int(place) for places in left for place in places))

    def _plain(self, text: Text, block: Block, starts: Places) -> Flags:
        """Tell of which segments the line's prefix is known: it is printed in them, or their line has none."""
        plain = text.bytes[starts - 1] == 10
        speaking: dict[int, bool] = {}
        for index in np.flatnonzero(~plain):
            line = block.data.rfind(b"\n", 0, int(starts[index])) + 1
            if line not in speaking:
                front = block.slice(line, min(line + 256, int(starts[index])))
                speaking[line] = line == 0 or self._reader.speaker(front)[0] > 0
            plain[index] = not speaking[line]
        return plain

    def _read(
        self, text: Text, block: Block, anchors: Places, starts: Places, ends: Places, left: list[Places]
    ) -> list[Batch]:
        batches: list[Batch] = []
        own = text.bytes[starts - 1] == 10
        for pair in list(self._pairs.values()):
            if not len(starts):
                break
            chosen = np.flatnonzero(own if pair.own else ~own)
            if not len(chosen):
                continue
            rows, columns, totals = pair.walk.run(text, starts[chosen], ends[chosen])
            if not len(rows):
                continue
            rows = chosen[rows]
            walk = pair.walk
            batches.append(
                Batch(walk.prefix, pair.own, walk.layout, pair.parse, starts[rows], ends[rows], columns, totals)
            )
            rest = np.ones(len(starts), bool)
            rest[rows] = False
            anchors, starts, ends, own = anchors[rest], starts[rest], ends[rest], own[rest]
        left.append(anchors)
        return batches


def _find(text: Text, literals: tuple[bytes, ...], start: int, end: int) -> Places:
    """Return where literals begin in [start, end), in order."""
    found = [_find_one(text, literal, start, end) for literal in literals]
    if len(found) == 1:
        return found[0]
    return np.unique(np.concatenate(found)) if found else np.zeros(0, np.int64)


def _find_one(text: Text, literal: bytes, start: int, end: int) -> Places:
    data = text.bytes
    stop = min(end + len(literal), len(data))
    first, second = data[start : stop - 1] == literal[0], data[start + 1 : stop] == literal[1]
    places = np.flatnonzero(first & second) + start
    places = places[places <= min(end - 1, len(data) - len(literal))]
    for index in range(2, len(literal)):
        places = places[data[places + index] == literal[index]]
    return places


def _borders(text: Text, block: Block, start: int, end: int) -> Places:
    """Return the line breaks and carriage returns around [start, end)."""
    begin = max(start - 1, 0)
    data = text.bytes[begin:end]
    ends = data == 10
    if block.data.find(b"\r", begin, end) >= 0:
        ends |= data == 13
    return np.flatnonzero(ends) + begin
