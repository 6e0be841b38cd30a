"""A worker process of the local pool: runs come in through a pipe, rows go out."""

from __future__ import annotations

import json
import signal
import warnings
from collections.abc import Sequence
from multiprocessing.connection import Connection

from msgspec import to_builtins

from runtriage.fleet.row import of_json
from runtriage.fleet.runs import Run
from runtriage.fleet.task import Done, Settings, Task
from runtriage.signatures import SignatureWarning
from runtriage.store.cache import user_cache


def serve(work: Task | Settings, pipe: Connection, others: Sequence[Connection], memory: int | None) -> None:
    """Do one run after another until the pipe closes. `work` is a task of the process this one was forked from, else how to make one.

    `others` are ends of pipes that this process was started with and must not hold open. `memory` is the most address space it may
    take, in bytes.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for other in others:
        other.close()
    if memory is not None:
        _limit(memory)
    task = work if isinstance(work, Task) else _made(work)
    while True:
        try:
            message = pipe.recv_bytes()
        except (EOFError, OSError):
            return
        pipe.send_bytes(packed(task.do(Run(**json.loads(message)))))


def _made(settings: Settings) -> Task:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SignatureWarning)  # the pool has said it
        return Task(settings, user_cache())


def asked(run: Run) -> bytes:
    """Return the message that asks for a run."""
    return json.dumps(to_builtins(run)).encode()


def packed(done: Done) -> bytes:
    """Return the message that answers."""
    return f"{done.row.to_json()}\n{done.report or ''}".encode(errors="replace")


def unpacked(message: bytes) -> Done:
    """Read an answer. Raises ValueError for anything else."""
    row, _, report = message.decode().partition("\n")
    return Done(of_json(row), report or None)


def _limit(memory: int) -> None:
    try:
        import resource
    except ImportError:
        return
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (memory if hard < 0 else min(memory, hard), hard))
