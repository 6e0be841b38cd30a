"""Workers: how many are worth their start, and processes that do the work that this one was made ready for."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final, TypeVar

from runtriage.model.artifact import Artifact
from runtriage.model.target import ByteStream

if TYPE_CHECKING:
    from concurrent.futures import Future
    from ctypes import CDLL

Open = Callable[[Artifact], ByteStream]
Task = TypeVar("Task")
Result = TypeVar("Result")

WORTH: Final = 16 << 20
"""Bytes below which one worker is faster than several."""
_LEAST: Final = 128 << 10
"""Bytes that are read in the time it takes to begin and to end an artifact, however small."""
_WORKERS: Final = 8
_PACKED: Final = 6
"""How many times its size a packed log takes unpacked, about."""
_PATIENCE: Final = 0.2
"""Seconds between two looks at how far the workers are."""
_DEATH_SIGNAL: Final = 1
"""PR_SET_PDEATHSIG of prctl(2)."""


def worth(open: Open, artifacts: Sequence[Artifact], wanted: int | None) -> int:
    """Return how many workers are worth their start; artifacts that are far away are read one after another."""
    if sum(map(work_of, artifacts)) < WORTH:
        return 1
    try:
        with open(artifacts[0]) as stream:
            if not getattr(stream, "local", False):
                return 1
    except OSError:
        return 1
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(wanted or cores, _WORKERS)


def unpacked_size(artifact: Artifact) -> int:
    """Return how many bytes an artifact holds; of a packed one, what logs usually hold."""
    return (artifact.size or 0) * (_PACKED if artifact.encoding else 1)


def work_of(artifact: Artifact) -> int:
    """Return what it takes to read an artifact, in bytes of a large one."""
    return max(unpacked_size(artifact), _LEAST)


def may_fork() -> bool:
    """Tell whether a copy of this process can go on by itself: no other thread holds a lock in it."""
    return sys.platform == "linux" and threading.active_count() == 1


@contextmanager
def forked(do: Callable[[Task], Result], workers: int) -> Generator[Callable[[Task], Future[Result]]]:
    """Start processes and give what hands them a task; tasks and results are sent, all else that `do` needs is inherited."""
    from concurrent.futures import ProcessPoolExecutor
    from ctypes import CDLL
    from multiprocessing import get_context

    own = CDLL(None)  # loaded here once, and not by each process
    _inherited.append(do)
    begun = (own, os.getpid())
    try:
        with ProcessPoolExecutor(workers, get_context("fork"), _end_with, begun) as processes:
            processes.submit(_start)
            yield lambda task: processes.submit(_run, task)
    finally:
        _inherited.pop()


def _end_with(own: CDLL, parent: int) -> None:
    """Have this process killed when its parent ends, however that ends: a worker that waits for tasks would wait for ever."""
    own.prctl(_DEATH_SIGNAL, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        os._exit(1)


_inherited: Final[list[Callable[[Any], Any]]] = []
"""What forked workers do: what it shares cannot be sent to them."""


def _start() -> None:
    """Do nothing: the first task starts the processes, before what makes the next ones may have started threads."""


def _run(task: Any) -> Any:
    return _inherited[-1](task)


def in_order(
    submit: Callable[[Task], Future[Result]],
    tasks: Iterable[Task],
    ahead: int,
    look: Callable[[], None] | None = None,
) -> Iterator[tuple[Task, Result]]:
    """Yield tasks with their results in order, a bounded number of them under way; `look` is called now and then while one is waited for."""
    waiting: deque[tuple[Task, Future[Result]]] = deque()
    for task in tasks:
        waiting.append((task, submit(task)))
        if len(waiting) >= ahead:
            task, future = waiting.popleft()
            yield task, _awaited(future, look)
    while waiting:
        task, future = waiting.popleft()
        yield task, _awaited(future, look)


def _awaited(future: Future[Result], look: Callable[[], None] | None) -> Result:
    if look is not None:
        from concurrent.futures import wait

        while not wait([future], _PATIENCE).done:
            look()
    return future.result()
