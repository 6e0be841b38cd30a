"""What one worker scans with, artifact after artifact."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from runtriage.model.artifact import Artifact
from runtriage.model.options import Options
from runtriage.model.target import ByteStream
from runtriage.scan.again import Banner, banner, pieces
from runtriage.scan.ansi import clean
from runtriage.scan.block import AHEAD, BEHIND, SIZE, Block, Place, blocks
from runtriage.scan.book import Book
from runtriage.scan.dialects import line_reader, metrics
from runtriage.scan.engine import Scanner
from runtriage.scan.formats import WINDOW, Learnt
from runtriage.scan.lesson import Lesson, read_at, text_of
from runtriage.scan.metrics import MetricFinder, Shelf, bulk_type
from runtriage.scan.passing import Passing
from runtriage.scan.result import Part, ScanResult, Zone, finish
from runtriage.scan.rules import Rules
from runtriage.scan.tail import Seekable, Tail, last_lines
from runtriage.scan.voices import Known, Voices
from runtriage.scan.workers import unpacked_size

Tell = Callable[[int, int], None]
"""Called with the bytes read since the last call and the number of events kept so far."""


_LARGE: Final = 64 << 20
_LARGE_BLOCK: Final = 4 << 20
"""Bytes read at once of an artifact of at least `_LARGE` bytes whose numbers are read: thousands of lines make numpy worth its calls."""

_LEAST_BLOCK: Final = 64 << 10
"""Bytes read at once of the smallest artifacts: clearing more memory for each of many takes longer than reading it."""

_BEFORE: Final = -1
"""The window at the front of an artifact, where windows are counted from further behind."""
_SURELY: Final = 2
"""A packed artifact holds at least its size divided by this."""
_SMALL: Final = 1 << 20
"""Bytes below which the layouts of all ranks' files are learnt together."""


class Kit:
    """Rules made ready for one thread, and the layouts learnt so far. `block` is how many bytes are read at once, `tell` hears of each block."""

    def __init__(self, rules: Rules, options: Options, block: int | None = None, tell: Tell | None = None) -> None:
        self._rules = rules
        self._options = options
        self._block = block
        self._tell = tell
        self._finder = Passing(rules.finder(), rules.rules)
        self._shelf = Shelf()
        self._learnt: tuple[Artifact | None, Learnt] = (None, {})
        """What the windows of the artifact taught of which a stretch was scanned last."""
        self._speakers: Known | None = None
        """Who speaks in that artifact, once all windows were looked at that tell."""
        self._small = Shelf(book=Book(ranks=True))

    def scan(self, stream: ByteStream, artifact: Artifact) -> ScanResult:
        """Read a stream to its end; where that fails on the way, what came before counts and `read.cut` says why."""
        last = self._options.last
        tail = last_lines(stream, last) if last else Tail(stream, 0, 0)
        front = _front(stream, tail.base) if tail.base else None
        guarded = _Guarded(tail.stream)
        scanner: Scanner | None = None
        block: Block | None = None
        first: Banner | None = None
        for whole in blocks(guarded, self._size(artifact), Place(tail.base, tail.line)):
            if scanner is None:
                sample = whole.slice(whole.low, min(whole.low + AHEAD, whole.top))
                first = banner(sample, tail.base)
                scanner = self._scanner(artifact, sample, tail.base, origin=tail.base)
                if front is not None and scanner.metrics is not None:
                    scanner.metrics.recall(_BEFORE, lambda: front)
            block = _feed(scanner, whole, first, self._tell)
        assert scanner is not None and block is not None
        scanner.end(block)
        cut = guarded.error or (f"only the last {last} lines were read" if tail.base else None)
        return self.finish(scanner.part, artifact, headless=bool(getattr(stream, "headless", False)), cut=cut)

    def part(
        self,
        stream: Seekable,
        artifact: Artifact,
        start: int,
        stop: int | None,
        zones: Mapping[Zone, int] | None = None,
        learnt: Learnt | None = None,
    ) -> Part:
        """Scan the lines that begin at `start` (where one does) or later and before `stop`. Raises OSError.

        `zones` tells which lines from there on readers have used; without it that is found out from the text just before.
        `learnt` is what windows teach that the stream cannot show.
        """
        head = read_at(stream, 0, AHEAD)
        if self._learnt[0] != artifact:
            self._learnt, self._speakers = (artifact, {}), None
        self._learnt[1].update(learnt or {})
        sample = bytes(clean(head, len(head)).data)
        first = banner(sample)
        scanner = self._scanner(artifact, sample, start, self._learnt[1])
        if scanner.metrics is not None:
            _recall(scanner.metrics, stream, start)
        self._introduce(scanner.voices, stream, start)
        context = min(start, BEHIND)
        stream.seek(start - context)
        block: Block | None = None
        for each in blocks(stream, self._size(artifact), Place(start - context, 0, context, stop)):
            if block is None and zones is not None:
                scanner.enter(zones)
            elif block is None and context:
                scanner.warm(each)
            block = _feed(scanner, each, first, self._tell)
        assert block is not None
        scanner.end(block)
        if scanner.voices.knows_all(start):
            self._speakers = scanner.voices.known
        return scanner.part

    def _introduce(self, voices: Voices, stream: Seekable, start: int) -> None:
        """Tell who speaks before a stretch."""
        if self._speakers is not None and voices.knows_all(start):
            voices.take_over(self._speakers)
            return
        for window in voices.windows(start):
            voices.recall(window, text_of(stream, window)[0])

    def prepare(self) -> None:
        """Load what reads many metric lines at once, and what it takes: processes that are forked later need not do it."""
        if self._options.metrics and bulk_type() is not None:
            self._finder.prepare()

    def lesson(self, stream: Seekable, artifact: Artifact) -> Lesson:
        """Return what learns from the windows of an artifact for all its stretches."""
        asked = self._options
        known = metrics(artifact, asked.task) if asked.metrics else None
        return Lesson(stream, known, self._finder.prepare if _is_large(artifact) else None)

    def _size(self, artifact: Artifact) -> int:
        if self._block or not _is_small(artifact):
            return self._block or (_LARGE_BLOCK if self._options.metrics and _is_large(artifact) else SIZE)
        return max(min(artifact.size or 0, SIZE), _LEAST_BLOCK)

    def finish(self, part: Part, artifact: Artifact, *, headless: bool = False, cut: str | None = None) -> ScanResult:
        """Return what other stages see of a whole artifact."""
        known = metrics(artifact, self._options.task)
        names = sorted({name for _, name in part.series})
        return finish(part, artifact, headless=headless, cut=cut, roles={name: known.role(name) for name in names})

    def _scanner(
        self,
        artifact: Artifact,
        sample: bytes | bytearray,
        start: int,
        learnt: Learnt | None = None,
        origin: int = 0,
    ) -> Scanner:
        sample = bytes(sample)
        reader = line_reader(artifact, sample)
        options = self._options
        found: MetricFinder | None = None
        if options.metrics:
            known = metrics(artifact, options.task)
            shelf = self._small if _is_small(artifact) else self._shelf
            found = MetricFinder(known, reader, shelf, large=_is_large(artifact), learnt=learnt, origin=origin)
        size = artifact.size if artifact.encoding is None else (artifact.size or 0) // _SURELY
        scanner = Scanner(artifact, self._rules, self._finder, reader, found, size, start)
        scanner.begin(sample)
        return scanner


def _is_large(artifact: Artifact) -> bool:
    return unpacked_size(artifact) >= _LARGE


def _is_small(artifact: Artifact) -> bool:
    return artifact.encoding is None and 0 < (artifact.size or 0) < _SMALL


def _feed(scanner: Scanner, block: Block, first: Banner | None, tell: Tell | None) -> Block:
    """Scan a block, in pieces where its program starts anew within it; return the last piece."""
    piece = block
    for piece, again in pieces(block, first):
        scanner.feed(piece, again=again)
    if tell is not None:
        tell(block.last_byte(block.high) - block.first_byte(block.low), len(scanner.part.fold.groups))
    return piece


def _front(stream: ByteStream, base: int) -> tuple[bytes, bool] | None:
    """Return the text at the front of an artifact of which the end is read, where it can be had: headers of tables stand there."""
    if not isinstance(stream, Seekable) or stream.size is None:
        return None
    try:
        return text_of(stream, 0)
    except OSError:
        return None
    finally:
        stream.seek(base)


def _recall(finder: MetricFinder, stream: Seekable, start: int) -> None:
    """Learn what a scan from the front would know at `start`."""
    for window in range(-(-start // WINDOW)):
        if finder.looks(window):
            finder.recall(window, partial(text_of, stream, window))


class _Guarded:
    """A stream that ends where reading it fails, and remembers why."""

    def __init__(self, stream: ByteStream) -> None:
        self._stream = stream
        self.error: str | None = None

    def readinto(self, buffer: memoryview, /) -> int:
        if self.error is not None:
            return 0
        try:
            return self._stream.readinto(buffer)
        except OSError as error:
            self.error = error.strerror or str(error) or type(error).__name__
            return 0
