"""Memory of a group of processes, as the kernel's control groups count it."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Final

from msgspec import Struct

from runtriage.targets.process_tree import PROC

_TOP: Final = Path("/sys/fs/cgroup")
_BOUNDLESS: Final = 1 << 60


class Group(Struct, frozen=True):
    """The memory group of a process: sizes in bytes, `limit` the least of it and all above it, None for no limit."""

    path: str
    used: int | None = None
    peak: int | None = None
    limit: int | None = None
    oom_kills: int | None = None
    pressure: float | None = None
    """Share of the last ten seconds, in percent, in which some task waited for memory."""


def group(pid: int) -> Group | None:
    """Return the memory group of a process, or None where that cannot be read."""
    try:
        lines = (PROC / str(pid) / "cgroup").read_text(encoding="utf-8").splitlines()
    except OSError:
        return None
    for line in lines:
        _, controllers, path = line.split(":", 2)
        if controllers == "" and (found := _second(path)) is not None:
            return found
        if "memory" in controllers.split(",") and (found := _first(path)) is not None:
            return found
    return None


def _second(path: str) -> Group | None:
    """Read version 2 of control groups."""
    folder = _inside(_TOP, path)
    if not (folder / "memory.current").exists():
        return None
    return Group(
        path,
        used=_number(folder / "memory.current"),
        peak=_number(folder / "memory.peak"),
        limit=_least(folder, _TOP, "memory.max"),
        oom_kills=_field(folder / "memory.events", "oom_kill"),
        pressure=_pressure(folder / "memory.pressure"),
    )


def _first(path: str) -> Group | None:
    """Read version 1."""
    top = _TOP / "memory"
    folder = _inside(top, path)
    if not (folder / "memory.usage_in_bytes").exists():
        return None
    return Group(
        path,
        used=_number(folder / "memory.usage_in_bytes"),
        peak=_number(folder / "memory.max_usage_in_bytes"),
        limit=_least(folder, top, "memory.limit_in_bytes"),
        oom_kills=_field(folder / "memory.oom_control", "oom_kill"),
    )


def _inside(top: Path, path: str) -> Path:
    """Return the folder of a group; within a container its own group is mounted as the top."""
    folder = top / path.lstrip("/")
    return folder if folder.is_dir() and ".." not in path else top


def _least(folder: Path, top: Path, name: str) -> int | None:
    limits: list[int] = []
    while folder.is_relative_to(top):
        value = _number(folder / name)
        if value is not None and value < _BOUNDLESS:
            limits.append(value)
        folder = folder.parent
    return min(limits, default=None)


def _number(path: Path) -> int | None:
    with suppress(OSError, ValueError):
        return int(path.read_text(encoding="ascii"))
    return None


def _field(path: Path, name: str) -> int | None:
    with suppress(OSError, ValueError):
        for line in path.read_text(encoding="ascii").splitlines():
            key, _, value = line.partition(" ")
            if key == name:
                return int(value)
    return None


def _pressure(path: Path) -> float | None:
    with suppress(OSError, ValueError, IndexError):
        first = path.read_text(encoding="ascii").splitlines()[0]
        return float(first.split("avg10=")[1].split()[0])
    return None
