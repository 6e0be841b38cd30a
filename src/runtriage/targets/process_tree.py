"""What the kernel says of processes, from `/proc`."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

from msgspec import Struct

PROC: Final = Path("/proc")
_PAGE: Final = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096
_TICKS: Final = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100
_MOST: Final = 512
_RANKS: Final = ("RANK", "SLURM_PROCID", "OMPI_COMM_WORLD_RANK", "PMI_RANK")
"""Where torchrun, Slurm, Open MPI and other implementations of MPI tell a process its global rank."""


class Stat(Struct, frozen=True):
    """One line of `/proc/PID/stat`: `state` is the kernel's letter, times are in seconds."""

    pid: int
    name: str
    state: str
    parent: int
    cpu: float
    started: float
    status: int | None = None
    """What `wait` will say of a process that has ended, where this user may see it."""


def stat(pid: int, thread: int | None = None) -> Stat | None:
    """Return the state of a process or of one of its threads; None when it is gone."""
    path = PROC / str(pid) / ("stat" if thread is None else f"task/{thread}/stat")
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    front, _, rest = text.rpartition(")")
    parts = rest.split()
    if len(parts) < 20:
        return None
    cpu = (int(parts[11]) + int(parts[12])) / _TICKS
    number, _, name = front.partition(" (")
    return Stat(int(number), name, parts[0], int(parts[1]), cpu, int(parts[19]) / _TICKS, _status(parts))


def _status(parts: list[str]) -> int | None:
    return int(parts[49]) if len(parts) > 49 and parts[49].isdigit() else None


def children(pid: int) -> Iterator[int]:
    """Yield the children of a process."""
    with suppress(OSError):
        for task in (PROC / str(pid) / "task").iterdir():
            with suppress(OSError):
                yield from map(int, (task / "children").read_text(encoding="ascii").split())


def tree(pid: int) -> list[int]:
    """Return a process and all below it, parents first, 512 at most."""
    found = [pid]
    for one in found:
        found += [child for child in children(one) if child not in found]
        if len(found) >= _MOST:
            break
    return found[:_MOST]


def resident(pid: int) -> int:
    """Return the resident memory of a process in bytes, 0 when it is gone."""
    return _pages(pid, 1)


def mapped(pid: int) -> int:
    """Return the address space of a process in bytes, which `ulimit -v` limits; 0 when it is gone."""
    return _pages(pid, 0)


def _pages(pid: int, field: int) -> int:
    try:
        return int((PROC / str(pid) / "statm").read_text(encoding="ascii").split()[field]) * _PAGE
    except (OSError, IndexError, ValueError):
        return 0


def words(pid: int) -> list[str]:
    """Return the command line of a process; empty for a kernel thread and where it may not be read."""
    with suppress(OSError):
        raw = (PROC / str(pid) / "cmdline").read_bytes()
        return [word.decode("utf-8", "replace") for word in raw.rstrip(b"\0").split(b"\0")] if raw else []
    return []


def environment(pid: int) -> dict[str, str]:
    """Return the environment a process was started with. Raises OSError where it may not be read."""
    raw = (PROC / str(pid) / "environ").read_bytes()
    pairs = (part.decode("utf-8", "replace").partition("=") for part in raw.split(b"\0") if b"=" in part)
    return {name: value for name, _, value in pairs}


def rank_of(pid: int) -> int | None:
    """Return the global rank that a launcher gave a process, where its environment may be read."""
    try:
        given = environment(pid)
    except OSError:
        return None
    for name in _RANKS:
        if given.get(name, "").isdigit():
            return int(given[name])
    return None


def is_python(pid: int) -> bool:
    """Tell whether a process runs a Python interpreter."""
    with suppress(OSError):
        if Path((PROC / str(pid) / "exe").readlink()).name.startswith(("python", "pypy")):
            return True
    return bool(given := words(pid)) and Path(given[0]).name.startswith("python")
