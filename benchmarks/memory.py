"""The memory of a process and all it starts: each page counted once, shared between those that hold it."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

_EVERY = 0.05


@dataclass(frozen=True, slots=True)
class Peak:
    """Proportional set sizes in MB: the greatest sum over all processes at one time, and the greatest of one process."""

    total: float
    single: float


def peak(command: Sequence[str], environment: dict[str, str]) -> Peak:
    """Run a command and look at its processes twenty times a second."""
    total = single = 0.0
    with subprocess.Popen(
        list(command), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment
    ) as child:
        while child.poll() is None:
            sizes = [_size(each) for each in _family(child.pid)]
            total, single = max(total, sum(sizes)), max(single, *sizes)
            time.sleep(_EVERY)
    return Peak(total, single)


def _family(pid: int) -> list[int]:
    """Return a process and its descendants."""
    found = [pid]
    for each in found:
        for children in Path(f"/proc/{each}/task").glob("*/children"):
            try:
                found += map(int, children.read_text().split())
            except OSError:
                continue
    return found


def _size(pid: int) -> float:
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0.0
    return sum(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1000
