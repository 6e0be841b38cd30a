"""One process as the kernel shows it: a document of plain numbers and names, judged elsewhere."""

from __future__ import annotations

import os
import shlex
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from msgspec import to_builtins

from runtriage.targets import process_memory
from runtriage.targets.process_files import Output
from runtriage.targets.process_tree import PROC, Stat, mapped, resident, stat, words

SCHEMA: Final = "runtriage.process/1"
APART: Final = 1.0
"""Seconds between two looks, from which the CPU share of each thread follows."""
_THREADS: Final = 40
_LIMITS: Final = {
    "Max address space": "address_space",
    "Max data size": "data",
    "Max open files": "open_files",
    "Max processes": "processes",
    "Max file size": "file_size",
    "Max cpu time": "cpu_seconds",
}


def cpu_of_threads(pid: int) -> dict[int, Stat]:
    """Return the threads of a process by number."""
    found: dict[int, Stat] = {}
    with suppress(OSError):
        for task in (PROC / str(pid) / "task").iterdir():
            one = stat(pid, int(task.name))
            if one is not None:
                found[one.pid] = one
    return found


def record(
    pid: int, first: dict[int, Stat], apart: float, outputs: Sequence[Output], rank: int | None, helper: bool
) -> dict[str, object]:
    """Return what is known of one process; `first` is how its threads stood `apart` seconds ago."""
    now = stat(pid)
    if now is None:
        return gone(pid, rank)
    started = _boot() + now.started
    before = first[pid].state if pid in first else None
    found: dict[str, object] = {
        "schema": SCHEMA,
        "pid": pid,
        "name": now.name,
        "command": shlex.join(words(pid)),
        "state": now.state,
        "state_before": before,
        "exit_status": now.status if now.state == "Z" else None,
        "helper": helper,
        "parent": now.parent,
        "rank": rank,
        "age_seconds": round(max(time.time() - started, 0.0), 1),
        "resident_bytes": resident(pid),
        "mapped_bytes": mapped(pid),
        "threads": _threads(pid, first, apart),
        "waits_in": _text(PROC / str(pid) / "wchan"),
        "limits": _limits(pid),
        "open_files": _count(PROC / str(pid) / "fd"),
    }
    memory = process_memory.group(pid)
    if memory is not None:
        found["memory_group"] = {key: value for key, value in to_builtins(memory).items() if value is not None}
    if outputs:
        found["outputs"] = [output.told() for output in outputs]
        found["idle_seconds"] = idle(outputs)
    return found


def gone(pid: int, rank: int | None) -> dict[str, object]:
    """Return what is left to say of a process that has ended."""
    return {"schema": SCHEMA, "pid": pid, "state": "gone", "rank": rank}


def idle(outputs: Sequence[Output]) -> float:
    """Return how many seconds ago the last of these files was written to."""
    return round(max(min(time.time() - output.last for output in outputs), 0.0), 1)


def _threads(pid: int, first: dict[int, Stat], apart: float) -> list[dict[str, object]]:
    """Return the threads, busiest first, with the share of one CPU each used."""
    found: list[dict[str, object]] = []
    for number, later in cpu_of_threads(pid).items():
        before = first.get(number)
        share = round((later.cpu - before.cpu) / apart, 2) if before is not None and apart > 0 else 0.0
        found.append({"thread": number, "name": later.name, "state": later.state, "cpu": share})
    return sorted(found, key=lambda one: (-float(str(one["cpu"])), int(str(one["thread"]))))[:_THREADS]


def _limits(pid: int) -> dict[str, int]:
    found: dict[str, int] = {}
    with suppress(OSError):
        for line in (PROC / str(pid) / "limits").read_text(encoding="ascii").splitlines():
            for title, name in _LIMITS.items():
                value = line[len(title) :].split()[:1]
                if line.startswith(title) and value and value[0].isdigit():
                    found[name] = int(value[0])
    return found


def _count(folder: Path) -> int | None:
    try:
        return len(os.listdir(folder))  # noqa: PTH208 - entries of /proc vanish while they are listed
    except OSError:
        return None


def _text(path: Path) -> str | None:
    try:
        text = path.read_text(encoding="ascii", errors="replace").strip()
    except OSError:
        return None
    return text if text not in ("", "0") else None


def _boot() -> float:
    with suppress(OSError, ValueError, IndexError):
        return time.time() - float((PROC / "uptime").read_text(encoding="ascii").split()[0])
    return 0.0
