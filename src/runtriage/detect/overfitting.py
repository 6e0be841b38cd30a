"""An evaluation loss that turned upwards while the training loss kept falling."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from runtriage.detect.curve import finite, fired, middle, of_role, tail
from runtriage.detect.engine import Detector
from runtriage.model.catalogue import Catalogue
from runtriage.model.expectations import expected
from runtriage.model.facts import Facts
from runtriage.model.finding import Match
from runtriage.model.series import Point, Series

FEWEST = 5
RISE = 1.3
"""End over minimum of the evaluation loss; early stopping with patience stays well below it."""
SHARE = 0.4
"""Share of the evaluations that must come after the minimum."""
_LOWER_IS_BETTER = ("loss", "rmse", "mae", "mse", "error", "l1", "l2", "perplexity", "ppl")
_FIXES = ("use-best-checkpoint", "stop-early", "regularise")


def find(facts: Facts, catalogue: Catalogue) -> Iterator[Match]:
    """Yield a match for the first evaluation series that shows it."""
    training = [series for series in of_role(facts, "loss", "metric") if _falls(finite(series))]
    if not training:
        return
    for series in of_role(facts, "eval_loss", "eval_metric"):
        if "loss" not in series.name.lower() and not expected(facts.options.task, series.name):
            continue
        match = _match(series) if any(word in series.name.lower() for word in _LOWER_IS_BETTER) else None
        if match is not None:
            yield match
            return


def _falls(points: Sequence[Point]) -> bool:
    return len(points) >= FEWEST and points[0].value > 0 and middle(tail(points)) < 0.5 * points[0].value


def _match(series: Series) -> Match | None:
    points = finite(series)
    if len(points) < FEWEST:
        return None
    index = min(range(len(points)), key=lambda position: points[position].value)
    best, after = points[index], points[index + 1 :]
    end = middle(tail(points, 0.2))
    if len(after) < max(3, SHARE * len(points)) or best.value <= 0 or end < RISE * best.value or index == 0:
        return None
    claim = f"{series.name} was best at step {best.step:g} ({best.value:g}) and rose to {end:g} while training went on improving"
    return fired(
        "overfitting",
        "div/overfitting",
        series,
        after[0],
        claim,
        fixes=_FIXES,
        numbers={"best": best.value, "end": end, "evaluations_after": float(len(after))},
        title="The model overfits",
    )


DETECTORS = (
    Detector(
        id="overfitting",
        modes=("div/overfitting",),
        find=find,
        remedies=lambda: {"div/overfitting": _FIXES},
        needs=lambda facts: () if any(of_role(facts, "eval_loss", "eval_metric")) else ("an evaluation series",),
    ),
)
