"""Finds the metric lines of blocks by the literals they hold, and reads them by layout where one is known."""

from __future__ import annotations

import re
from typing import Final

from runtriage.model.pattern import deferred
from runtriage.model.subject import Subject
from runtriage.scan.block import Block
from runtriage.scan.book import Book
from runtriage.scan.contract import LineReader, Metrics
from runtriage.scan.find import REACH
from runtriage.scan.formats import WINDOW, Formats
from runtriage.scan.table import Printed, Rows
from runtriage.scan.ticks import Ticks

_RESTATES: Final = b"iteration is:\n"
"""LightGBM prints its best round once more below these words; that is no progress."""
_EVERY = deferred(rb"[^\r\n]+")


class MetricFinder:
    """The metric lines of one artifact, block by block."""

    def __init__(self, metrics: Metrics, reader: LineReader, book: Book) -> None:
        self._formats = Formats(metrics, book)
        self._reader = reader
        self._anchors: re.Pattern[bytes] | None = None
        self._until = 0
        self._subjects: dict[tuple[bytes, int, object], Subject] = {}
        self._ticks: dict[tuple[int, bytes], Ticks] = {}

    def looks(self, window: int) -> bool:
        """Tell whether a scan from the front would look at a window, with what is known so far."""
        return self._formats.looks(window)

    def recall(self, text: bytes) -> None:
        """Learn from a window before the stretch that is scanned."""
        self._learn(text)

    def read(self, block: Block) -> dict[Subject, Rows]:
        """Return the metric lines of a block, by who printed them."""
        tables: dict[Subject, Rows] = {}
        at = block.low
        while at < block.high:
            window = block.first_byte(at) // WINDOW
            end = self._stretch(block, at, window)
            if self._formats.looks(window) and block.first_byte(at) % WINDOW == 0:
                stop = block.cleaning.at((window + 1) * WINDOW - block.base)
                self._learn(block.slice(at, min(stop, block.top)))
            self._region(block, at, end, tables)
            at = end
        return tables

    def _stretch(self, block: Block, at: int, window: int) -> int:
        """Return where the next look at formats may come."""
        following = window + 1
        while not self._formats.looks(following) and (following - window) * WINDOW < block.high - at:
            following += 1
        return max(min(block.cleaning.at(following * WINDOW - block.base), block.high), at + 1)

    def _learn(self, text: bytes) -> None:
        self._formats.learn(text)
        if self._formats.tables:
            self._anchors = _EVERY
        elif self._formats.literals:
            self._anchors = re.compile(b"|".join(map(re.escape, self._formats.literals)))

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
            self._row(block, begin, done, line, tables)
        self._until = max(self._until, block.first_byte(done))

    def _row(self, block: Block, start: int, end: int, line: int, tables: dict[Subject, Rows]) -> None:
        cut = line == 0 and bool(block.head)
        front = block.head if cut else block.slice(line, min(line + 256, end))
        prefix = front[: self._reader.speaker(front)[0]]
        own = start == line and not cut
        body = block.slice(start + (len(prefix) if own else 0), end)
        for source in self._formats.sources:
            known = source.book.find(body)
            if known is not None:
                layout, found = known
                row = Printed(start, end, prefix, own, None, layout, found, source.parse)
                key = (prefix, id(layout), found.group(*layout.voices) if layout.voices else None)
                subject = self._subjects.get(key)
                if subject is None:
                    subject = self._subjects[key] = self._reader.subject(prefix + body)
                break
            said = source.parse(body)
            if said is not None:
                source.book.note(body, source.parse, self._reader.subject)
                row = Printed(start, end, prefix, own, said, None, None, source.parse)
                subject = self._reader.subject(prefix + body)
                break
        else:
            return
        table = tables.get(subject)
        if table is None:
            table = tables[subject] = Rows(block, self._reader, self._ticks)
        table.add(row)


def _segment_end(block: Block, at: int) -> int:
    stop = min(at + REACH, block.top)
    line = block.data.find(b"\n", at, stop)
    line = stop if line < 0 else line
    back = block.data.find(b"\r", at, line)
    return line if back < 0 else back
