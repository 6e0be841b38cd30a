"""A score that is above what it can be: it is added up where it should be averaged, or divided by too little."""

from __future__ import annotations

from collections.abc import Iterator

from runtriage.detect.curve import finite, fired, middle, shares, shown
from runtriage.detect.engine import Detector
from runtriage.model.catalogue import Catalogue
from runtriage.model.facts import Facts
from runtriage.model.finding import Match
from runtriage.model.naming import meaning, measure
from runtriage.model.series import Series

FEWEST, OUT = 5, 3
"""Values of a score, and those of them that are out of range."""
WHOLE, ROUNDED, PERCENT = 1.0, 0.005, 2.5
"""The most a share can be, what rounding adds, and what a score in percent is above soon."""
_MODE = "eval/metric-reduction-bug"
_FIXES = ("evaluate-on-training-batch", "compare-with-batch-one")


def find(facts: Facts, catalogue: Catalogue) -> Iterator[Match]:
    """Yield a match for a score above one whose twin of training, printed beside it, is a share of one."""
    for series in facts.series:
        if series.role != "eval_metric" or meaning(series.name).better != "higher":
            continue
        points = finite(series)
        over = [point for point in points if point.value > WHOLE + ROUNDED]
        if (
            len(points) < FEWEST
            or len(over) < OUT
            or max(point.value for point in points) > PERCENT
            or not shares(series)
        ):
            continue
        if any(_twin(other, series) for other in facts.series):
            last = over[-1]
            yield fired(
                "score-out-of-range",
                _MODE,
                series,
                over[0],
                f"{series.name} is {shown(over[0].value)} and later {shown(last.value)}, where it can be {WHOLE:g} at most",
                fixes=_FIXES,
                numbers={"highest": max(point.value for point in over)},
                title="A score is above what it can be",
            )
            return


def _twin(other: Series, series: Series) -> bool:
    """Tell whether the same score of training is a share of one, and no small one."""
    if other.role != "metric" or other.artifact != series.artifact or measure(other.name) != measure(series.name):
        return False
    points = finite(other)
    return len(points) >= FEWEST and max(point.value for point in points) <= WHOLE and middle(points) >= 0.2


DETECTORS = (Detector(id="out-of-range", modes=(_MODE,), find=find, remedies=lambda: {_MODE: _FIXES}),)
