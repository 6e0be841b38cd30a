"""Steps that became many times slower and stayed so."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from runtriage.detect.curve import finite, fired, middle, of_role
from runtriage.detect.engine import Detector
from runtriage.model.catalogue import Catalogue
from runtriage.model.facts import Facts
from runtriage.model.finding import Match
from runtriage.model.series import Point

FEWEST = 30
SLOWER = 3.0
"""Sustained slowdown; iterations over twice the normal time are already irregular in published studies, and alarms want a margin."""
FEW, MUCH_SLOWER = 15, 10.0
"""A short series is believed when the slowdown leaves no doubt."""
LAST = 0.2
_FIXES = ("time-data-reads", "stall-check-storage", "gpu-read-health")


def find(facts: Facts, catalogue: Catalogue) -> Iterator[Match]:
    """Yield a match for the step time or throughput of each rank that collapsed."""
    for series in of_role(facts, "step_time", "throughput"):
        points = finite(series)
        if len(points) < FEW or min(point.value for point in points) < 0:
            continue
        upside = series.role == "step_time"
        onset = _collapse(points, SLOWER if len(points) >= FEWEST else MUCH_SLOWER, upside=upside)
        if onset is not None:
            before, after = (
                middle(points[len(points) // 10 : len(points) // 2]),
                middle(points[-int(len(points) * LAST) :]),
            )
            claim = f"{series.name} went from {before:g} to {after:g} from step {onset.step:g} on and stayed there"
            yield fired(
                "throughput-collapse",
                "stall/throughput-collapse",
                series,
                onset,
                claim,
                fixes=_FIXES,
                numbers={"before": before, "after": after},
                title="Throughput collapsed",
            )


def _collapse(points: Sequence[Point], slower: float, *, upside: bool) -> Point | None:
    values = [point.value if upside else 1.0 / max(point.value, 1e-12) for point in points]
    normal = sorted(values[len(values) // 10 : len(values) // 2])
    limit = slower * normal[len(normal) // 2]
    end = sorted(values[-int(len(values) * LAST) :])
    if end[len(end) // 4] < limit:
        return None
    onset = len(values) - 1
    while onset > 0 and sorted(values[onset - 1 : onset + 2])[1] >= limit:
        onset -= 1
    while values[onset] < limit and onset + 1 < len(values):
        onset += 1
    return points[onset]


DETECTORS = (
    Detector(
        id="throughput",
        modes=("stall/throughput-collapse",),
        find=find,
        remedies=lambda: {"stall/throughput-collapse": _FIXES},
    ),
)
