"""Scans one artifact, or many."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from runtriage.model.artifact import Artifact
from runtriage.model.options import Options
from runtriage.model.target import ByteStream, Progress
from runtriage.scan.block import AHEAD, SIZE, Block, blocks
from runtriage.scan.book import Book
from runtriage.scan.contract import Metrics
from runtriage.scan.dialects import line_reader, metrics
from runtriage.scan.dialects.cues import READERS
from runtriage.scan.engine import Scanner
from runtriage.scan.metrics import MetricFinder
from runtriage.scan.result import ScanResult, finish
from runtriage.scan.rules import Rules
from runtriage.scan.tail import Tail, last_lines

Open = Callable[[Artifact], ByteStream]


def scan(
    stream: ByteStream,
    artifact: Artifact,
    rules: Rules,
    options: Options,
    progress: Progress | None = None,
    *,
    block: int = SIZE,
) -> ScanResult:
    """Read a stream to its end and return what it says; results do not depend on `block`, the bytes read at once.

    Where reading fails on the way, what came before counts and `read.cut` says why it ends. A stream with a true attribute
    `headless` begins at an unknown place of its artifact.
    """
    known = metrics(artifact, options.task) if options.metrics else None
    size = artifact.size if artifact.encoding is None else None
    tail = last_lines(stream, options.last) if options.last else Tail(stream, 0, 0)
    guarded = _Guarded(tail.stream)
    scanner: Scanner | None = None
    for each in blocks(guarded, block, tail.base, tail.line):
        scanner = scanner or _scanner(artifact, rules, known, size, each)
        scanner.feed(each)
        if progress is not None:
            progress.advance(scanner.part.size, size, len(scanner.part.fold.groups))
    assert scanner is not None
    cut = guarded.error or (f"only the last {options.last} lines were read" if tail.base else None)
    names = sorted({name for _, name in scanner.part.series})
    roles = {name: known.role(name) for name in names} if known else {}
    return finish(scanner.part, artifact, headless=bool(getattr(stream, "headless", False)), cut=cut, roles=roles)


def _scanner(artifact: Artifact, rules: Rules, known: Metrics | None, size: int | None, first: Block) -> Scanner:
    reader = line_reader(artifact, first.slice(first.low, min(first.low + AHEAD, first.top)))
    finder = MetricFinder(known, reader, Book()) if known else None
    return Scanner(artifact, rules, READERS, reader, finder, size)


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


def scan_many(
    open: Open, artifacts: Sequence[Artifact], rules: Rules, options: Options, progress: Progress | None = None
) -> Iterator[ScanResult]:
    """Scan artifacts one after another, in the order given."""
    for artifact in artifacts:
        with open(artifact) as stream:
            yield scan(stream, artifact, rules, options, progress)
