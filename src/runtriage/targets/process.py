"""A running process as a target: `pid:PID` and `proc:NAME`."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Sequence
from types import TracebackType
from typing import Final, Self

from runtriage.model.artifact import Artifact, Collected, Empty, Outcome, Request, Skipped, Unavailable
from runtriage.model.target import ByteStream
from runtriage.targets.errors import NOT_FOUND, USAGE, TargetError
from runtriage.targets.fetched import Shelf
from runtriage.targets.gpu import ABSENT, Gpus
from runtriage.targets.grammar import Spec
from runtriage.targets.local import LocalTarget
from runtriage.targets.process_files import Output, outputs
from runtriage.targets.process_find import matching, named
from runtriage.targets.process_record import APART, cpu_of_threads, gone, idle, record
from runtriage.targets.process_stacks import dump
from runtriage.targets.process_tree import PROC, is_python, rank_of, stat, tree, words
from runtriage.targets.survey import survey
from runtriage.targets.together import OpenTarget, Together

PROCESS: Final = "process"
"""Request kind: the state of the process and of all below it."""
STACKS: Final = "stacks"
"""Request kind: Python stacks of one process; `pid`."""
OUTPUT: Final = "output"
"""Request kind: the files one process writes to, which this user may not list; `pid`."""
GPU: Final = "gpu"
"""Request kind: what the GPUs of this machine do, and how much of them the processes use."""
_STACKS: Final = 64


def open_target(spec: Spec) -> OpenTarget:
    """Return the target of a process and of the logs it writes. Raises `TargetError`."""
    if not PROC.is_dir() or stat(os.getpid()) is None:
        raise TargetError(f"{spec.text}: this system has no /proc to read processes from", USAGE)
    pid = _number(spec) if spec.scheme == "pid" else by_name(spec)
    process = ProcessTarget(spec.text, pid)
    logs = [output.place for output in process.outputs if output.log and output.place.is_file()]
    if not logs:
        return process
    found = survey(logs)
    return Together(spec.text, [process, LocalTarget(spec.text, found, [])])


def _number(spec: Spec) -> int:
    if not spec.rest.isdigit() or int(spec.rest) == 0:
        raise TargetError(f"{spec.text}: {spec.rest!r} is no process number", USAGE)
    pid = int(spec.rest)
    one = stat(pid)
    if one is None:
        raise TargetError(
            f"{spec.text}: no such process; it has ended, or lives in another container or machine", NOT_FOUND
        )
    if not words(pid) and one.state != "Z" and one.parent in (0, 2) and pid != 1:
        raise TargetError(f"{spec.text}: {one.name} is a thread of the kernel, not a training run", NOT_FOUND)
    return pid


def by_name(spec: Spec) -> int:
    """Return the one process that a name fits. Raises `TargetError`, which lists them when there are several."""
    found = matching(spec.rest)
    if not found:
        raise TargetError(f"{spec.text}: no process has that name or command line", NOT_FOUND)
    if len(found) > 1:
        listed = "; ".join(named(pid) for pid in found[:10])
        more = f"; and {len(found) - 10} more" if len(found) > 10 else ""
        raise TargetError(f"{spec.text}: {len(found)} processes match: {listed}{more}; choose one with --pid", USAGE)
    return found[0]


class ProcessTarget:
    """Answers what the state of a process and of its children is, and where their Python code stands."""

    def __init__(self, label: str, pid: int) -> None:
        self.label = label
        self._pid = pid
        self._shelf = Shelf()
        self._pids = tree(pid)
        self._began = {one: _started(one) for one in self._pids}
        self._ranks = {one: rank_of(one) for one in self._pids}
        self.outputs, self._refused = outputs(self._pids)
        self._python = [one for one in self._pids if is_python(one)][:_STACKS]

    def first_requests(self) -> Sequence[Request]:
        """The state first, then the stacks of every Python process below."""
        return [
            Request(kind=PROCESS, reason="what was given"),
            *(Request(kind=OUTPUT, args={"pid": str(pid)}, reason="it may write the log") for pid in self._refused),
            Request(kind=GPU, reason="what its GPUs do"),
            *(Request(kind=STACKS, args={"pid": str(pid)}, reason="where it stands") for pid in self._python),
        ]

    def collect(self, request: Request) -> Outcome:
        """Answer one request."""
        if request.kind == PROCESS:
            return self._records(request)
        if request.kind == STACKS and request.args.get("pid", "").isdigit():
            return self._stack(request, int(request.args["pid"]))
        if request.kind == GPU:
            return self._gpus(request)
        if request.kind == OUTPUT:
            return Unavailable(request, "the right to list its open files is missing (run as its user or as root)")
        return Skipped(request, f"a process cannot answer a {request.kind} request")

    def open(self, artifact: Artifact) -> ByteStream:
        """Open what was collected. Raises OSError."""
        return self._shelf.open(artifact)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None:
        """Nothing is held open."""

    def _records(self, request: Request) -> Outcome:
        before = {pid: cpu_of_threads(pid) for pid in self._pids}
        began = time.monotonic()
        time.sleep(APART)
        apart = time.monotonic() - began
        kept: list[Artifact] = []
        for pid in self._pids:
            mine: Sequence[Output] = self.outputs if pid == self._pid else ()
            rank = self._ranks[pid]
            told = (
                record(pid, before[pid], apart, mine, rank, self._helps(pid)) if self._there(pid) else gone(pid, rank)
            )
            if self.outputs and "state_before" in told:
                told["run_idle_seconds"] = idle(self.outputs)
            content = json.dumps(told, indent=1).encode()
            kept.append(
                self._shelf.keep(f"process-{pid}.json", content, kind="record", source=PROCESS, place=self._place(pid))
            )
        return Collected(request, tuple(kept))

    def _stack(self, request: Request, pid: int) -> Outcome:
        if not self._there(pid):
            return Empty(request, "gone")
        content, problem = dump(pid)
        if problem is not None:
            if problem.startswith("py-spy is not"):
                return Skipped(request, problem)
            return Unavailable(request, problem) if self._there(pid) else Empty(request, "gone")
        kept = self._shelf.keep(f"stacks-{pid}.json", content, kind="stacks", source=STACKS, place=self._place(pid))
        return Collected(request, (kept,))

    def _gpus(self, request: Request) -> Outcome:
        gpus = Gpus()
        if gpus.problem is not None:
            return Empty(request, ABSENT) if gpus.problem == ABSENT else Skipped(request, gpus.problem)
        document = {"schema": "runtriage.gpu/1", "gpus": gpus.read(self._pids)}
        content = json.dumps(document, indent=1).encode()
        return Collected(request, (self._shelf.keep("gpus.json", content, kind="record", source=GPU),))

    def _there(self, pid: int) -> bool:
        """Tell whether a process is the one that was found at first: when it ends, its number may become another's."""
        began = self._began.get(pid)
        return began is not None and _started(pid) == began

    def _helps(self, pid: int) -> bool:
        """Tell whether a process is neither the one asked for nor the first of a rank: its end is not the run's."""
        rank, one = self._ranks[pid], stat(pid)
        return pid != self._pid and (rank is None or (one is not None and self._ranks.get(one.parent) == rank))

    def _place(self, pid: int) -> dict[str, str | int]:
        rank = self._ranks.get(pid)
        return {} if rank is None else {"rank": rank}


def _started(pid: int) -> float | None:
    one = stat(pid)
    return None if one is None else one.started
