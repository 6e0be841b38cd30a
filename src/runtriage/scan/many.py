"""Scans many artifacts, or stretches of large ones, on all cores; results are the same as one after another."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import chain, islice
from typing import TYPE_CHECKING, Final, NamedTuple

from msgspec import Struct

from runtriage.model.artifact import Artifact, Read
from runtriage.model.options import Options
from runtriage.model.target import ByteStream, Progress
from runtriage.scan.dialects import metrics
from runtriage.scan.formats import Learnt
from runtriage.scan.gauge import Gauge
from runtriage.scan.join import join
from runtriage.scan.kit import Kit, Tell
from runtriage.scan.packed import Piece, Ring
from runtriage.scan.result import Part, ScanResult, Zone
from runtriage.scan.rules import Rules
from runtriage.scan.tail import Seekable
from runtriage.scan.workers import Open, forked, in_order, may_fork, unpacked_size, work_of, worth

if TYPE_CHECKING:
    from concurrent.futures import Future

_STRETCH: Final = 32 << 20
"""Least bytes of one stretch of a large artifact."""
_EVEN: Final = 2
"""How many times as long stretches are worth what they cost to begin so that each worker has two: the work of halves is seldom even."""
_BATCH: Final = 8 << 20
"""Bytes of small artifacts, and what each takes besides, that one worker is given at once."""


class _Stretch(NamedTuple):
    """Lines of one artifact that begin in [start, stop); None is the end. `learnt` is what its windows up to there teach."""

    artifact: Artifact
    start: int
    stop: int | None
    learnt: Learnt


class _Whole(Struct, frozen=True):
    """Artifacts that are scanned whole."""

    artifacts: tuple[Artifact, ...]


_Task = _Stretch | _Whole | Piece
_Submit = Callable[[_Task], "Future[list[ScanResult] | Part]"]


class _Work:
    """What workers share; each makes its own kit."""

    def __init__(self, open: Open, rules: Rules, options: Options, tell: Tell | None) -> None:
        self._open = open
        self._rules = rules
        self._options = options
        self._tell = tell
        self._own = threading.local()
        self.ring: Ring | None = None
        """Where stretches of packed artifacts lie, if any are cut."""

    @property
    def kit(self) -> Kit:
        """The kit of the thread that asks."""
        kit: Kit | None = getattr(self._own, "kit", None)
        if kit is None:
            kit = self._own.kit = Kit(self._rules, self._options, tell=self._tell)
        return kit

    def do(self, task: _Task) -> list[ScanResult] | Part:
        """Do one task. A stretch raises OSError; an artifact that cannot be opened becomes a result that says so."""
        if isinstance(task, _Whole):
            return [self.scan(artifact) for artifact in task.artifacts]
        return self.part(task)

    def part(self, task: _Stretch | Piece, zones: Mapping[Zone, int] | None = None) -> Part:
        """Scan a stretch; `zones` tells which of its lines readers have used."""
        if isinstance(task, Piece):
            assert self.ring is not None
            with self.ring.stream(task) as stored:
                return self.kit.part(stored, task.artifact, task.start, task.stop, zones, task.learnt)
        with self._open(task.artifact) as stream:
            if not isinstance(stream, Seekable):
                raise OSError("the artifact cannot be read from the middle any more")
            return self.kit.part(stream, task.artifact, task.start, task.stop, zones, task.learnt)

    def pieces(self, artifact: Artifact) -> Iterator[_Task]:
        """Yield the stretches of a packed artifact while it is unpacked; none where it cannot be opened."""
        assert self.ring is not None
        try:
            stream = self._open(artifact)
        except OSError:
            return
        asked = self._options
        yield from self.ring.pieces(stream, artifact, metrics(artifact, asked.task) if asked.metrics else None)

    def stretches(self, artifact: Artifact, workers: int) -> Iterator[_Task]:
        """Yield the stretches of a large artifact; none where it is scanned whole. What their windows teach is learnt once for all."""
        if self._options.last or artifact.encoding or (artifact.size or 0) < 2 * _STRETCH:
            return
        try:
            stream = self._open(artifact)
        except OSError:
            return
        with stream:
            cuts = _cuts(stream, artifact, workers)
            if not cuts or not isinstance(stream, Seekable):
                return
            lesson = self.kit.lesson(stream, artifact)
            for start, stop in zip([0, *cuts], [*cuts, artifact.size or 0], strict=True):
                learnt = lesson.learn(start, stop)
                yield _Stretch(artifact, start, stop if stop in cuts else None, learnt)

    def behind(self, whole: Part, part: Part, task: _Stretch | Piece) -> Part:
        """Return a stretch as it reads behind all before it: once more where it could not tell what readers of theirs had used of it."""
        return part if part.entered == whole.left else self.part(task, whole.left)

    def scan(self, artifact: Artifact) -> ScanResult:
        """Scan one artifact."""
        try:
            with self._open(artifact) as stream:
                return self.kit.scan(stream, artifact)
        except OSError as error:
            reason = error.strerror or str(error) or type(error).__name__
            read = Read(artifact=artifact, bytes_read=0, cut=reason)
            return ScanResult(events=[], series=[], progress=[], frameworks=[], world_size=None, read=read)


def scan_many(
    open: Open, artifacts: Sequence[Artifact], rules: Rules, options: Options, progress: Progress | None = None
) -> Iterator[ScanResult]:
    """Scan artifacts and yield their results in the order given."""
    meter = _Meter(progress, artifacts)
    workers = _workers(open, artifacts, options)
    if workers < 2:
        alone = _Work(open, rules, options, meter.tell)
        yield from map(alone.scan, artifacts)
        return
    gauge = None if progress is None else Gauge()
    work = _Work(open, rules, options, None if gauge is None else gauge.add)
    packed = _packed(artifacts, options, workers)
    ahead = workers + 1 if packed else 4 * workers
    work.ring = Ring(ahead) if packed else None
    tasks = _tasks(work, artifacts, workers, packed)
    # the first stretch of a plain log is planned before processes are forked: they inherit what that takes; unpacking starts threads
    first = [] if packed else list(islice(tasks, 1))
    if packed:
        work.kit.prepare()
    with _pool(work, workers, options) as submit:
        look = None if gauge is None else lambda: meter.look(gauge.take())
        yield from _joined(work, meter, in_order(_sparing(submit), chain(first, tasks), ahead, look))


def _sparing(submit: _Submit) -> _Submit:
    """Return what submits all tasks but those that cannot be sent."""
    from concurrent.futures import Future

    def spared(task: _Task) -> Future[list[ScanResult] | Part]:
        if not isinstance(task, Piece) or task.rest is None:
            return submit(task)
        nothing: Future[list[ScanResult] | Part] = Future()
        nothing.set_result([])
        return nothing

    return spared


def _joined(work: _Work, meter: _Meter, done: Iterator[tuple[_Task, list[ScanResult] | Part]]) -> Iterator[ScanResult]:
    """Yield whole artifacts as they come and put stretches together."""
    whole: Part | None = None
    for task, result in done:
        if isinstance(task, _Whole):
            assert isinstance(result, list)
            for each in result:
                meter.tell(each.read.bytes_read, len(each.events))
                yield each
            continue
        if isinstance(result, list):
            result = work.part(task, whole.left if whole is not None else None)
        if whole is None:
            whole = result
        else:
            join(whole, work.behind(whole, result, task))
        meter.tell((task.stop or result.size) - task.start, len(whole.fold.groups))
        if task.stop is None:
            yield work.kit.finish(whole, task.artifact, cut=task.cut if isinstance(task, Piece) else None)
            whole = None


def _workers(open: Open, artifacts: Sequence[Artifact], options: Options) -> int:
    """Return how many workers are worth their start; the end of one artifact is read by one."""
    return 1 if len(artifacts) == 1 and options.last else worth(open, artifacts, options.workers)


def _packed(artifacts: Sequence[Artifact], options: Options, workers: int) -> frozenset[str]:
    """Return the packed artifacts that are cut; where there are many, each worker unpacks its own."""
    found = [each.path for each in artifacts if each.encoding and unpacked_size(each) >= _STRETCH and not options.last]
    return frozenset(found) if len(found) <= 2 * workers else frozenset()


def _tasks(work: _Work, artifacts: Sequence[Artifact], workers: int, packed: frozenset[str]) -> Iterator[_Task]:
    batch: list[Artifact] = []
    size = 0
    for artifact in artifacts:
        cut = work.pieces(artifact) if artifact.path in packed else work.stretches(artifact, workers)
        first = next(cut, None)
        if batch and (first is not None or size >= _BATCH):
            yield _Whole(tuple(batch))
            batch, size = [], 0
        if first is not None:
            yield first
            yield from cut
            continue
        batch.append(artifact)
        size += work_of(artifact)
    if batch:
        yield _Whole(tuple(batch))


def _cuts(stream: ByteStream, artifact: Artifact, workers: int) -> list[int]:
    """Return the beginnings of lines at which a large artifact is cut; none when it is not worth it."""
    even = (artifact.size or 0) // (2 * workers) >= _EVEN * _STRETCH
    pieces = min((artifact.size or 0) // _STRETCH, 2 * workers if even else workers)
    if pieces < 2 or not isinstance(stream, Seekable) or stream.size is None:
        return []
    size = stream.size
    try:
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
        self._seen, self._findings = 0, 0
        """Bytes of which workers tell while they are at them."""

    def tell(self, read: int, findings: int) -> None:
        """Take note of bytes that were read."""
        self._read, self._findings = self._read + read, findings
        self._show()

    def look(self, read: int) -> None:
        """Take note of bytes of artifacts, or stretches, that are not done yet; some may be read twice."""
        self._seen += read
        self._show()

    def _show(self) -> None:
        if self._progress is not None:
            seen = self._seen if self._total is None else min(self._seen, self._total)
            self._progress.advance(max(self._read, seen), self._total, self._findings)
