"""`runtriage run`: a command runs as always, is kept, and is diagnosed when it fails."""

from __future__ import annotations

import os
import shlex
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from msgspec import Struct

from runtriage.launch.child import Child, Ended
from runtriage.launch.keep import Log, home, new_folder, write_record
from runtriage.launch.place import Place, place, shared_folder, speaks
from runtriage.launch.sample import Samples
from runtriage.launch.silence import Silence

_STOPPED: Final = frozenset({124, 130, 131, 137, 143})
"""Exit codes of a run that was ended from outside: by `timeout`, or by a signal as a shell tells it."""


class Kept(Struct, frozen=True):
    """A run that ended: `folder` holds its log, None where it could not be kept; `speaks` says that this process reports."""

    ended: Ended
    folder: Path | None
    place: Place | None
    speaks: bool


def run(command: Sequence[str], *, name: str | None = None, hang_timeout: float | None = None) -> Kept:
    """Run a command to its end and keep its output; never raises for what the disk does."""
    where = place(os.environ)
    try:
        folder = _folder(name) if where is None else shared_folder(where, name)
        log = Log(folder, "" if where is None else f"rank{where.rank}.")
    except OSError as error:
        say(f"the run is not kept: {(error.strerror or '').lower()}")
        return Kept(Child(command).run(_forget, lambda: None, lambda _: None), None, where, False)
    one = _Run(command, folder, log, hang_timeout, where)
    ended = one.go()
    failed = ended.code != 0 and (not ended.interrupted or one.silent)
    return Kept(ended, folder, where, failed and (where is None or speaks(folder, where.rank)))


def _folder(name: str | None) -> Path:
    """Return where to keep a run of one process: among temporary files where its own place refuses it. Raises OSError."""
    try:
        return new_folder(name)
    except OSError as error:
        folder = Path(tempfile.mkdtemp(prefix="runtriage-"))
        say(f"{home()}: {(error.strerror or 'cannot be used').lower()}; the run is kept in {folder}")
        return folder


def say(text: str) -> None:
    """Tell the user one line, on standard error."""
    if sys.stderr is not None:
        sys.stderr.write(f"runtriage: {text}\n")
        sys.stderr.flush()


def _forget(stream: str, piece: bytes) -> None:
    """Keep nothing of what was printed."""


class _Run:
    def __init__(
        self, command: Sequence[str], folder: Path, log: Log, hang_timeout: float | None, where: Place | None
    ) -> None:
        self._command = command
        self._child = Child(command)
        self._folder = folder
        self._log = log
        self._limit = hang_timeout
        self._where = where
        self._began = time.monotonic()
        self._samples: Samples | None = None
        self._silence: Silence | None = None

    def go(self) -> Ended:
        """Run to the end and write the record."""
        started = time.time()
        ended = self._child.run(self._take, self._idle, self._started)
        self._log.close()
        if self._silence is not None:
            self._silence.ended(stopped=ended.interrupted or ended.signal is not None or ended.code in _STOPPED)
        if ended.problem is not None:
            say(f"{self._command[0]}: {ended.problem}")
        if self._where is None:
            write_record(self._folder, self._record(ended, started))
        if self._log.problem is not None:
            say(f"the log is not whole: {self._log.problem}")
        return ended

    @property
    def silent(self) -> bool:
        """Whether the run had been silent for too long when it ended: whoever interrupted it wants to know why."""
        return self._silence is not None and self._silence.stood

    def _started(self, pid: int) -> None:
        self._samples = Samples(pid)
        self._silence = Silence(pid, self._folder, self._limit, say, shared=self._where is not None)

    def _at(self) -> float:
        return time.monotonic() - self._began

    def _take(self, stream: str, piece: bytes) -> None:
        self._log.take(stream, piece)
        if self._silence is not None and not self._child.interrupted:
            self._silence.heard(self._at())

    def _idle(self) -> float | None:
        """Do what is due and return how long there is nothing more to do."""
        at = self._at()
        if self._samples is None or self._silence is None:
            return None
        self._samples.take(at)
        self._silence.check(at)
        silence = self._silence.due(at)
        sample = self._samples.due(at)
        return sample if silence is None else min(sample, silence)

    def _record(self, ended: Ended, started: float) -> dict[str, object]:
        seen = self._samples.told(os.getpid()) if self._samples is not None else {}
        return {
            "command": shlex.join(self._command),
            "started": round(started, 3),
            "seconds": round(self._at(), 3),
            "exit_code": ended.code,
            "signal": ended.signal,
            "problem": ended.problem,
            **seen,
        }
