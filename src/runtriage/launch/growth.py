"""Memory that only grows while a run goes on: of the processes that are watched, and as the run itself logs it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from runtriage.detect.growth import onset
from runtriage.model.amount import mib
from runtriage.model.series import Point

if TYPE_CHECKING:
    from runtriage.model.report import Report

_SAMPLES: Final = 6
_FACTOR: Final = 1.5
_POINTS: Final = 40
"""Logged values before growth counts: a run that has just begun still fills its caches."""
_KEPT: Final = 200
"""Looks that are remembered; when there are more, every other one is let go, so that a slow leak shows in a long watch."""


class Growth:
    """What was used at the last looks; everything is told of once."""

    def __init__(self) -> None:
        self._used: list[int] = []
        self._all: list[Point] = []
        self._looks = 0
        self._every = 1
        self._told: set[str] = set()

    def of_processes(self, used: int) -> str | None:
        """Take in the resident bytes at a look; return a sentence when they grew by half at the last ones, or bit by bit over many."""
        if not used:
            return None
        self._remember(used)
        start = self._sudden() or self._slow()
        if start is None or "" in self._told:
            return None
        self._told.add("")
        return f"memory grew from look to look, from {mib(start)} to {mib(used)} MiB"

    def _remember(self, used: int) -> None:
        self._used = [*self._used, used][-_SAMPLES:]
        if self._looks % self._every == 0:
            self._all.append(Point(self._looks, used))
        if len(self._all) > _KEPT:
            self._all = self._all[::2]
            self._every *= 2
        self._looks += 1

    def _sudden(self) -> float | None:
        climbs = all(later > earlier for earlier, later in pairwise(self._used))
        enough = len(self._used) == _SAMPLES and self._used[-1] > _FACTOR * self._used[0]
        return self._used[0] if climbs and enough else None

    def _slow(self) -> float | None:
        start = onset(self._all) if len(self._all) >= _POINTS else None
        return None if start is None else start.value

    def of_series(self, report: Report) -> Iterator[str]:
        """Yield a sentence for each logged series of memory that grows from step to step and does not level off."""
        for series in report.metrics:
            points = [Point(step, value) for step, value in series.curve if value is not None]
            known = series.role != "memory" or series.name in self._told or len(points) < _POINTS
            start = None if known else onset(points)
            if start is not None:
                self._told.add(series.name)
                yield (
                    f"{series.name} grew from {start.value:g} at step {start.step:g} to {points[-1].value:g} "
                    f"at step {points[-1].step:g} without levelling off"
                )
