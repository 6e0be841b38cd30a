"""What a process writes to: open regular files, and the space left where they lie."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Final

from msgspec import Struct

from runtriage.targets.kinds import LOG, kind_of
from runtriage.targets.process_tree import PROC

_MOST: Final = 64
_WRITES: Final = os.O_WRONLY | os.O_RDWR
_LOGGED: Final = frozenset({LOG, "metrics", None})
_SCRATCH: Final = ("/proc/", "/sys/", "/dev/")


class Output(Struct, frozen=True):
    """One file that is open for writing, with the space and the inodes left on its file system.

    `path` is its name as the process knows it, `place` where we can read it: within a container another file may have that name here.
    """

    path: Path
    place: Path
    written: float
    size: int
    free: int | None
    inodes: int | None
    deleted: bool

    @property
    def log(self) -> bool:
        """Whether its name lets it be a log or metrics."""
        return not self.deleted and kind_of(str(self.path)) in _LOGGED

    @property
    def last(self) -> float:
        """When it was last written to, as far as that can be seen now."""
        try:
            return self.place.stat().st_mtime
        except OSError:
            return self.written

    def told(self) -> dict[str, object]:
        """Return what a document says of it."""
        return {
            "path": str(self.path),
            "size": self.size,
            "free_bytes": self.free,
            "free_inodes": self.inodes,
            "deleted": self.deleted,
        }


def outputs(pids: Iterable[int]) -> tuple[list[Output], list[int]]:
    """Return the files that processes write to, once each, and the processes whose files may not be listed."""
    found: dict[tuple[int, int], Output] = {}
    refused: list[int] = []
    for pid in pids:
        try:
            numbers = sorted(map(int, os.listdir(PROC / str(pid) / "fd")))  # noqa: PTH208 - entries vanish meanwhile
        except PermissionError:
            refused.append(pid)
            continue
        except OSError:
            continue
        for number in numbers:
            if len(found) < _MOST:
                with suppress(OSError, ValueError):
                    _add(found, pid, number)
    return list(found.values()), refused


def _add(found: dict[tuple[int, int], Output], pid: int, number: int) -> None:
    link = PROC / str(pid) / "fd" / str(number)
    status = link.stat()
    if not stat.S_ISREG(status.st_mode) or not _flags(pid, number) & _WRITES:
        return
    name = str(link.readlink())
    deleted = name.endswith(" (deleted)")
    path = Path(name.removesuffix(" (deleted)"))
    if name.startswith(_SCRATCH):
        return
    space = _space(link)
    found.setdefault(
        (status.st_dev, status.st_ino),
        Output(path, _place(path, pid, link, status), status.st_mtime, status.st_size, space[0], space[1], deleted),
    )


def _flags(pid: int, number: int) -> int:
    for line in (PROC / str(pid) / "fdinfo" / str(number)).read_text(encoding="ascii").splitlines():
        if line.startswith("flags:"):
            return int(line.split()[1], 8)
    return 0


def _place(path: Path, pid: int, link: Path, status: os.stat_result) -> Path:
    inside = PROC / str(pid) / "root" / path.relative_to("/") if path.is_absolute() else path
    for place in (path, inside):
        with suppress(OSError):
            found = place.stat()
            if (found.st_dev, found.st_ino) == (status.st_dev, status.st_ino):
                return place
    return link


def _space(path: Path) -> tuple[int | None, int | None]:
    """Return free bytes and free inodes for users; file systems without inodes tell none."""
    try:
        space = os.statvfs(path)
    except OSError:
        return None, None
    return space.f_bavail * space.f_frsize, space.f_favail if space.f_files else None
