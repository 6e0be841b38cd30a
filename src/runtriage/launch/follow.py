"""What a watched target is made of from poll to poll: logs that rotate, processes that end."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from msgspec import Struct, field

from runtriage.targets.grammar import Spec
from runtriage.targets.process import by_name
from runtriage.targets.process_files import outputs
from runtriage.targets.process_tree import resident, stat, tree

_SIBLINGS: Final = 64
_ENDED: Final = ("Z", "X")
Mark = tuple[int, int, int]
"""Inode, size and time of change of a file."""


class Log(Struct):
    """One file that is named; `before` are the files it was rotated into since, oldest first."""

    path: Path
    known: set[Path] = field(default_factory=set[Path])
    before: list[Path] = field(default_factory=list[Path])
    mark: Mark | None = None

    def look(self) -> Mark | None:
        """Look at the file again, and take note of where it was rotated to."""
        now = _mark(self.path)
        if self.mark is None:
            self.known = set(_siblings(self.path))
        elif now is None or now[0] != self.mark[0] or now[1] < self.mark[1]:
            fresh = [path for path in _siblings(self.path) if path not in self.known]
            self.before += fresh
            self.known.update(fresh)
        self.mark = now or self.mark
        return now


def _mark(path: Path) -> Mark | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_ino, status.st_size, status.st_mtime_ns


def _changed(path: Path) -> int:
    """Return when a file was changed last: names of rotated files move on from one to the next, their age does not."""
    mark = _mark(path)
    return 0 if mark is None else mark[2]


def _siblings(path: Path) -> list[Path]:
    """Return files whose names begin with that of a log, as rotation names them, oldest first."""
    with suppress(OSError):
        found = [one for one in path.parent.iterdir() if one.name.startswith((f"{path.name}.", f"{path.name}-"))]
        return sorted(found[:_SIBLINGS], key=_changed)
    return []


def _began(pid: int) -> float | None:
    """Return when a process was started, in seconds since the machine was; None when it has ended."""
    one = stat(pid)
    return None if one is None or one.state in _ENDED else one.started


class Followed:
    """The strings that are diagnosed at a poll, and whether anything moved since the last one."""

    def __init__(self, targets: Sequence[str]) -> None:
        self._targets = list(targets)
        self._logs = {text: Log(Path(text)) for text in targets if Path(text).is_file()}
        self._folders = [Path(text) for text in targets if Path(text).is_dir()]
        pids = (int(text[4:]) for text in targets if text.startswith("pid:") and text[4:].isdigit())
        self._pids = {pid: _began(pid) for pid in pids}
        self._written: list[str] = []
        self._last: object = None
        self.moved = True
        self.written: float | None = None
        """When any local file of the target was written last, by the clock of its file system; None where there is none."""

    @property
    def alive(self) -> bool | None:
        """Whether the watched process still runs; None where no process is watched. Its number may meanwhile be another's."""
        return (
            any(began is not None and _began(pid) == began for pid, began in self._pids.items()) if self._pids else None
        )

    @property
    def memory(self) -> int:
        """Resident bytes of the watched processes, 0 where none is watched."""
        return sum(resident(one) for pid in self._pids for one in tree(pid))

    def poll(self) -> list[str]:
        """Return what to diagnose now."""
        found: list[str] = []
        marks: list[Mark | None] = []
        for text in self._targets:
            log = self._logs.get(text)
            if log is not None:
                marks.append(log.look())
                found += map(str, sorted(filter(Path.exists, log.before), key=_changed))
                found += [text] if log.path.exists() else []
            elif not text.startswith("pid:") or self.alive or self._last is None:
                found.append(text)
        if self._pids:
            found += self._of_processes()
        marks += [_mark(Path(name)) for name in self._written]
        marks += [_mark(path) for folder in self._folders for path in sorted(folder.rglob("*"))[:2000]]
        self.moved = marks != self._last or not marks
        self._last = marks
        times = [mark[2] / 1e9 for mark in marks if mark is not None]
        self.written = max(times, default=None)
        return list(dict.fromkeys(found))

    def _of_processes(self) -> list[str]:
        """Remember what the processes write; once they are gone their logs are all there is."""
        if self.alive:
            found, _ = outputs(one for pid in self._pids for one in tree(pid))
            self._written = [str(output.place) for output in found if output.log]
            return []
        return [name for name in self._written if Path(name).exists()]


def process_of(text: str) -> str:
    """Return `pid:N` for a process that is named otherwise, so that it stays the same one. Raises `TargetError`."""
    if not text.startswith("proc:"):
        return text
    spec = Spec("proc", text[5:], text)
    return f"pid:{by_name(spec)}"
