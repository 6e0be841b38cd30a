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
from runtriage.targets.workflow_identity import CredentialFiles

_JOB: Final = deferred(r"[0-9]{1,12}")
_STAGE: Final = deferred(r"[A-Za-z0-9][A-Za-z0-9._-]{0,95}")
_QUEUE_SECONDS: Final = 120
_LOG_SECONDS: Final = 300
_LIMIT: Final = 64 << 20


class Answer(Struct, frozen=True):
    """What a command printed. `problem` is set where it could not be asked or did not end; then nothing else counts."""

    code: int
    out: bytes
    err: bytes
    problem: str = ""


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
        return self._ask(("jobs", "logs", "--controller", checked_job(job_id), "--no-follow"), _LOG_SECONDS)

    def stage_log(self, job_id: str, stage: str) -> Answer:
        """Ask for what one task of a job printed so far."""
        return self._ask(("jobs", "logs", checked_job(job_id), *_stage(stage), "--no-follow"), _LOG_SECONDS)

    def accelerators(self) -> Answer:
        """Ask which accelerators may be requested in the clusters at hand."""
        return self._ask(("show-gpus", "--infra", "k8s"), _LOG_SECONDS)

    def follow(self, job_id: str, stage: str) -> Iterator[bytes]:
        """Yield what a task prints, line by line, until its job ends. Raises OSError where the command cannot run."""
        arguments = ("jobs", "logs", checked_job(job_id), *_stage(stage), "--follow")
        with subprocess.Popen(
            [self._binary or "sky", *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=self._environment(),
        ) as process:
            try:
                if process.stdout is not None:
                    yield from process.stdout
            finally:
                process.terminate()

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
