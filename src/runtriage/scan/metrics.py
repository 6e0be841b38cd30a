"""Finds the metric lines of blocks by the literals they hold, and reads them by layout where one is known."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from functools import cache, partial
from importlib import import_module
from itertools import chain
from typing import TYPE_CHECKING, Final

from msgspec import Struct, field

from runtriage.model.pattern import deferred
from runtriage.model.subject import Subject
from runtriage.scan.block import Block
from runtriage.scan.book import Book
from runtriage.scan.contract import LineReader, Metrics
from runtriage.scan.find import REACH
from runtriage.scan.formats import WINDOW, Formats, Learnt
from runtriage.scan.layout import Layout
from runtriage.scan.table import Printed, Rows, Table
from runtriage.scan.ticks import Ticks

if TYPE_CHECKING:
    from runtriage.scan.bulk import Batch, Bulk
    from runtriage.scan.bulk_clock import Minute
    from runtriage.scan.traceback_flood import Flood

_MANY: Final = 2048
"""Lines read one by one before numpy is loaded, which takes as long as reading about so many."""
_FEW: Final = 64
"""The same for an artifact so large that many more lines will follow: as many as learning a layout or two takes."""
_FIRST: Final = 32 * 1024
"""Bytes read line by line while no line was met that tells how many are read at once."""
_RESTATES: Final = b"iteration is:\n"
"""LightGBM prints its best round once more below these words; that is no progress."""
_EVERY = deferred(rb"[^\r\n]+")


class Shelf(Struct):
    """What was learnt from some artifacts and helps with others: layouts, and for each style of prefixes which belong together."""

    book: Book = field(default_factory=Book)
    bulks: dict[Hashable, Bulk] = field(default_factory=dict["Hashable", "Bulk"])


class MetricFinder:
    """The metric lines of one artifact, block by block."""

    def __init__(
        self,
        metrics: Metrics,
        reader: LineReader,
        shelf: Shelf,
        *,
        large: bool = False,
        learnt: Learnt | None = None,
        origin: int = 0,
    ) -> None:
        """`origin` is where windows are counted from: the first byte that is read, where only the end is."""
        self._origin = origin
        self._formats = Formats(metrics, shelf.book, learnt)
        self._enough = min(_FEW, _MANY) if large else _MANY
        self._reader = reader
        self._anchors: re.Pattern[bytes] | None = None
        self._until = 0
        self._subjects: dict[tuple[bytes, int, object], Subject] = {}
        self._layouts: list[Layout] = []
        """Keeps alive what is known by its identity."""
        self._shelf = shelf
        self._bulk: Bulk | None = None
        self._own = False
        """Whether what is read many at a time is kept from other artifacts: rows of tables mean what their own header says."""
        self._ticks: dict[tuple[int, bytes], Ticks] = {}
        self._minutes: dict[tuple[int, bytes], Minute] = {}
        self.batches: list[Batch] = []
        """What was read many lines at a time in the last block."""

    def looks(self, window: int) -> bool:
        """Tell whether a scan from the front would look at a window, with what is known so far."""
        return self._formats.looks(window)

    def recall(self, window: int, text: Callable[[], tuple[bytes, bool]]) -> None:
        """Learn from a window before the stretch that is scanned: its text, and whether the artifact does not fill it."""
        self._learn(window, text)

    def read(self, block: Block, floods: Sequence[Flood] = ()) -> dict[Subject, Table]:
        """Return the metric lines of a block, by who printed them. Floods of known texts are passed over where none of them holds any."""
        single: dict[Subject, Rows] = {}
        batches: list[Batch] = []
        self.batches = batches
        at = block.low
        while at < block.high:
            window, inside = divmod(block.first_byte(at) - self._origin, WINDOW)
            end = self._stretch(block, at, window)
            if self._formats.looks(window) and inside == 0:
                self._learn(window, partial(_window, block, at, self._origin + (window + 1) * WINDOW))
            for low, high in self._outside(at, end, floods):
                batches += self._region(block, low, high, single)
            at = end
        if not batches:
            return dict(single)
        return self._joined(block, batches, single)

    def _outside(self, start: int, end: int, floods: Sequence[Flood]) -> Iterator[tuple[int, int]]:
        """Yield what is left of a stretch without the floods in which no metric line can stand."""
        literals = self._literals()
        for low, high, texts in floods:
            if high <= start or literals is None or any(each in text for text in texts for each in literals):
                continue
            if start < min(low, end):
                yield start, min(low, end)
            start = min(high, end)
        if start < end:
            yield start, end

    def _joined(self, block: Block, batches: list[Batch], single: dict[Subject, Rows]) -> dict[Subject, Table]:
        from runtriage.scan.bulk_table import BulkTable

        by_subject: dict[Subject, list[Batch]] = {}
        for batch in batches:
            key = (batch.prefix, id(batch.layout), None)
            subject = self._subjects.get(key)
            if subject is None:
                line = block.slice(int(batch.starts[0]), int(batch.ends[0]))
                subject = self._subjects[key] = self._reader.subject(line if batch.own else batch.prefix + line)
                self._layouts.append(batch.layout)
            by_subject.setdefault(subject, []).append(batch)
        tables: dict[Subject, Table] = dict(single)
        for subject, found in by_subject.items():
            tables[subject] = BulkTable(block, self._reader, self._ticks, found, single.get(subject))
        return tables

    def _stretch(self, block: Block, at: int, window: int) -> int:
        """Return where the next look at formats may come."""
        following = window + 1
        while not self._formats.looks(following) and (following - window) * WINDOW < block.high - at:
            following += 1
        return max(min(block.cleaning.at(self._origin + following * WINDOW - block.base), block.high), at + 1)

    def _learn(self, window: int, text: Callable[[], tuple[bytes, bool]]) -> None:
        self._formats.learn(window, text)
        literals = self._literals()
        if literals is None:
            self._anchors = _EVERY
        elif literals:
            self._anchors = re.compile(b"|".join(map(re.escape, literals)))

    def _literals(self) -> tuple[bytes, ...] | None:
        """Return of which literals every metric line holds one; None where rows of aligned columns hold none of their own."""
        marks = self._formats.marks
        return None if marks is None else (*self._formats.literals, *marks)

    def _region(self, block: Block, start: int, end: int, single: dict[Subject, Rows]) -> list[Batch]:
        """Read the lines whose anchors lie in [start, end), one by one or, of a long artifact, many at a time."""
        if self._anchors is None:
            return []
        done = max(start, block.cleaning.at(max(self._until - block.base, 0)))
        bulk = self._bulk_reader()
        literals = self._literals()
        while done < end and (bulk is None or not bulk.ready or literals is None or not bulk.worth(block, end - done)):
            stop = end if literals is None or (bulk is not None and bulk.ready) else min(done + _FIRST, end)
            self._read_single(block, self._places(block, done, stop, end), single)
            done = max(stop, block.cleaning.at(max(self._until - block.base, 0)))
            bulk = self._bulk_reader()
        if bulk is None or literals is None or done >= end:
            return []
        harvest = bulk.harvest(block, done, end, literals, self._minute)
        left = (self._places(block, low, high, end) for low, high in harvest.left)
        self._read_single(block, chain.from_iterable(left), single)
        if harvest.batches:
            self._until = max(self._until, *(block.first_byte(int(batch.ends[-1])) for batch in harvest.batches))
        return harvest.batches

    def _minute(self, layout: Layout, prefix: bytes) -> Minute | None:
        """Return where lines of a prefix and layout print their time, if that is known."""
        from runtriage.scan.bulk_clock import Minute

        key = (id(layout), prefix)
        if key not in self._minutes:
            ticks = self._ticks.get(key)
            if ticks is None or ticks.place is None:
                return None
            self._minutes[key] = Minute(ticks.form, ticks.place)
        return self._minutes[key]

    def _bulk_reader(self) -> Bulk | None:
        """Return the reader of many lines once enough were read one by one to make its start worth while."""
        if self._formats.tables and not self._own:
            self._bulk, self._own = None, True
        if self._bulk is None and self._shelf.book.rows >= self._enough and (make := bulk_type()) is not None:
            bulk = make(self._reader)
            self._bulk = bulk if self._own else self._shelf.bulks.setdefault(self._reader.style, bulk)
        return self._bulk

    def _places(self, block: Block, start: int, stop: int, end: int) -> Iterator[int]:
        """Yield where anchors are that begin in [start, stop) and before `end`."""
        assert self._anchors is not None
        for found in self._anchors.finditer(block.data, start, min(stop + 64, block.top)):
            if found.start() >= min(stop, end):
                return
            yield found.start()

    def _read_single(self, block: Block, places: Iterable[int], single: dict[Subject, Rows]) -> None:
        data, done, seen, line = block.data, 0, 0, 0
        for place in places:
            if place < done:
                continue
            seen, line = place, data.rfind(b"\n", seen, place) + 1 or line
            if data[max(line - len(_RESTATES), 0) : line] == _RESTATES:
                continue
            begin = max(data.rfind(b"\r", max(line, place - REACH), place) + 1, line, place - REACH)
            done = _segment_end(block, place)
            self._row(block, begin, done, line, single)
        self._until = max(self._until, block.first_byte(done))

    def _row(self, block: Block, start: int, end: int, line: int, single: dict[Subject, Rows]) -> None:
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
                    self._layouts.append(layout)
                if self._bulk is not None:
                    self._bulk.meet(row)
                break
            said = source.parse(body)
            if said is not None:
                source.book.note(body, source.parse, self._reader.subject)
                row = Printed(start, end, prefix, own, said, None, None, source.parse)
                subject = self._reader.subject(prefix + body)
                break
        else:
            return
        self._shelf.book.rows += 1
        table = single.get(subject)
        if table is None:
            table = single[subject] = Rows(block, self._reader, self._ticks)
        table.add(row)


@cache
def bulk_type() -> type[Bulk] | None:
    """Return what reads many lines at once; None where numpy is missing, or older than 2.0."""
    try:
        if not hasattr(import_module("numpy"), "bitwise_count"):
            return None
    except ImportError:
        return None
    from runtriage.scan.bulk import Bulk

    return Bulk


def _window(block: Block, at: int, until: int) -> tuple[bytes, bool]:
    """Return the text of a window that begins in a block, up to an offset in the artifact, and whether the artifact ends in it."""
    stop = block.cleaning.at(until - block.base)
    return block.slice(at, min(stop, block.top)), block.last_byte(block.top) < until


def _segment_end(block: Block, at: int) -> int:
    stop = min(at + REACH, block.top)
    line = block.data.find(b"\n", at, stop)
    line = stop if line < 0 else line
    back = block.data.find(b"\r", at, line)
    return line if back < 0 else back
