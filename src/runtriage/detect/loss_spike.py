"""A loss that broke out of its range for a while and came back on its own: no failure, but not nothing either."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from msgspec.structs import replace

from runtriage.detect.curve import finite, fired, middle, of_role, ordinary
from runtriage.detect.engine import Detector
from runtriage.model.catalogue import Catalogue
from runtriage.model.facts import Facts
from runtriage.model.finding import Match
from runtriage.model.series import Point, Series

FEWEST = 40
"""Values of a series before one stretch of it stands out."""
BEFORE = 10
"""Values just before the spike that say where the loss was."""
HEIGHT = 10.0
"""Over that level, and over all of the loss before: the factor at which Megatron's rerun machine calls a spike."""
SHORTEST, LONGEST = 5, 1 / 3
"""Prints at that height: fewer are a bad batch or two that left no trace in the weights. A spike that takes a larger part of the run is none."""
BACK = 2.0
"""End over level before of a loss that came back."""
_MODE = "div/loss-spike"
_FIXES = ("inspect-failing-sample", "clip-gradients")


def find(facts: Facts, catalogue: Catalogue) -> Iterator[Match]:
    """Yield a match for each training loss that spiked for several prints and came back to where it had been."""
    for series in of_role(facts, "loss"):
        points = finite(series)
        if series.nonfinite or not ordinary(series) or len(points) < FEWEST or min(p.value for p in points) <= 0:
            continue
        if any(later.step < earlier.step for earlier, later in pairwise(points)):
            continue
        match = _match(series, points)
        if match is not None:
            yield match


def _match(series: Series, points: Sequence[Point]) -> Match | None:
    peak = max(range(len(points)), key=lambda at: points[at].value)
    start = _start(points, peak)
    if start < BEFORE:
        return None
    level = middle(points[start - BEFORE : start])
    highest = max(point.value for point in points[:start])
    last = next((at for at in range(peak, len(points)) if points[at].value < HEIGHT * level), len(points))
    end = middle(points[-BEFORE:])
    prints = sum(point.value >= HEIGHT * highest for point in points[start:last])
    if prints < SHORTEST or last - start > LONGEST * len(points) or len(points) - last < BEFORE or end > BACK * level:
        return None
    claim = (
        f"{series.name} jumped from {level:g} to {points[peak].value:g} at step {points[start].step:g} and was back at "
        f"{end:g} by the end"
    )
    found = fired(
        "spike-recovered",
        _MODE,
        series,
        points[start],
        claim,
        fixes=_FIXES,
        numbers={"level": level, "peak": points[peak].value, "prints": float(prints)},
        title="The loss spiked and came back",
    )
    return replace(found, captures={**found.captures, "recovered": "yes"})


def _start(points: Sequence[Point], peak: int) -> int:
    """Return where the stretch of high values around the peak begins."""
    limit = points[peak].value / HEIGHT
    start = peak
    while start > 0 and points[start - 1].value > limit:
        start -= 1
    return start


DETECTORS = (Detector(id="loss-spike", modes=(), find=find, remedies=lambda: {_MODE: _FIXES}),)
