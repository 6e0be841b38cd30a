"""Stacks of a run that went silent, taken while it can still be asked."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

from runtriage.targets.process_stacks import dump
from runtriage.targets.process_tree import is_python, rank_of, stat, tree

_DUMPS: Final = 3
"""Times that stacks are taken in one run: more would say the same."""
_LAST_WORDS: Final = 5.0
"""Seconds that a run which is being ended takes to say so and to leave."""

Say = Callable[[str], None]


class Silence:
    """Watches for a time without output, of the whole job where its ranks share a folder: most of them never print anything."""

    def __init__(self, pid: int, folder: Path, limit: float | None, say: Say, *, shared: bool = False) -> None:
        self._pid = pid
        self._folder = folder
        self._limit = limit
        self._say = say
        self._last = 0.0
        self._shared = shared
        self._dumps = 0
        self._dumping: threading.Thread | None = None
        self._files: list[Path] = []
        self.told = False
        self._broken: tuple[float, float] | None = None
        """When output came after a silence, and how long that had lasted, as long as it may be the last words of a run that is being ended."""

    @property
    def stood(self) -> bool:
        """Whether the run stood still when it ended, but for what it printed on its way out."""
        return self.told or self._broken is not None

    def heard(self, at: float) -> None:
        """Take note of output. Stacks of a wait that the run got over are dropped: they would be taken for those of its end."""
        if self.told and self._dumping is not None:
            self._broken = at, at - self._last
        self._last = at
        self.told = False

    def ended(self, *, stopped: bool) -> None:
        """Take note of the end: what was said just before it only counts as going on where nobody stopped the run."""
        if not stopped:
            self._get_over(wait=True)

    def _get_over(self, *, wait: bool = False) -> None:
        """Drop the stacks of a silence that is over."""
        if self._broken is None or self._dumping is None:
            return
        dropping = threading.Thread(target=self._drop, args=(self._dumping, self._broken[1]), daemon=True)
        self._broken = self._dumping = None
        dropping.start()
        if wait:
            dropping.join(_LAST_WORDS)

    def due(self, at: float) -> float | None:
        """Return how many seconds of silence are left, None where nobody waits for it."""
        if self._limit is None or self.told:
            return None
        left = self._last + self._limit
        return max((left if self._broken is None else min(left, self._broken[0] + _LAST_WORDS)) - at, 0.0)

    def check(self, at: float) -> None:
        """Take stacks when the silence has lasted too long; the run's output is passed on meanwhile."""
        if self._broken is not None and at >= self._broken[0] + _LAST_WORDS:
            self._get_over()
        if self._shared and self.told and self._elsewhere() < at - self._last:
            self.heard(at - self._elsewhere())
        if self.due(at) == 0.0 and self._shared:
            self._last = max(self._last, at - self._elsewhere())
        if self.due(at) == 0.0:
            self._get_over()
            self.told = True
            if self._dumps < _DUMPS:
                self._dumps += 1
                self._dumping = threading.Thread(target=self._dump, args=(at - self._last,), daemon=True)
                self._dumping.start()

    def _elsewhere(self) -> float:
        """Return how many seconds ago any rank of the job wrote something."""
        ages = [float("inf")]
        for path in self._folder.glob("rank*.log"):
            with suppress(OSError):
                ages.append(max(time.time() - path.stat().st_mtime, 0.0))
        return min(ages)

    def _drop(self, dumping: threading.Thread, silent: float) -> None:
        dumping.join()
        files, self._files = self._files, []
        for path in files:
            path.unlink(missing_ok=True)
        if files:
            self._say(f"output goes on after {silent:.0f} s; the stacks are dropped")

    def _dump(self, silent: float) -> None:
        found, refused = 0, ""
        states: list[dict[str, object]] = []
        for pid in tree(self._pid):
            one = stat(pid)
            if one is None:
                continue
            states.append({"pid": pid, "name": one.name, "state": one.state, "rank": rank_of(pid)})
            if is_python(pid):
                stacks, problem = dump(pid)
                refused = problem or refused
                if stacks:
                    found += 1
                    self._write(f"stacks-{self._dumps}-{_label(pid)}.json", stacks)
        record = {"schema": "runtriage.silence/1", "silent_seconds": round(silent, 1), "processes": states}
        self._write(f"silence-{self._dumps}{self._mark()}.json", json.dumps(record, indent=1).encode())
        what = f"stacks of {found} processes kept" if found else f"no stacks ({refused or 'no Python process'})"
        self._say(f"no output for {silent:.0f} s; {what}; read them with: runtriage {self._folder}")

    def _mark(self) -> str:
        """Return what keeps the records of ranks apart that share a folder."""
        return f"-{_label(self._pid)}" if self._shared else ""

    def _write(self, name: str, content: bytes) -> None:
        with suppress(OSError):
            (self._folder / name).write_bytes(content)
            self._files.append(self._folder / name)


def _label(pid: int) -> str:
    rank = rank_of(pid)
    return f"{pid}" if rank is None else f"rank{rank}-{pid}"
