"""Estimates or parts of a loss that feed on themselves: they are by many orders of magnitude larger than at first, and stay so."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from runtriage.detect.curve import finite, fired, middle, shown
from runtriage.detect.engine import Detector
from runtriage.detect.settings import explained
from runtriage.model.catalogue import Catalogue
from runtriage.model.facts import Facts
from runtriage.model.finding import Match
from runtriage.model.naming import meaning, plain_name
from runtriage.model.series import Point, Series

FEWEST = 20
GROWN, LARGE = 1e4, 1e6
"""Late over first values, and the least late value: value losses of a run that is well grow with the squares of its returns."""
_OF_ESTIMATES = frozenset({"loss", "q", "value", "td", "critic", "error", "mse", "energy", "bellman"})
_OF_VALUES = _OF_ESTIMATES - {"value"} | {
    "mean",
    "avg",
    "max",
    "min",
    "fn",
    "function",
    "estimate",
    "est",
    "target",
    "v",
    "vf",
    "pred",
    "predicted",
    "train",
}
"""What stands beside `value` where it is one that a model estimates; that of a portfolio or an account is none."""
_SUMS = frozenset({"cum", "cumulative", "cumulated", "accumulated", "sum", "kwh", "wh", "joules"})
"""What is added up over a run grows in every one."""
_MODE = "div/loss-spike-unrecovered"
_FIXES = ("lower-learning-rate", "clip-gradients", "return-to-earlier-checkpoint")


def find(facts: Facts, catalogue: Catalogue) -> Iterator[Match]:
    """Yield a match for the first such series, one of a log before one of a table."""
    logs = {read.artifact.path for read in facts.reads if read.artifact.kind == "log"}
    for series in sorted(facts.series, key=lambda each: each.artifact not in logs):
        points = finite(series) if _estimates(series) else ()
        if len(points) >= FEWEST and _runs_away(points):
            yield explained(_match(series, points), facts)
            return


def _estimates(series: Series) -> bool:
    words = plain_name(series.name).split("_")
    return (
        series.role in (None, "loss_part", "value_loss")
        and bool(_OF_ESTIMATES & set(words))
        and _SUMS.isdisjoint(words)
        and ("value" not in words or bool(_OF_VALUES & set(words)) or len(words) == 1)
        and meaning(series.name).better != "higher"
    )


def _runs_away(points: Sequence[Point]) -> bool:
    third = len(points) // 3
    sizes = [Point(point.step, abs(point.value), point.line) for point in points]
    early, inner, late = middle(sizes[:third]), middle(sizes[third : 2 * third]), middle(sizes[-third:])
    first = max(middle(sizes[:3]), 1e-9)
    return early <= inner <= late and late >= max(LARGE, GROWN * first)


def _match(series: Series, points: Sequence[Point]) -> Match:
    first, last = points[0], points[-1]
    return fired(
        "runaway",
        _MODE,
        series,
        first,
        f"{series.name} went from {shown(first.value)} at step {first.step:g} to {shown(last.value)} at step {last.step:g} and never came back",
        fixes=_FIXES,
        numbers={"first": first.value, "last": last.value},
        title="An estimate feeds on itself",
    )


DETECTORS = (Detector(id="runaway", modes=(), find=find, remedies=lambda: {_MODE: _FIXES}),)
