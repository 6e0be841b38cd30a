"""Memory and GPUs of a run while it goes on, sampled so rarely that the run cannot tell."""

from __future__ import annotations

from typing import Final

from runtriage.targets import process_memory
from runtriage.targets.gpu import Gpus
from runtriage.targets.process_tree import resident, tree

EVERY: Final = 5.0
"""Seconds between samples."""
_FIRST: Final = 0.2
_MOST: Final = 240


class Samples:
    """Resident memory of a process and all below it over time; where there are many samples, every second one goes."""

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._taken: list[tuple[float, int]] = []
        self._every = EVERY
        self._due = _FIRST
        self._peak = 0
        self._gpus = Gpus()
        self._cards: list[tuple[float, int, int]] = []
        self._kills = _kills(pid)
        self._group = process_memory.group(pid)

    def due(self, at: float) -> float:
        """Return how many seconds are left until the next sample."""
        return max(self._due - at, 0.0)

    def take(self, at: float) -> None:
        """Sample now; `at` counts seconds since the start of the run."""
        if at < self._due:
            return
        self._due = at + self._every
        pids = tree(self._pid)
        used = sum(map(resident, pids))
        if self._gpus.problem is None:
            self._look(at, pids)
        self._peak = max(self._peak, used)
        if used:
            self._taken.append((round(at, 1), used))
        if len(self._taken) >= _MOST:
            self._taken = self._taken[::2]
            self._cards = self._cards[::2]
            self._every *= 2

    def _look(self, at: float, pids: list[int]) -> None:
        cards = [card for card in self._gpus.read(pids) if card.get("own_processes")]
        used, busy = (sum(_whole(card.get(key)) for card in cards) for key in ("own_bytes", "busy_percent"))
        if cards:
            self._cards.append((round(at, 1), used, round(busy / len(cards))))

    def told(self, own: int) -> dict[str, object]:
        """Return what was seen, for the record; `own` is a process of the same group that is still there."""
        now = _kills(own)
        found: dict[str, object] = {}
        if self._taken:
            found = {"peak_resident_bytes": self._peak, "resident_bytes": self._taken}
        if self._cards:
            found |= {"gpu_samples": self._cards, "peak_gpu_bytes": max(used for _, used, _ in self._cards)}
        if self._group is not None and self._group.limit is not None:
            found["memory_limit_bytes"] = self._group.limit
        if now is not None and self._kills is not None and now > self._kills:
            found["oom_kills"] = now - self._kills
        return found


def _whole(value: object) -> int:
    return value if isinstance(value, int) else 0


def _kills(pid: int) -> int | None:
    found = process_memory.group(pid)
    return found.oom_kills if found else None
