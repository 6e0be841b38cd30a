"""Worker processes on this machine. A worker that dies or takes too long costs its present run at most one repetition."""

from __future__ import annotations

import sys
import threading
import time
from collections import deque
from collections.abc import Iterator
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Final

from msgspec import Struct, field

from runtriage.api.prepared import prepare
from runtriage.fleet.row import tool_failed
from runtriage.fleet.runs import Run
from runtriage.fleet.task import Done, Settings, Task
from runtriage.fleet.worker import asked, serve, unpacked
from runtriage.model.target import Cache

_AHEAD: Final = 2
"""Runs a worker holds at once: the one it is at, and the one that keeps it from waiting."""
_TRIES: Final = 2
"""How many workers may die with a run before it counts as what killed them."""
_PATIENCE: Final = 5.0


class _Worker(Struct):
    process: BaseProcess
    pipe: Connection
    runs: deque[Run] = field(default_factory=deque[Run])
    since: float = 0.0


class Pool:
    """A fixed number of workers; `seconds` is what one run may take, `memory` the address space of a worker in bytes."""

    def __init__(
        self, settings: Settings, workers: int, seconds: float, memory: int | None, cache: Cache | None
    ) -> None:
        self._count = workers
        self._seconds = seconds
        self._memory = memory
        self._settings = settings
        self._task = Task(settings, cache) if _may_fork() else None
        if self._task is None:
            prepare(settings.signatures, cache)  # says here, once, which signatures are left out: workers keep silent
        self._workers: list[_Worker] = []
        self._again: deque[Run] = deque()
        self._deaths: dict[str, int] = {}

    def done(self, runs: Iterator[Run]) -> Iterator[Done]:
        """Yield what became of each run, as they finish."""
        try:
            for _ in range(self._count):
                self._start()
            while self._feed(runs):
                yield from self._next()
        finally:
            self._stop()

    def _start(self) -> None:
        task = self._task if _may_fork() else None
        context = get_context("fork") if task is not None else get_context("spawn")
        mine, theirs = context.Pipe()
        others = [mine, *(worker.pipe for worker in self._workers)] if task is not None else []
        process = context.Process(
            target=serve, args=(task or self._settings, theirs, others, self._memory), daemon=True
        )
        process.start()
        theirs.close()
        self._workers.append(_Worker(process, mine))

    def _feed(self, runs: Iterator[Run]) -> bool:
        """Hand out runs; tell whether any is under way."""
        for worker in sorted(self._workers, key=lambda each: len(each.runs)):
            while len(worker.runs) < _AHEAD:
                run = self._again.popleft() if self._again else next(runs, None)
                if run is None:
                    break
                if not worker.runs:
                    worker.since = time.monotonic()
                worker.runs.append(run)
                try:
                    worker.pipe.send_bytes(asked(run))
                except OSError:
                    break
        return any(worker.runs for worker in self._workers)

    def _next(self) -> Iterator[Done]:
        busy = [worker for worker in self._workers if worker.runs]
        now = time.monotonic()
        left = min(worker.since + self._seconds - now for worker in busy)
        ready = wait([worker.pipe for worker in busy], timeout=max(left, 0.0))
        for worker in busy:
            if worker.pipe in ready:
                yield from self._answer(worker)
            elif time.monotonic() - worker.since >= self._seconds:
                yield self._too_slow(worker)

    def _answer(self, worker: _Worker) -> Iterator[Done]:
        try:
            done = unpacked(worker.pipe.recv_bytes())
        except (EOFError, OSError):
            yield from self._died(worker)
            return
        run = worker.runs.popleft()
        self._deaths.pop(run.key, None)
        worker.since = time.monotonic()
        yield done

    def _died(self, worker: _Worker) -> Iterator[Done]:
        run = worker.runs.popleft()
        self._replace(worker)
        deaths = self._deaths[run.key] = self._deaths.get(run.key, 0) + 1
        if deaths < _TRIES:
            self._again.appendleft(run)
            return
        del self._deaths[run.key]
        yield Done(tool_failed(run, f"{deaths} workers died with it ({_ending(worker.process)})"))

    def _too_slow(self, worker: _Worker) -> Done:
        run = worker.runs.popleft()
        worker.process.kill()
        self._replace(worker)
        return Done(tool_failed(run, f"took longer than {self._seconds:g} s"))

    def _replace(self, worker: _Worker) -> None:
        """Give the runs that a worker had not begun to others, and start one in its place."""
        self._again.extend(worker.runs)
        worker.process.join(_PATIENCE)
        worker.pipe.close()
        self._workers.remove(worker)
        self._start()

    def _stop(self) -> None:
        for worker in self._workers:
            worker.pipe.close()
            if worker.runs:
                worker.process.kill()
        for worker in self._workers:
            worker.process.join(_PATIENCE)


def _may_fork() -> bool:
    """Tell whether a copy of this process would work: threads, also those of a library for object storage, are not copied."""
    return sys.platform == "linux" and threading.active_count() == 1 and "obstore" not in sys.modules


def _ending(process: BaseProcess) -> str:
    code = process.exitcode
    return f"signal {-code}" if code is not None and code < 0 else f"exit code {code}"
