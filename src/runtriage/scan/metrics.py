"""Finds metric lines in blocks: learns how the artifact prints them, then looks for the literals that mark such lines."""

from __future__ import annotations

import re
from typing import Final

from runtriage.model.subject import Subject
from runtriage.scan.block import AHEAD, Block
from runtriage.scan.book import Book
from runtriage.scan.contract import Dialect, LineReader, MetricLine, Metrics
from runtriage.scan.find import REACH
from runtriage.scan.table import Printed, Rows

_WINDOW: Final = AHEAD
_EAGER: Final = 16
"""Windows at the front of an artifact in which formats are looked for while none is known."""
_FAR: Final = 1024
"""Windows between two looks, at most; the distance doubles up to that."""
_PER_SHAPE: Final = 4
_SHAPES: Final = 64
_RESTATES: Final = b"iteration is:\n"
"""LightGBM prints its best round once more below these words; that is no progress."""
_DIGITS = re.compile(rb"[-+]?\d[\d.,eE+-]*|\bnan\b|\binf\b")


class MetricFinder:
    """The formats known so far of one artifact, and the lines they claim."""

    def __init__(self, metrics: Metrics, reader: LineReader, book: Book) -> None:
        self._metrics = metrics
        self._reader = reader
        self._book = book
        self._dialects: list[Dialect] = []
        self._anchors: re.Pattern[bytes] | None = None
        self._until = 0
        self._subjects: dict[tuple[bytes, int, tuple[bytes, ...]], Subject] = {}

    def read(self, block: Block) -> dict[Subject, Rows]:
        """Return the metric lines of a block. Formats are learnt at fixed places of the artifact, whatever the blocks are."""
        tables: dict[Subject, Rows] = {}
        at = block.low
        while at < block.high:
            window = block.first_byte(at) // _WINDOW
            following = block.cleaning.at((window + 1) * _WINDOW - block.base)
            end = max(min(following, block.high), at + 1)
            if _looks(window, known=bool(self._dialects)) and self._begins(block, at):
                self._learn(block, at, min(at + _WINDOW, block.top))
            self._region(block, at, end, tables)
            at = end
        return tables

    def _begins(self, block: Block, at: int) -> bool:
        return block.first_byte(at) % _WINDOW == 0

    def _learn(self, block: Block, start: int, end: int) -> None:
        learnt = self._metrics.learn(_shapes(block, start, end))
        known = {dialect.anchors for dialect in self._dialects if dialect.anchors}
        found = [each for each in learnt if each.anchors not in known and each not in self._dialects]
        if found:
            self._dialects.extend(found)
            anchors = sorted({anchor for dialect in self._dialects for anchor in dialect.anchors})
            everything = any(not dialect.anchors for dialect in self._dialects)
            self._anchors = re.compile(rb"[^\r\n]+" if everything else b"|".join(map(re.escape, anchors)))

    def _region(self, block: Block, start: int, end: int, tables: dict[Subject, Rows]) -> None:
        if self._anchors is None:
            return
        data = block.data
        done = max(start, block.cleaning.at(max(self._until - block.base, 0)))
        for found in self._anchors.finditer(data, start, min(end + 64, block.top)):
            place = found.start()
            if place < done or place >= end:
                continue
            line = data.rfind(b"\n", 0, place) + 1
            if data[max(line - len(_RESTATES), 0) : line] == _RESTATES:
                continue
            begin = max(data.rfind(b"\r", max(line, place - REACH), place) + 1, line, place - REACH)
            done = _segment_end(block, place)
            self._until = block.first_byte(done)
            self._row(block, begin, done, line, tables)

    def _row(self, block: Block, start: int, end: int, line: int, tables: dict[Subject, Rows]) -> None:
        front = block.slice(line, min(line + 256, end)) if line or not block.head else block.head
        prefix = front[: self._reader.speaker(front)[0]]
        own = start == line and not (line == 0 and block.head)
        body = block.slice(start + (len(prefix) if own else 0), end)
        known = self._book.find(body)
        if known is not None:
            layout, found = known
            row = Printed(start, end, line if own else -1, prefix, None, layout, found)
            key = (prefix, id(layout), found.group(*layout.voices) if layout.voices else ())
            subject = self._subjects.get(key)
            if subject is None:
                subject = self._subjects[key] = self._reader.subject(prefix + body)
        else:
            said = self._reference(body)
            if said is None:
                return
            if not self._from_table(body):
                self._book.note(body, self._reference, self._reader.subject)
            row = Printed(start, end, line if own else -1, prefix, said, None, None)
            subject = self._reader.subject(prefix + body)
        table = tables.get(subject)
        if table is None:
            table = tables[subject] = Rows(block, self._reader, self._reference)
        table.add(row)

    def _from_table(self, body: bytes) -> bool:
        """Tell whether only the header of a table names the line's numbers; another artifact's table may name them otherwise."""
        return any(not dialect.anchors and dialect.parse(body) is not None for dialect in self._dialects)

    def _reference(self, body: bytes) -> MetricLine | None:
        for dialect in self._dialects:
            said = dialect.parse(body)
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
