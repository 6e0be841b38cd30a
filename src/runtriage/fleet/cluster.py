"""Workers of a Dask cluster: a lost one costs a repetition of the runs it held."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterator
from importlib.util import find_spec
from typing import Any, Final

from runtriage.fleet.row import tool_failed
from runtriage.fleet.runs import Run
from runtriage.fleet.task import Done, Settings, Task
from runtriage.fleet.worker import packed, unpacked
from runtriage.store.cache import user_cache

INSTALL: Final = "pip install 'runtriage[fleet]'"
_CONNECT: Final = 20
"""Seconds to wait for the scheduler, and again for its first worker."""
_LOOK: Final = 1.0
_HELD: Final = 2
"""Runs under way for each thread of the cluster, so that none waits."""

_tasks: dict[Settings, Task] = {}


class ClusterError(Exception):
    """The cluster cannot be used; one line that says why and what to do."""


def do(settings: Settings, run: Run) -> bytes:
    """Diagnose a run in a worker of the cluster, which reads the catalogue once."""
    task = _tasks.get(settings)
    if task is None:
        task = _tasks[settings] = Task(settings, user_cache())
    return packed(task.do(run))


class Cluster:
    """The scheduler at `address`; `seconds` is what one run may take."""

    def __init__(self, address: str, settings: Settings, seconds: float) -> None:
        if find_spec("distributed") is None:
            raise ClusterError(f"--cluster needs Dask distributed: {INSTALL}")
        import distributed

        dask: Any = distributed
        self._dask = dask
        self._settings = settings
        self._seconds = seconds
        self._waiting: dict[Any, tuple[Run, float]] = {}
        self._suspects: deque[Run] = deque()
        self._alone: set[str] = set()
        try:
            self._client = dask.Client(address, timeout=_CONNECT)
            self._client.wait_for_workers(1, timeout=_CONNECT)
        except (OSError, TimeoutError, ValueError) as error:
            raise ClusterError(
                f"--cluster {address}: no scheduler with a worker answers ({type(error).__name__})"
            ) from None
        self._room = _HELD * max(sum(self._client.nthreads().values()), 1)

    def done(self, runs: Iterator[Run]) -> Iterator[Done]:
        """Yield what became of each run, as they finish."""
        try:
            while self._feed(runs):
                yield from self._next()
        finally:
            self._client.cancel(list(self._waiting), force=True)
            self._client.close()

    def _feed(self, runs: Iterator[Run]) -> bool:
        """Hand out runs; those that were on workers that died come last and one by one, so that each is blamed for its own."""
        while len(self._waiting) < self._room and (run := next(runs, None)) is not None:
            self._submit(run)
        if not self._waiting and self._suspects:
            run = self._suspects.popleft()
            self._alone.add(run.key)
            self._submit(run)
        return bool(self._waiting)

    def _submit(self, run: Run) -> None:
        key = f"runtriage-{run.key}-{len(self._alone)}"
        self._waiting[self._client.submit(do, self._settings, run, key=key, pure=False)] = (run, time.monotonic())

    def _next(self) -> Iterator[Done]:
        try:
            finished = self._dask.wait(list(self._waiting), timeout=_LOOK, return_when="FIRST_COMPLETED").done
        except TimeoutError:
            finished = ()
        for future in finished:
            run, _ = self._waiting.pop(future)
            if isinstance(future.exception(), self._dask.KilledWorker) and run.key not in self._alone:
                self._suspects.append(run)
            else:
                yield _result(future, run)
        limit = time.monotonic() - _HELD * self._seconds
        for future in [each for each, (_, since) in self._waiting.items() if since < limit]:
            run, _ = self._waiting.pop(future)
            self._give_up(future)
            yield Done(tool_failed(run, f"took longer than {self._seconds:g} s"))

    def _give_up(self, future: Any) -> None:
        """Free the worker that a run holds: a thread cannot be ended, its process can."""
        holding = [worker for worker, keys in self._client.processing().items() if future.key in keys]
        future.cancel(force=True)
        if holding:
            self._client.restart_workers(holding, raise_for_error=False)


def _result(future: Any, run: Run) -> Done:
    """Read a result; a task that fails there is the tool's failure."""
    error: BaseException | None = future.exception()
    if error is not None:
        return Done(tool_failed(run, f"{type(error).__name__} on the cluster"))
    return unpacked(future.result())
