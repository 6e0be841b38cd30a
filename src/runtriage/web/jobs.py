"""Diagnoses of uploads, one after the other beside the pages."""

from __future__ import annotations

import contextlib
import secrets
import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from types import TracebackType
from typing import BinaryIO, Final, NamedTuple, Self

from msgspec import Struct
from msgspec.structs import replace

from runtriage.api.watch import StoppedError, Watch
from runtriage.model.artifact import Artifact, Outcome, Request
from runtriage.model.report import Report
from runtriage.model.target import ByteStream, Progress
from runtriage.targets.errors import TargetError
from runtriage.targets.together import OpenTarget

_WAITING: Final = 8
"""Uploads that may wait; one more is refused."""
_REMEMBERED: Final = 200
_SECONDS: Final = 1800.0
"""What one upload may take: a small packed file may unpack to more than anyone wants to wait for."""
_LOOSE: Final = 20
"""Reports that no history took and that are held here instead, the latest ones."""


class Diagnosed(NamedTuple):
    """A report, and in one line why the history does not hold it, None where it does."""

    report: Report
    fault: str | None = None


Diagnose = Callable[["Named", Progress], Diagnosed]


class BusyError(Exception):
    """Too many uploads are waiting."""


class Job(Struct):
    """One upload: `state` is waiting, reading, done or failed; `run` is the id of its diagnosis, `fault` why there is none.

    Where the history could not keep it, `report` is the diagnosis and `warning` says why.
    """

    id: str
    name: str
    size: int
    state: str = "waiting"
    read: int = 0
    found: int = 0
    run: str | None = None
    fault: str | None = None
    warning: str | None = None
    report: Report | None = None

    def advance(self, read: int, total: int | None, findings: int) -> None:
        """Take in how far reading has come."""
        self.read, self.found = max(read, self.read), findings


class Named:
    """A target under the name its sender gave it."""

    def __init__(self, inner: OpenTarget, label: str) -> None:
        self._inner = inner
        self.label = label

    def first_requests(self) -> Sequence[Request]:
        """What to read first."""
        return self._inner.first_requests()

    def collect(self, request: Request) -> Outcome:
        """Answer one request."""
        return self._inner.collect(request)

    def open(self, artifact: Artifact) -> ByteStream:
        """Open what was sent. Raises OSError."""
        return self._inner.open(artifact)

    def __enter__(self) -> Self:
        self._inner.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None:
        self._inner.__exit__(kind, error, trace)


class Jobs:
    """Takes uploads and diagnoses them in the order in which they came."""

    def __init__(self, diagnose: Diagnose) -> None:
        self._diagnose = diagnose
        self._jobs: OrderedDict[str, Job] = OrderedDict()
        self._lock = threading.Lock()
        self._watch: Watch | None = None
        self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="diagnosis")

    def submit(self, stream: BinaryIO, name: str, size: int) -> Job:
        """Take an upload, whose stream is closed when it was read. Raises `BusyError`."""
        with self._lock:
            if sum(job.state in {"waiting", "reading"} for job in self._jobs.values()) >= _WAITING:
                raise BusyError
            job = Job(secrets.token_hex(8), name, size)
            self._jobs[job.id] = job
            while len(self._jobs) > _REMEMBERED:
                self._jobs.popitem(last=False)
        self._pool.submit(self._run, job, stream)
        return job

    def get(self, identity: str) -> Job | None:
        """Return a job by its id as it stands: what the thread that reads changes later does not change what is shown."""
        job = self._jobs.get(identity)
        return None if job is None else replace(job)

    def close(self) -> None:
        """End what runs and drop what waits."""
        if self._watch is not None:
            self._watch.stopped = True
        self._pool.shutdown(wait=True, cancel_futures=True)

    def _run(self, job: Job, stream: BinaryIO) -> None:
        from runtriage.targets import resolve

        job.state = "reading"
        self._watch = watch = Watch(_SECONDS, further=job)
        try:
            with contextlib.closing(stream), Named(resolve(["-"], stream), f"upload:{job.name}") as target:
                self._answered(job, self._diagnose(target, watch))
            job.state = "done"
        except StoppedError:
            job.fault, job.state = (
                f"it took longer than {_SECONDS / 60:g} minutes; give it to runtriage itself",
                "failed",
            )
        except TargetError as error:
            job.fault, job.state = str(error).removeprefix("standard input").strip(" :"), "failed"
        except OSError as error:
            job.fault, job.state = str(error), "failed"
        except Exception as error:  # noqa: BLE001 - an upload must not end the thread that reads all of them
            job.fault, job.state = f"internal fault ({type(error).__name__})", "failed"

    def _answered(self, job: Job, found: Diagnosed) -> None:
        if found.fault is None:
            job.run = found.report.run_id
            return
        job.report, job.warning = found.report, found.fault
        loose = [each for each in list(self._jobs.values()) if each.report is not None]
        for each in loose[:-_LOOSE]:
            each.report = None
