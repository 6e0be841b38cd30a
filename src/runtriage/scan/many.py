"""Scans many artifacts, or stretches of large ones, on all cores; results are the same as one after another."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, NamedTuple

from runtriage.model.artifact import Artifact, Read
from runtriage.model.options import Options
from runtriage.model.target import Progress
from runtriage.scan.join import join
from runtriage.scan.kit import Kit
from runtriage.scan.result import Part, ScanResult, Zone
from runtriage.scan.rules import Rules
from runtriage.scan.tail import Seekable
from runtriage.scan.workers import Open, forked, in_order, may_fork, worth

if TYPE_CHECKING:
    from concurrent.futures import Future

_STRETCH: Final = 32 << 20
"""Least bytes of one stretch of a large artifact."""
_BATCH: Final = 8 << 20
"""Bytes of small artifacts that one worker is given at once."""


class _Stretch(NamedTuple):
    """Lines of one artifact that begin in [start, stop); None is the end."""

    artifact: Artifact
    start: int
    stop: int | None


class _Whole(NamedTuple):
    """Artifacts that are scanned whole."""

    artifacts: tuple[Artifact, ...]


_Task = _Stretch | _Whole
_Submit = Callable[[_Task], "Future[list[ScanResult] | Part]"]


class _Work:
    """What workers share; each makes its own kit."""

    def __init__(self, open: Open, rules: Rules, options: Options) -> None:
        self._open = open
        self._rules = rules
        self._options = options
        self._own = threading.local()

    @property
    def kit(self) -> Kit:
        """The kit of the thread that asks."""
        kit: Kit | None = getattr(self._own, "kit", None)
        if kit is None:
            kit = self._own.kit = Kit(self._rules, self._options)
        return kit

    def do(self, task: _Task) -> list[ScanResult] | Part:
        """Do one task. A stretch raises OSError; an artifact that cannot be opened becomes a result that says so."""
        if isinstance(task, _Whole):
            return [self.scan(artifact) for artifact in task.artifacts]
        return self._part(task)

    def _part(self, task: _Stretch, zones: Mapping[Zone, int] | None = None) -> Part:
        with self._open(task.artifact) as stream:
            if not isinstance(stream, Seekable):
                raise OSError("the artifact cannot be read from the middle any more")
            return self.kit.part(stream, task.artifact, task.start, task.stop, zones)

    def behind(self, whole: Part, part: Part, task: _Stretch) -> Part:
        """Return a stretch as it reads behind all before it: once more where it could not tell what readers of theirs had used of it."""
        return part if part.entered == whole.left else self._part(task, whole.left)

    def scan(self, artifact: Artifact, tell: Callable[[int, int], None] | None = None) -> ScanResult:
        """Scan one artifact."""
        try:
            with self._open(artifact) as stream:
                return self.kit.scan(stream, artifact, tell)
        except OSError as error:
            reason = error.strerror or str(error) or type(error).__name__
            read = Read(artifact=artifact, bytes_read=0, cut=reason)
            return ScanResult(events=[], series=[], progress=[], frameworks=[], world_size=None, read=read)


def scan_many(
    open: Open, artifacts: Sequence[Artifact], rules: Rules, options: Options, progress: Progress | None = None
) -> Iterator[ScanResult]:
    """Scan artifacts and yield their results in the order given."""
    meter = _Meter(progress, artifacts)
    work = _Work(open, rules, options)
    workers = _workers(open, artifacts, options)
    if workers < 2:
        for artifact in artifacts:
            yield work.scan(artifact, meter.tell)
        return
    tasks = _tasks(open, artifacts, options, workers)
    with _pool(work, workers, options) as submit:
        yield from _joined(work, meter, in_order(submit, tasks, 4 * workers))


def _joined(work: _Work, meter: _Meter, done: Iterator[tuple[_Task, list[ScanResult] | Part]]) -> Iterator[ScanResult]:
    """Yield whole artifacts as they come and put stretches together."""
    whole: Part | None = None
    for task, result in done:
        if isinstance(result, list):
            for each in result:
                meter.tell(each.read.bytes_read, len(each.events))
                yield each
            continue
        assert isinstance(task, _Stretch)
        if whole is None:
            whole = result
        else:
            join(whole, work.behind(whole, result, task))
        meter.tell((task.stop or result.size) - task.start, len(whole.fold.groups))
        if task.stop is None:
            yield work.kit.finish(whole, task.artifact)
            whole = None


def _workers(open: Open, artifacts: Sequence[Artifact], options: Options) -> int:
    """Return how many workers are worth their start; the end of one artifact, or a packed one, is read by one."""
    if len(artifacts) == 1 and (options.last or artifacts[0].encoding):
        return 1
    return worth(open, artifacts, options.workers)


def _tasks(open: Open, artifacts: Sequence[Artifact], options: Options, workers: int) -> Iterator[_Task]:
    batch: list[Artifact] = []
    size = 0
    for artifact in artifacts:
        cuts = [] if options.last or artifact.encoding else _cuts(open, artifact, workers)
        if cuts and batch:
            yield _Whole(tuple(batch))
            batch, size = [], 0
        if cuts:
            yield from (_Stretch(artifact, *pair) for pair in zip([0, *cuts], [*cuts, None], strict=True))
            continue
        batch.append(artifact)
        size += artifact.size or 0
        if size >= _BATCH:
            yield _Whole(tuple(batch))
            batch, size = [], 0
    if batch:
        yield _Whole(tuple(batch))


def _cuts(open: Open, artifact: Artifact, workers: int) -> list[int]:
    """Return the beginnings of lines at which a large artifact is cut; none when it is not worth it."""
    pieces = min((artifact.size or 0) // _STRETCH, 2 * workers)
    if pieces < 2:
        return []
    try:
        with open(artifact) as stream:
            if not isinstance(stream, Seekable) or stream.size is None:
                return []
            size = stream.size
            cuts = {line_from(stream, size * piece // pieces) for piece in range(1, pieces)}
    except OSError:
        return []
    return sorted(cut for cut in cuts if cut < size)


def line_from(stream: Seekable, offset: int) -> int:
    """Return where the first line begins that does at an offset or behind it, or the end of the artifact."""
    stream.seek(offset - 1)
    at, buffer = offset - 1, bytearray(256 * 1024)
    while count := stream.readinto(memoryview(buffer)):
        line = buffer.find(b"\n", 0, count)
        if line >= 0:
            return at + line + 1
        at += count
    return at


@contextmanager
def _pool(work: _Work, workers: int, options: Options) -> Generator[_Submit]:
    """Start threads, which scan side by side, or processes where numbers are read, which threads would do in turn."""
    if options.metrics and may_fork():
        with forked(work.do, workers) as submit:
            yield submit
        return
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(workers, thread_name_prefix="runtriage-scan") as threads:
        yield lambda task: threads.submit(work.do, task)


class _Meter:
    """Sums up what workers read for whoever watches."""

    def __init__(self, progress: Progress | None, artifacts: Sequence[Artifact]) -> None:
        self._progress = progress
        sizes = [artifact.size for artifact in artifacts if artifact.encoding is None]
        self._total = sum(size for size in sizes if size is not None) if len(sizes) == len(artifacts) else None
        self._read = 0

    def tell(self, read: int, findings: int) -> None:
        """Take note of bytes that were read."""
        self._read += read
        if self._progress is not None:
            self._progress.advance(self._read, self._total, findings)
