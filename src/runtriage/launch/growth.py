"""Memory that only grows while a run goes on: of the processes that are watched, and as the run itself logs it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from runtriage.detect.memory_growth import onset
from runtriage.model.series import Point

if TYPE_CHECKING:
    from runtriage.model.report import Report

_SAMPLES: Final = 6
_FACTOR: Final = 1.5
_POINTS: Final = 40
"""Logged values before growth counts: a run that has just begun still fills its caches."""
_MIB: Final = 1 << 20


class Growth:
    """What was used at the last looks; everything is told of once."""

    def __init__(self) -> None:
        self._used: list[int] = []
        self._told: set[str] = set()

    def of_processes(self, used: int) -> str | None:
        """Take in the resident bytes at a look; return a sentence when they grew at each of the last ones, by half in all."""
        if not used:
            return None
        self._used = [*self._used, used][-_SAMPLES:]
        climbs = all(later > earlier for earlier, later in zip(self._used, self._used[1:], strict=False))
        if len(self._used) < _SAMPLES or not climbs or used <= _FACTOR * self._used[0] or "" in self._told:
            return None
        self._told.add("")
        return f"memory grew at every poll, from {self._used[0] / _MIB:,.0f} to {used / _MIB:,.0f} MiB"

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
