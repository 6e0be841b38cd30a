"""A score that is above what it can be: it is added up where it should be averaged, or divided by too little."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations

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
EVALUATIONS, FEWEST_SAMPLES, MANY = 2, 10, 24
"""Evaluations and samples from which on the counts beside a score refute it, and series of counts that are tried."""
_MODE = "eval/metric-reduction-bug"
_FIXES = ("evaluate-on-training-batch", "compare-with-batch-one")


def find(facts: Facts, catalogue: Catalogue) -> Iterator[Match]:
    """Yield a match for a score above one whose twin of training, printed beside it, is a share of one."""
    for series in facts.series:
        if series.role not in ("metric", "eval_metric") or meaning(series.name).better != "higher":
            continue
        counted = _counted(series, facts)
        if counted is not None:
            yield counted
            return
        points = finite(series) if series.role == "eval_metric" else []
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


def _counted(series: Series, facts: Facts) -> Match | None:
    """Find a share that is the quotient of two counts on its own line, the larger of them above: samples are counted twice."""
    over = [point for point in finite(series) if point.value > WHOLE + ROUNDED and point.line > 0]
    counts = [other for other in facts.series if other is not series and other.artifact == series.artifact]
    counts = [other for other in counts if all(point.value == int(point.value) for point in finite(other))]
    for right, whole in permutations(counts, 2) if len(over) >= EVALUATIONS and len(counts) <= MANY else ():
        parts, wholes = _by_line(right), _by_line(whole)
        known = [point for point in over if point.line in parts and point.line in wholes]
        if len(known) >= EVALUATIONS and all(_quotient(p.value, parts[p.line], wholes[p.line]) for p in known):
            first = known[0]
            claim = (
                f"{series.name} is {shown(first.value)}: {right.name} {shown(parts[first.line])} of {whole.name} "
                f"{shown(wholes[first.line])}, more than there are"
            )
            return fired(
                "score-out-of-range",
                _MODE,
                series,
                first,
                claim,
                fixes=_FIXES,
                numbers={"highest": max(point.value for point in known)},
                title="A score is above what it can be: samples are counted more than once",
            )
    return None


def _by_line(series: Series) -> dict[int, float]:
    return {point.line: point.value for point in finite(series)}


def _quotient(value: float, part: float, whole: float) -> bool:
    """Tell whether a share, as a part of one or in percent, is that of two counts to within rounding."""
    return (
        whole >= FEWEST_SAMPLES
        and part > whole
        and min(abs(value - part / whole), abs(value / 100 - part / whole)) <= ROUNDED
    )


def _twin(other: Series, series: Series) -> bool:
    """Tell whether the same score of training is a share of one, and no small one."""
    if other.role != "metric" or other.artifact != series.artifact or measure(other.name) != measure(series.name):
        return False
    points = finite(other)
    return len(points) >= FEWEST and max(point.value for point in points) <= WHOLE and middle(points) >= 0.2


DETECTORS = (Detector(id="out-of-range", modes=(_MODE,), find=find, remedies=lambda: {_MODE: _FIXES}),)
