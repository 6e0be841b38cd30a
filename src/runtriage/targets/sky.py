"""The `sky` command, asked only what it knows: the queue, logs, accelerators. It never refreshes, cancels or starts anything."""

from __future__ import annotations

import os
import shutil
import subprocess
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import IO, Final

from msgspec import Struct

from runtriage.model.pattern import deferred
from runtriage.targets.errors import NO_ACCESS, TargetError
from runtriage.targets.workflow_identity import CredentialFiles

_JOB: Final = deferred(r"[0-9]{1,12}")
_STAGE: Final = deferred(r"[A-Za-z0-9][A-Za-z0-9._-]{0,95}")
_QUEUE_SECONDS: Final = 120
_LOG_SECONDS: Final = 300
WAITING_SECONDS: Final = 30
"""How long a log is waited for whose task has not started by its record."""
_LIMIT: Final = 64 << 20
_LINE: Final = 1 << 20
_SAID: Final = 200
"""Characters of a line that stands within a sentence of ours."""
_USAGE: Final = 2
_ENDED: Final = frozenset({100, 101, 103})
"""What `sky jobs logs` leaves with after it printed a log: the job failed, goes on, or was cancelled."""
_NO_SUCH: Final = deferred(rb"\s*(?:\x1b\[[0-9;]*m)*(?:Job \d+ not found|No managed job found|No task found matching)")
"""How a log begins that is none, although the command leaves with 0."""


class Answer(Struct, frozen=True):
    """What a command printed. `problem` is set where it could not be asked or did not end; then nothing else counts."""

    code: int
    out: bytes
    err: bytes
    problem: str = ""

    @property
    def ok(self) -> bool:
        """Whether it was asked and ended well."""
        return not self.problem and self.code == 0

    @property
    def said(self) -> str:
        """The last line that says why, without what lies above it; the exit code where nothing was printed."""
        text = self.problem or (self.err or self.out).decode("utf-8", "replace")
        lines = (line.strip()[:_SAID] for line in reversed(text.splitlines()) if line.strip())
        return next(lines, f"sky left with {self.code}")


class Sky:
    """The command under one identity. `settings` are added to the environment of its process only."""

    def __init__(self, binary: str | None, settings: Mapping[str, str], files: CredentialFiles) -> None:
        self._binary = shutil.which(binary or "sky")
        self._settings = dict(settings)
        self._files = files

    @property
    def present(self) -> bool:
        """Whether the command is there."""
        return self._binary is not None

    def queue(self) -> Answer:
        """Ask for all managed jobs with every field; without a refresh, which might restart a controller."""
        return self._ask(("jobs", "queue", "--all", "--verbose", "--output", "json"), _QUEUE_SECONDS)

    def controller_log(self, job_id: str) -> Answer:
        """Ask for the log of the controller of one job."""
        return self._log(("jobs", "logs", "--controller", checked_job(job_id), "--no-follow"))

    def stage_log(self, job_id: str, stage: str, *, waits: bool = False) -> Answer:
        """Ask for what one task of a job printed so far; briefly where it `waits`, since the command does not answer before it starts."""
        arguments = ("jobs", "logs", checked_job(job_id), *_stage(stage), "--no-follow")
        return self._log(arguments, WAITING_SECONDS if waits else _LOG_SECONDS)

    def accelerators(self) -> Answer:
        """Ask which accelerators may be requested in the clusters at hand; the question has two names, by the version of the command."""
        answer = self._ask(("show-gpus", "--infra", "k8s"), _LOG_SECONDS)
        return self._ask(("gpus", "list", "--infra", "k8s"), _LOG_SECONDS) if answer.code == _USAGE else answer

    def follow(self, job_id: str, stage: str) -> Iterator[bytes]:
        """Yield what a task prints, line by line, until its job ends.

        Raises `TargetError` where the command delivers no log and OSError where it cannot run.
        """
        arguments = ("jobs", "logs", checked_job(job_id), *_stage(stage), "--follow")
        changed = self._files.changed()
        if changed:
            raise TargetError(f"credential files changed since the run was opened: {changed}", NO_ACCESS)
        with subprocess.Popen(
            [self._binary or "sky", *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=self._environment(),
        ) as process:
            last = b""
            try:
                for line in iter(lambda: process.stdout.readline(_LINE) if process.stdout is not None else b"", b""):
                    last = line.strip() or last
                    yield line
                code = process.wait()
            finally:
                process.terminate()
        if code not in (0, *_ENDED):
            said = last.decode("utf-8", "replace")[:200] or f"it left with {code}"
            raise TargetError(f"sky: the log of job {job_id} was not delivered: {said}", NO_ACCESS)

    def _log(self, arguments: Sequence[str], seconds: int = _LOG_SECONDS) -> Answer:
        """Return a log. Of a controller that is gone the command prints nothing and leaves with 0, so of nothing the queue is asked as well."""
        answer = self._ask(arguments, seconds)
        if answer.problem or answer.code not in (0, *_ENDED):
            return answer
        if _NO_SUCH.match(answer.out) and b"\n" not in answer.out.strip():
            return Answer(1, b"", answer.out)
        if not answer.out.strip():
            queue = self.queue()
            if queue.problem or queue.code != 0:
                return queue
        return Answer(0, answer.out, answer.err)

    def _ask(self, arguments: Sequence[str], seconds: int) -> Answer:
        if self._binary is None:
            return Answer(127, b"", b"", "the sky command is not installed")
        changed = self._files.changed()
        if changed:
            return Answer(1, b"", b"", f"credential files changed since the run was opened: {changed}")
        answer = _run([self._binary, *arguments], self._environment(), seconds)
        changed = self._files.changed()
        return (
            answer if not changed else Answer(1, b"", b"", f"credential files changed while sky was asked: {changed}")
        )

    def _environment(self) -> dict[str, str]:
        return {**os.environ, **self._settings, "NO_COLOR": "1", "COLUMNS": "400"}


def _run(command: Sequence[str], environment: Mapping[str, str], seconds: int) -> Answer:
    """Run to the end, keeping no more than is ever read."""
    try:
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment
        )
    except OSError as error:
        return Answer(126, b"", b"", f"sky cannot be started: {(error.strerror or '').lower()}")
    timer = threading.Timer(seconds, process.kill)
    timer.start()
    kept: dict[str, bytes] = {}
    with process:
        readers = [
            _reader(process.stdout, "out", kept, process.kill),
            _reader(process.stderr, "err", kept, process.kill),
        ]
        for reader in readers:
            reader.join()
    expired = not timer.is_alive()
    timer.cancel()
    return Answer(
        process.returncode, kept["out"], kept["err"], f"sky did not answer within {seconds} s" if expired else ""
    )


def _reader(pipe: IO[bytes] | None, name: str, kept: dict[str, bytes], kill: Callable[[], None]) -> threading.Thread:
    def read() -> None:
        kept[name] = pipe.read(_LIMIT) if pipe is not None else b""
        if len(kept[name]) >= _LIMIT:
            kill()

    thread = threading.Thread(target=read, daemon=True)
    thread.start()
    return thread


def checked_job(job_id: str) -> str:
    """Return the id of a job. Raises ValueError for what is none."""
    if not _JOB.fullmatch(job_id):
        raise ValueError("a job id is a number")
    return job_id


def _stage(stage: str) -> tuple[str, ...]:
    return (stage,) if _STAGE.fullmatch(stage) else ()
