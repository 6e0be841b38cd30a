"""A loss that never moved, usually because no gradient reaches the weights."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence

from runtriage.detect.curve import begun, cite, finite, fired, middle, of_role, shares
from runtriage.detect.engine import Detector
from runtriage.model.catalogue import Catalogue
from runtriage.model.facts import Facts
from runtriage.model.finding import Evidence, Match
from runtriage.model.pattern import deferred
from runtriage.model.series import Point, Series

FEWEST = 50
FLAT = 1e-3
"""Range over first value: batches alone move a real loss by more."""
FEW, EXACT, DIGITS = 10, 1e-4, 4
"""Prints, range and digits of a loss that is the same to its last digit: means over an epoch need no more of them."""
MANY, NEAR, NOISE = 100, 3e-3, 0.01
"""Prints of a loss that moves with its batches alone; how near its level and its trend are to that of guessing; and its
range: a model that does change moves further from batch to batch, also on labels that cannot be learnt."""
_CLASSES = (*range(2, 21), 100, 200, 1000)
NO_GRADIENT = 1e-12
"""Norm below which nothing arrives at the weights."""
EVALUATIONS, FEWEST_LATE, SURE, ABOUT = 8, 5, 0.95, 0.06
"""Evaluations with one score and losses of the late half; a share of the commonest of two answers; and how near the loss is to their entropy."""
DEARER, UNMOVED, CHANCE = 3.0, 0.9, 0.06
"""Least loss over that of guessing, late over early loss, and how far a score is from that of guessing."""
_BINARY = deferred(r"bce|binary|sigmoid|log_?loss", re.IGNORECASE)
"""Losses of which the number of classes is known."""
_FIXES = ("reconnect-gradients", "check-optimizer-parameters")


def find(facts: Facts, catalogue: Catalogue) -> Iterator[Match]:
    """Yield a match for each training loss that is flat from the start."""
    for series in of_role(facts, "loss"):
        points = finite(series)
        if (fallen := _fell_into_guessing(points)) is not None:
            yield _fallen(series, fallen)
            return
        if not begun(facts, series) or len(points) < FEW or abs(points[0].value) < FLAT or _refreshed(points):
            continue
        spread = max(p.value for p in points) - min(p.value for p in points)
        share = spread / abs(points[0].value)
        classes = _guesses(points, share)
        constant = share <= EXACT and _digits(points[0].value) >= DIGITS
        if not constant and classes is None and (series.total < FEWEST or len(points) < FEWEST or share > FLAT):
            continue
        yield _match(series, points, spread, classes, _idle(facts))
        return
    found = _one_answer(facts) or _dearer(facts)
    if found is not None:
        yield found


def _dearer(facts: Facts) -> Match | None:
    """Find a loss of two classes that costs far more than guessing all along, beside a score of training that is never better than that."""
    judged = [point for series in of_role(facts, "eval_metric") for point in shares(series)]
    for score in of_role(facts, "metric"):
        known = shares(score)
        if len(known) < EVALUATIONS or not _by_chance(known) or not _by_chance(judged):
            continue
        for series in of_role(facts, "loss"):
            points = finite(series)
            half = len(points) // 2
            if (
                not _BINARY.search(series.name)
                or len(points) < FEW
                or min(p.value for p in points) < DEARER * math.log(2)
            ):
                continue
            if middle(points[half:]) >= UNMOVED * middle(points[:half]):
                claim = (
                    f"{series.name} stays at {middle(points):.4g}, where guessing between two classes costs {math.log(2):.3g}, and "
                    f"{score.name} stays at that of guessing"
                )
                return fired(
                    "dearer-than-guessing",
                    "div/plateau-not-learning",
                    series,
                    points[0],
                    claim,
                    fixes=("lower-learning-rate", *_FIXES),
                    numbers={"cost": middle(points), "guessing": math.log(2)},
                    title="The model is surer of wrong answers than one that guesses",
                )
    return None


def _by_chance(points: Sequence[Point]) -> bool:
    """Tell whether a score stays about the share of right answers that guessing between two classes has."""
    return all(abs(point.value - 1 / 2) <= CHANCE for point in points)


def _fell_into_guessing(points: Sequence[Point]) -> list[Point] | None:
    """Return the stretch at the end, half of all values at least, in which a loss that had moved is what guessing costs, to its last digit."""
    begin = len(points)
    while begin > 0 and points[begin - 1].value == points[-1].value:
        begin -= 1
    stretch = list(points[begin:])
    if begin == 0 or len(stretch) < max(FEW, len(points) // 2):
        return None
    level = stretch[0].value
    return stretch if level > 0 and _digits(level) >= DIGITS and guessing(level) is not None else None


def _fallen(series: Series, stretch: Sequence[Point]) -> Match:
    level = stretch[0].value
    claim = (
        f"{series.name} is {level:g} from step {stretch[0].step:g} on, in all {len(stretch)} values to the last: "
        f"what guessing among {guessing(level)} classes costs"
    )
    return fired(
        "plateau",
        "div/plateau-not-learning",
        series,
        stretch[0],
        claim,
        fixes=("lower-learning-rate", *_FIXES),
        numbers={"level": level, "values": float(len(stretch))},
        title="The model fell back to guessing",
    )


def _one_answer(facts: Facts) -> Match | None:
    """Find a loss that stays at what one answer for everything costs, beside a score that is the share of that answer in every evaluation."""
    for score in of_role(facts, "eval_metric", "metric"):
        judged = shares(score)
        if len(judged) < EVALUATIONS or len({point.value for point in judged}) > 1 or not 0.5 <= judged[0].value < SURE:
            continue
        share = judged[0].value
        cost = -(share * math.log(share) + (1 - share) * math.log(1 - share))
        for series in of_role(facts, "loss"):
            points = finite(series)
            late = points[len(points) // 2 :]
            if len(late) >= FEWEST_LATE and all(abs(point.value - cost) <= ABOUT * cost for point in late):
                claim = (
                    f"{score.name} is {judged[0].value:g} in all {len(judged)} evaluations and {series.name} stays near {cost:.3g}, "
                    "what one answer for everything costs"
                )
                return fired(
                    "one-answer",
                    "div/plateau-not-learning",
                    series,
                    late[0],
                    claim,
                    fixes=("lower-learning-rate", *_FIXES),
                    numbers={"share": share, "cost": cost},
                    title="The model gives one answer for everything",
                )
    return None


def _refreshed(points: Sequence[Point]) -> bool:
    """Tell whether the values are one line that was overtyped without a step of its own: a bar may show an old value for long."""
    counted = all(point.step == at for at, point in enumerate(points))
    return counted and points[0].line == points[-1].line > 0


def _guesses(points: Sequence[Point], share: float) -> int | None:
    """Return over how many classes a model that knows nothing has this loss, where it has no trend either."""
    if len(points) < MANY or share > NOISE:
        return None
    fifth = len(points) // 5
    level, early, late = middle(points), middle(points[:fifth]), middle(points[-fifth:])
    return guessing(level) if abs(late - early) <= NEAR * level else None


def guessing(level: float) -> int | None:
    """Return over how many classes a model that knows nothing has this loss; None where it is no such loss."""
    return next((count for count in _CLASSES if abs(level - math.log(count)) <= NEAR * level), None)


def _digits(value: float) -> int:
    return len(f"{abs(value):.6g}".replace(".", "").strip("0"))


def _idle(facts: Facts) -> list[Evidence]:
    """Return what shows that no gradient arrives or no step is made."""
    dead = [norm for norm in of_role(facts, "grad_norm") if _all(norm, lambda value: abs(value) < NO_GRADIENT)]
    idle = [rate for rate in of_role(facts, "lr") if _all(rate, lambda value: value == 0)]
    return [
        Evidence(claim=f"{still.name} is 0 in every step", citation=cite(still, still.points[0]))
        for still in (*dead[:1], *idle[:1])
    ]


def _all(series: Series, holds: Callable[[float], bool]) -> bool:
    return bool(series.points) and all(holds(point.value) for point in finite(series))


def _match(
    series: Series, points: Sequence[Point], spread: float, classes: int | None, also: Sequence[Evidence]
) -> Match:
    claim = f"{series.name} stayed at {points[0].value:g} for {series.total} values, to within {spread:.3g}"
    if classes is not None:
        claim += f": guessing among {classes} classes costs {math.log(classes):.4g}"
    return fired(
        "plateau",
        "div/plateau-not-learning",
        series,
        points[0],
        claim,
        fixes=_FIXES,
        numbers={"spread": spread, "first": points[0].value, "values": float(series.total)},
        also=also,
        title="Nothing is learnt",
    )


DETECTORS = (
    Detector(
        id="plateau",
        modes=("div/plateau-not-learning",),
        find=find,
        remedies=lambda: {"div/plateau-not-learning": ("lower-learning-rate", *_FIXES)},
    ),
)
