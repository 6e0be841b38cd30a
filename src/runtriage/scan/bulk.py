"""Reads the metric lines of large artifacts many at a time; numpy does the work, and results are those of reading one by one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from runtriage.scan.block import Block
from runtriage.scan.bulk_numbers import Flags, Numbers, Places, Text
from runtriage.scan.bulk_walk import Walk, Walked
from runtriage.scan.contract import LineReader
from runtriage.scan.layout import Layout, Parse
from runtriage.scan.table import Printed

_LONGEST: Final = 2048
_MARGIN: Final = _LONGEST + 256
_PAIRS: Final = 128
_AT_ONCE: Final = 4096


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


@dataclass(slots=True)
class _Pair:
    """A prefix and a layout. Lines that agree with the last one in the length of idle numbers are tried first."""

    prefix: bytes
    layout: Layout
    own: bool
    parse: Parse
    any: Walk
    like: Walk | None = None
    sample: re.Match[bytes] | None = None

    def walks(self) -> tuple[Walk, ...]:
        """Return the ways to read such lines, the fastest first."""
        if self.sample is not None:
            self.like, self.sample = Walk(self.prefix, self.layout, self.layout.idle_lengths(self.sample)), None
        return (self.any,) if self.like is None else (self.like, self.any)


class Bulk:
    """The prefixes and layouts that were met, the ones met last in front."""

    def __init__(self, reader: LineReader) -> None:
        self._reader = reader
        self._pairs: dict[tuple[bytes, bool, int], _Pair] = {}

    def meet(self, row: Printed) -> None:
        """Remember a line that was read one by one: its prefix and layout belong together."""
        layout = row.layout
        if layout is None or row.found is None or not (row.own or not row.prefix):
            return
        prefix = row.prefix if row.own else b""
        key = (prefix, row.own, id(layout))
        pair = self._pairs.get(key)
        if pair is None and len(self._pairs) < _PAIRS:
            walk = Walk(prefix, layout)
            if walk.possible:
                pair = self._pairs[key] = _Pair(prefix, layout, row.own, row.parse, walk)
        if pair is not None:
            pair.sample = row.found

    def harvest(self, block: Block, start: int, end: int, literals: tuple[bytes, ...]) -> Harvest:
        """Read the metric lines whose anchors lie in [start, end)."""
        text = Text(block.data, block.top)
        borders = _borders(text, block, start, min(end + _LONGEST, block.top))
        holds = np.zeros(len(borders) + 1, bool)
        for literal in literals:
            holds[np.searchsorted(borders, _find(text, literal, start, end))] = True
        which = np.flatnonzero(holds[1:-1]) + 1
        starts, ends = borders[which - 1] + 1, borders[which]
        usable = (
            (ends - starts <= _LONGEST) & (ends < block.top - _MARGIN) & (text.bytes[np.maximum(starts - 2, 0)] != 58)
        )
        usable &= self._plain(text, block, starts)
        left = list(zip(starts[~usable].tolist(), ends[~usable].tolist(), strict=True))
        if holds[0]:
            left.append((start, int(borders[0]) if len(borders) else end))
        if len(borders) and holds[-1]:
            left.append((int(borders[-1]) + 1, end))
        batches, rest = self._read(text, starts[usable], ends[usable])
        return Harvest(batches, sorted(left + rest))

    def _plain(self, text: Text, block: Block, starts: Places) -> Flags:
        """Tell of which segments the line's prefix is known: it is printed in them, or their line has none."""
        plain = text.bytes[starts - 1] == 10
        inner = np.flatnonzero(~plain)
        if len(inner):
            low = block.data.rfind(b"\n", 0, int(starts[inner[0]])) + 1
            lines = np.concatenate([[low], np.flatnonzero(text.bytes[low : int(starts[inner[-1]])] == 10) + low + 1])
            lines = lines[np.searchsorted(lines, starts[inner], "right") - 1]
            mute = {
                int(line): self._mute(block, int(line), int(start)) for line, start in _firsts(lines, starts[inner])
            }
            plain[inner] = [mute[line] for line in lines.tolist()]
        return plain

    def _mute(self, block: Block, line: int, end: int) -> bool:
        """Tell whether a line is known to have no prefix."""
        return line > 0 and not self._reader.speaker(block.slice(line, min(line + 256, end)))[0]

    def _read(self, text: Text, starts: Places, ends: Places) -> tuple[list[Batch], list[tuple[int, int]]]:
        """Read what known layouts read; return where the other segments are as well."""
        batches: list[Batch] = []
        own = text.bytes[starts - 1] == 10
        for pair in self._pairs.values():
            for walk in pair.walks():
                if not len(starts):
                    break
                chosen = np.flatnonzero(own if pair.own else ~own)
                rows, columns, totals = _run(walk, text, starts[chosen], ends[chosen])
                if not len(rows):
                    continue
                rows = chosen[rows]
                batches.append(
                    Batch(pair.prefix, pair.own, pair.layout, pair.parse, starts[rows], ends[rows], columns, totals)
                )
                rest = np.ones(len(starts), bool)
                rest[rows] = False
                starts, ends, own = starts[rest], ends[rest], own[rest]
        return batches, list(zip(starts.tolist(), ends.tolist(), strict=True))


def _firsts(lines: Places, starts: Places) -> Iterator[tuple[int, int]]:
    """Yield each line with where the first of its segments starts."""
    first = np.flatnonzero(np.concatenate([[True], lines[1:] != lines[:-1]]))
    return zip(lines[first].tolist(), starts[first].tolist(), strict=True)


def _run(walk: Walk, text: Text, starts: Places, ends: Places) -> Walked:
    """Walk so many lines at once as fit a cache."""
    if len(starts) <= _AT_ONCE:
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


def _find(text: Text, literal: bytes, start: int, end: int) -> Places:
    """Return where a literal begins in [start, end)."""
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
