"""Scans one artifact, or many."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from runtriage.model.artifact import Artifact
from runtriage.model.options import Options
from runtriage.model.target import ByteStream, Progress
from runtriage.scan.block import AHEAD, blocks
from runtriage.scan.dialects import line_reader, metrics
from runtriage.scan.dialects.cues import READERS
from runtriage.scan.engine import Scanner
from runtriage.scan.metrics import MetricFinder
from runtriage.scan.result import ScanResult, finish
from runtriage.scan.rules import Rules

Open = Callable[[Artifact], ByteStream]


def scan(
    stream: ByteStream, artifact: Artifact, rules: Rules, options: Options, progress: Progress | None = None
) -> ScanResult:
    """Read a stream to its end and return what it says. Raises OSError where reading fails."""
    size = artifact.size if artifact.encoding is None else None
    scanner: Scanner | None = None
    known = None
    for block in blocks(stream):
        if scanner is None:
            reader = line_reader(artifact, block.slice(block.low, min(block.low + AHEAD, block.top)))
            known = metrics(artifact, options.task) if options.metrics else None
            scanner = Scanner(artifact, rules, READERS, reader, MetricFinder(known) if known else None, size)
        scanner.feed(block)
        if progress is not None:
            progress.advance(scanner.part.size, size, len(scanner.part.fold.groups))
    assert scanner is not None
    names = {name for _, name in scanner.part.series}
    roles = {name: known.role(name) for name in sorted(names)} if known else {}
    return finish(scanner.part, artifact, headless=False, cut=None, roles=roles)


def scan_many(
    open: Open, artifacts: Sequence[Artifact], rules: Rules, options: Options, progress: Progress | None = None
) -> Iterator[ScanResult]:
    """Scan artifacts one after another, in the order given."""
    for artifact in artifacts:
        with open(artifact) as stream:
            yield scan(stream, artifact, rules, options, progress)
