"""An evaluation loss that turned upwards while the training loss kept falling."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice, pairwise

from runtriage.detect.curve import finite, fired, from_turn, middle, of_role, shares, tail
from runtriage.detect.engine import Detector
from runtriage.detect.loss_terms import totals
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
LEARNT, NEAR = 0.9, 1.25
"""The first evaluation over the first training loss, or over the one of its own step, that a fitting model still has."""
NOISE = 2.0
"""How many times what neighbouring values differ by the rise must be: a small validation set has a best value by chance."""
GAINED = 0.02
"""A score this much above that of the lowest loss: the model is surer of its mistakes, but makes fewer."""
_LOWER_IS_BETTER = ("loss", "rmse", "mae", "mse", "error", "l1", "l2", "perplexity", "ppl")
_EVALUATIONS = ("eval_loss", "eval_metric", "eval_loss_part")
_FIXES = ("use-best-checkpoint", "stop-early", "regularise")


def find(facts: Facts, catalogue: Catalogue) -> Iterator[Match]:
    """Yield a match for the first evaluation series that shows it."""
    trained = [*of_role(facts, "loss", "metric"), *(total.series for total in totals(facts, "loss", "loss_part"))]
    training = [points for series in trained if _falls(points := finite(series))]
    if not training:
        return
    for series in of_role(facts, "eval_loss", "eval_metric"):
        if "loss" not in series.name.lower() and not expected(facts.options.task, series.name):
            continue
        lower = any(word in series.name.lower() for word in _LOWER_IS_BETTER)
        match = _match(series, training, facts) if lower else None
        if match is not None:
            yield match
            return
    for total in totals(facts, "eval_loss", "eval_loss_part"):
        if _match(total.series, training, facts) is not None:
            yield from islice(filter(None, (_match(term, training, facts) for term in total.terms)), 1)
            return


def _falls(points: Sequence[Point]) -> bool:
    return len(points) >= FEWEST and points[0].value > 0 and middle(tail(points)) < 0.5 * points[0].value


def _match(series: Series, training: Sequence[Sequence[Point]], facts: Facts) -> Match | None:
    points = finite(series)
    if len(points) < FEWEST:
        return None
    index = min(range(len(points)), key=lambda position: points[position].value)
    best, after = points[index], points[index + 1 :]
    end = middle(tail(points, 0.2))
    if len(after) < max(3, SHARE * len(points)) or best.value <= 0 or end < RISE * best.value:
        return None
    if (index == 0 and not any(_agreed(best, learnt) for learnt in training)) or _scores_better(facts, best.step):
        return None
    if _begins_again(points, index) or end - best.value < NOISE * _unrest(after):
        return None
    claim = f"{series.name} was best at step {best.step:g} ({best.value:g}) and rose to {end:g} while training went on improving"
    match = fired(
        "overfitting",
        "div/overfitting",
        series,
        after[0],
        claim,
        fixes=_FIXES,
        numbers={"best": best.value, "end": end, "evaluations_after": float(len(after))},
        title="The model overfits",
    )
    return from_turn(match, series, best, after[0])


def _unrest(points: Sequence[Point]) -> float:
    """Return by how much neighbouring values usually differ."""
    steps = sorted(abs(later.value - earlier.value) for earlier, later in pairwise(points))
    return steps[len(steps) // 2]


def _begins_again(points: Sequence[Point], best: int) -> bool:
    """Tell whether the steps start over behind the best value: what follows is another run, as of a fold or a search."""
    return any(earlier.step > later.step <= points[0].step for earlier, later in pairwise(points[best:]))


def _agreed(first: Point, learnt: Sequence[Point]) -> bool:
    """Tell whether the first evaluation saw a model that had learnt something, and was about as good as training then.

    One that starts with the untrained model and only rises, or far above training, is of other labels or inputs.
    """
    begun = LEARNT * learnt[0].value
    then = [point.value for point in learnt if point.step <= first.step]
    return first.value <= (max(begun, NEAR * then[-1]) if first.step > learnt[0].step else begun)


def _scores_better(facts: Facts, best: float) -> bool:
    """Tell whether a score of the evaluation went on getting better after the step at which the loss was best."""
    for series in of_role(facts, "eval_metric"):
        points = shares(series)
        before = [point.value for point in points if point.step <= best]
        if before and middle(tail(points, 0.2)) >= max(before) + GAINED:
            return True
    return False


DETECTORS = (
    Detector(
        id="overfitting",
        modes=("div/overfitting",),
        find=find,
        remedies=lambda: {"div/overfitting": _FIXES},
        needs=lambda facts: () if any(of_role(facts, *_EVALUATIONS)) else ("an evaluation series",),
    ),
)
