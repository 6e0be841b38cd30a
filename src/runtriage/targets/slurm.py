"""A Slurm job: what accounting and the controller record, and the files its output went to."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from runtriage.model.artifact import Artifact, Collected, Empty, Outcome, Request, Unavailable
from runtriage.model.pattern import deferred
from runtriage.model.target import ByteStream
from runtriage.targets.errors import NO_ACCESS, NOT_FOUND, USAGE, TargetError
from runtriage.targets.fetched import Shelf
from runtriage.targets.fetching import Fetching, Got
from runtriage.targets.grammar import Spec
from runtriage.targets.http_client import Refused
from runtriage.targets.inspect import inspect
from runtriage.targets.names import shown
from runtriage.targets.regular import denied, open_regular, read_as, why
from runtriage.targets.streams import PlainStream

_JOB: Final = deferred(r"\d{1,12}(?:_\d{1,9})?(?:\+\d{1,4})?")
_NODE: Final = deferred(r"[A-Za-z0-9][\w.-]{0,100}")
_SECONDS: Final = 30
_ABSENT: Final = "is not on this machine"
_UNKNOWN: Final = "Invalid job id"
"""What the controller says of a job that it does not know, or no longer."""
_KEEPS_NONE: Final = "accounting storage is disabled"
_ANSWERS: Final = (_ABSENT, _UNKNOWN, _KEEPS_NONE)
"""What says that nothing more is to be known: a cluster that keeps no accounts, or has no such command, knows what its controller knows."""
_LARGEST: Final = 16 << 20
_FIELDS: Final = (
    "JobIDRaw", "JobID", "JobName", "State", "ExitCode", "DerivedExitCode", "Reason", "Elapsed", "Timelimit", "MaxRSS",
    "ReqMem", "NodeList", "WorkDir", "Partition", "Submit", "Start", "End", "StdOut", "StdErr",
)  # fmt: skip
"""What is asked of accounting, as far as this release knows it: one unknown field would fail the whole question."""


def open_target(spec: Spec) -> SlurmTarget:
    """Return the target of `slurm:JOBID`. Raises `TargetError` where no record of the job can be had."""
    job = spec.rest.strip()
    if not _JOB.fullmatch(job):
        raise TargetError(f"slurm: {shown(job)!r} is no job id; give slurm:12345 or slurm:12345_6", USAGE)
    if shutil.which("sacct") is None and shutil.which("scontrol") is None:
        raise TargetError(
            "slurm: neither sacct nor scontrol is on this machine; run it where jobs are submitted", NO_ACCESS
        )
    return SlurmTarget(spec.text, job)


class SlurmTarget:
    """Answers with what the commands print, and with the output files that the job's record names."""

    def __init__(self, label: str, job: str) -> None:
        self.label = label
        self._job = job
        self._shelf = Shelf()
        self._files: dict[str, Path] = {}
        first = [
            Request(kind="slurm-accounting", args={"job": job}, reason="state, exit code and memory of job and steps"),
            Request(kind="slurm-controller", args={"job": job}, reason="reason of the end, and where the output went"),
        ]
        fetchers = {
            "slurm-accounting": self._accounting,
            "slurm-controller": self._controller,
            "slurm-node": self._node,
        }
        self._answers = Fetching(label, self._shelf, fetchers, first)
        self._known = [self._answers.collect(request) for request in first]
        self._check()
        self._left = dict(zip([request.kind for request in first], self._known, strict=True))

    def _check(self) -> None:
        """Raise where no record was had; the job is unknown where every command that is here answered."""
        if any(not isinstance(outcome, Empty | Unavailable) for outcome in self._known):
            return
        reasons = [outcome.reason for outcome in self._known if isinstance(outcome, Unavailable)]
        mute = [reason for reason in reasons if not any(words in reason for words in _ANSWERS)]
        code = NO_ACCESS if mute else NOT_FOUND
        raise TargetError(f"slurm: no record of job {self._job}{': ' if reasons else ''}{'; '.join(reasons)}", code)

    def first_requests(self) -> Sequence[Request]:
        """Ask accounting and the controller."""
        return self._answers.first_requests()

    def collect(self, request: Request) -> Outcome:
        """Answer one request; output files are looked for where the job's record says they are."""
        if request.kind in self._left:
            return self._left.pop(request.kind)
        if request.kind == "slurm-output":
            return self._output(request)
        return self._answers.collect(request)

    def open(self, artifact: Artifact) -> ByteStream:
        """Open what was printed, or an output file. Raises OSError."""
        path = self._files.get(artifact.path)
        if path is None:
            return self._shelf.open(artifact)
        return read_as(PlainStream(open_regular(path), bounded=True), artifact.encoding)

    def _output(self, request: Request) -> Outcome:
        path = Path(request.args.get("path", ""))
        name = shown(path.name)
        if name in self._files:
            return Empty(request, "read already")
        if not path.is_absolute():
            return Unavailable(request, "the record names no absolute path")
        try:
            artifact = inspect(path, name, path.stat())
        except OSError as error:
            reason = why(error)
            hint = "" if denied(error) else "; it may be on another machine, or cleaned up"
            return Unavailable(request, f"{shown(str(path))}: {reason}{hint}")
        self._files[name] = path
        return Collected(request, (artifact,))

    def _accounting(self, request: Request) -> Got:
        known = set(_run(("sacct", "--helpformat")).split())
        fields = [field for field in _FIELDS if field in known]
        words = ("sacct", "-P", "--noconvert", "-D", "-j", self._job, "-o", ",".join(fields or _FIELDS[:4]))
        return self._kept("sacct.txt", _run(words), request, rows=1)

    def _controller(self, request: Request) -> Got:
        return self._kept("scontrol-job.txt", _run(("scontrol", "show", "job", self._job)), request)

    def _node(self, request: Request) -> Got:
        node = request.args.get("node", "")
        if not _NODE.fullmatch(node):
            raise Refused("no name of a node")
        return self._kept(f"scontrol-node-{node}.txt", _run(("scontrol", "show", "node", node)), request)

    def _kept(self, name: str, text: str, request: Request, *, rows: int = 0) -> Got:
        if len(text.strip().splitlines()) <= rows:
            return Got([])
        return Got([self._shelf.keep(name, text.encode("utf-8", "replace"), kind="slurm", source=request.kind)])

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None:
        return None


def _run(words: Sequence[str]) -> str:
    """Return what a command of Slurm prints. Raises `Refused` where it is missing, fails or does not answer."""
    binary = shutil.which(words[0])
    if binary is None:
        raise Refused(f"{words[0]} {_ABSENT}")
    plain = {**os.environ, "SLURM_TIME_FORMAT": "standard", "LC_ALL": "C"}
    try:
        done = subprocess.run(
            [binary, *words[1:]],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_SECONDS,
            check=False,
            env=plain,
        )
    except subprocess.TimeoutExpired:
        raise Refused(f"{words[0]} did not answer within {_SECONDS} s") from None
    except OSError as error:
        raise Refused(f"{words[0]} cannot be started: {why(error)}") from None
    if done.returncode != 0:
        lines = (done.stderr or done.stdout).decode("utf-8", "replace").strip().splitlines()
        said = shown(lines[-1]).removeprefix(f"{words[0]}: ") if lines else f"exit code {done.returncode}"
        raise Refused(f"{words[0]}: {said[:200]}")
    return done.stdout[:_LARGEST].decode("utf-8", "replace")
