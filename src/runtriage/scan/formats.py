"""Which lines of an artifact may hold metrics, and who reads them: learnt at fixed places, whatever the blocks are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from msgspec import Struct

from runtriage.model.pattern import deferred
from runtriage.scan.block import AHEAD
from runtriage.scan.book import Book
from runtriage.scan.contract import Dialect, MetricLine, Metrics
from runtriage.scan.layout import Parse
from runtriage.scan.shape import few_of_each_shape

WINDOW: Final = AHEAD
"""Bytes that are looked at to learn formats."""
EAGER: Final = 16
"""Windows at the front of an artifact in which formats are looked for while none is known."""
_FAR: Final = 1024
"""Windows between two looks, at most; the distance doubles up to that."""
_LINES = deferred(rb"[\r\n]+")

Learnt = dict[int, Sequence[Dialect]]
"""What each window of an artifact teaches."""


_MARKED, _MARKS = "csv", (b",", b"\t")
"""The dialects of tables whose rows hold one of the marks."""


class Source(Struct, frozen=True):
    """A reference reader of lines, and the layouts learnt from it."""

    parse: Parse
    book: Book


class Formats:
    """The dialects of one artifact. Those with anchors agree on every line; a table's rows mean what its own header says."""

    def __init__(self, metrics: Metrics, book: Book, learnt: Learnt | None = None) -> None:
        self._metrics = metrics
        self._learnt: Learnt = {} if learnt is None else learnt
        self._book = book
        self._dialects: list[Dialect] = []
        self.literals: tuple[bytes, ...] = ()
        """Every metric line outside tables holds one of these."""
        self.tables = False
        self.marks: tuple[bytes, ...] | None = ()
        """What stands between the columns of every table's rows; None where there are only blanks."""
        self.sources: list[Source] = []

    def looks(self, window: int) -> bool:
        """Tell whether formats are looked for in a window: the first ones, then at doubling distance."""
        if window < EAGER:
            return window == 0 or not self._dialects
        return window % _FAR == 0 or (window & (window - 1)) == 0

    def learn(self, window: int, text: Callable[[], tuple[bytes, bool]]) -> None:
        """Learn from one window: its text, and whether its artifact does not fill it.

        Unless it is the first or last of its artifact, the lines at its ends are cut and do not count.
        """
        learnt = self._learnt.get(window)
        if learnt is None:
            words, last = text()
            lines = _LINES.split(words)[window > 0 : None if last else -1]
            learnt = self._metrics.learn(few_of_each_shape(lines), lines)
            self._learnt[window] = learnt
        self._take(learnt)

    def _take(self, learnt: Sequence[Dialect]) -> None:
        anchors = {dialect.anchors for dialect in self._dialects if dialect.anchors}
        found = [
            each for each in learnt if each not in self._dialects and (not each.anchors or each.anchors not in anchors)
        ]
        if not found:
            return
        self._dialects.extend(found)
        tables = [dialect for dialect in self._dialects if not dialect.anchors]
        known = {id(source.parse): source for source in self.sources}
        self.sources = [known.get(id(each.parse)) or Source(each.parse, Book()) for each in tables]
        anchored = [dialect for dialect in self._dialects if dialect.anchors]
        if anchored:
            self.sources.append(Source(anchored[0].parse, self._book))
        self.tables = bool(tables)
        aligned = any(each.name != _MARKED for each in tables)
        self.marks = None if aligned else _MARKS if tables else ()
        self.literals = tuple(sorted({anchor for dialect in anchored for anchor in dialect.anchors}))


def read(sources: Sequence[Source], body: bytes) -> tuple[MetricLine, Source] | None:
    """Return what the first reader that takes a line makes of it."""
    for source in sources:
        said = source.parse(body)
        if said is not None:
            return said, source
    return None
