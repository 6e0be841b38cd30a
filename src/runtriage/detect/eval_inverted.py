"""An evaluation that gets worse the more training learns, from its very first value on: its labels or inputs say the opposite."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from runtriage.detect.curve import cite, finite, fired, first_of, middle, of_role, shares, tail, untrained_at_first
from runtriage.detect.engine import Detector
from runtriage.model.catalogue import Catalogue
from runtriage.model.facts import Facts
from runtriage.model.finding import Evidence, Match
from runtriage.model.series import Point, Series

FEWEST, MANY = 4, 6
"""Evaluations; more of them where only their slow rise speaks."""
GOOD, LEARNT = 0.8, 0.5
"""Training has learnt when its score came this far or its loss fell to this part."""
INVERTED = 0.35
"""An AUC this low says more about the labels than one of a half: turned round, it would be a good one."""
LOST, LOW = 0.5, 0.3
"""End over first value, and the end itself, of a score that training destroys."""
UNTRAINED, SAME = 0.75, 0.1
"""Second over first training loss from which the first one counts as that of an untrained model, and how near to it evaluation began."""
RISEN = 1.3
FAR, LEVEL = 1.5, 0.95
"""Least evaluation loss over that of the untrained model, and last over first of one that training does not help at all."""
_MODE = "eval/label-mapping"
_FIXES = ("check-score-direction", "compare-label-maps", "evaluate-on-training-batch")


def find(facts: Facts, catalogue: Catalogue) -> Iterator[Match]:
    """Yield a match for the first evaluation that goes the other way."""
    train = _learnt(facts)
    if train is None:
        return
    match = _score(facts, train) or _rising(facts) or _far(facts)
    if match is not None:
        yield match


def _learnt(facts: Facts) -> Series | None:
    """Return the series that shows best that training succeeded."""
    for series in of_role(facts, "metric"):
        points = shares(series)
        if len(points) >= FEWEST and middle(tail(points)) >= GOOD:
            return series
    loss = first_of(facts, "loss")
    points = finite(loss) if loss is not None else []
    fell = len(points) >= FEWEST and 0 < middle(tail(points)) <= LEARNT * points[0].value
    return loss if fell else None


def _score(facts: Facts, train: Series) -> Match | None:
    for evaluation in of_role(facts, "eval_metric"):
        points = shares(evaluation)
        if len(points) < FEWEST:
            continue
        first, end = points[0].value, middle(tail(points))
        ranking = "auc" in evaluation.name.lower() and "aucpr" not in evaluation.name.lower()
        if not (ranking and end <= INVERTED and max(p.value for p in points) <= 0.6) and not (
            not ranking and end <= LOST * first and end <= LOW and _only_falls(points)
        ):
            continue
        claim = (
            f"{evaluation.name} went from {first:g} to {points[-1].value:g} while {train.name} came to "
            f"{finite(train)[-1].value:g}: the better training knows its labels, the worse it answers these"
        )
        return _match("eval-inverted", evaluation, points[-1], claim, {"first": first, "end": end}, train)
    return None


def _only_falls(points: Sequence[Point]) -> bool:
    """Tell whether a score never came back once it was going down: one that training first raised was lost otherwise."""
    values = [point.value for point in points]
    best = values.index(max(values))
    falls = sum(later < earlier for earlier, later in pairwise(values))
    gradual = (
        len(set(values)) >= FEWEST
    )  # one step down is another model or another set, not another meaning of the labels
    return gradual and best <= len(values) // 4 and falls >= 0.6 * (len(values) - 1)


def _rising(facts: Facts) -> Match | None:
    """Find an evaluation loss that began as the untrained model's and only rose, in prints fine enough to show that."""
    for evaluation in of_role(facts, "eval_loss"):
        judged = finite(evaluation)
        if len(judged) < MANY or judged[0].value <= 0:
            continue
        for train in of_role(facts, "loss"):
            learnt = finite(train)
            if not _barely_begun(learnt, judged[0]) or learnt[-1].value > LEARNT * learnt[0].value:
                continue
            values = [point.value for point in judged]
            rises = sum(later >= earlier for earlier, later in pairwise(values))
            if min(values) < 0.99 * values[0] or values[-1] < RISEN * values[0] or rises < 0.7 * (len(values) - 1):
                continue
            claim = (
                f"{evaluation.name} rose from the {values[0]:g} of the untrained model (step {judged[0].step:g}) to {values[-1]:g} "
                f"and was never lower, while {train.name} fell from {learnt[0].value:g} to {learnt[-1].value:g}"
            )
            numbers = {"untrained": values[0], "end": values[-1], "train": learnt[-1].value}
            return _match("eval-only-rises", evaluation, judged[1], claim, numbers, train)
    return None


def _barely_begun(learnt: Sequence[Point], judged: Point) -> bool:
    """Tell whether training had learnt next to nothing where the evaluation began, and the two agreed there."""
    if len(learnt) < MANY or judged.step > learnt[0].step or learnt[0].value <= 0:
        return False
    return (
        learnt[1].value >= UNTRAINED * learnt[0].value and abs(judged.value - learnt[0].value) <= SAME * learnt[0].value
    )


def _far(facts: Facts) -> Match | None:
    """Find an evaluation loss far above the untrained model's that nothing of what training learns brings down."""
    train, evaluation = first_of(facts, "loss"), first_of(facts, "eval_loss")
    learnt, judged = finite(train) if train else [], finite(evaluation) if evaluation else []
    if train is None or evaluation is None or len(learnt) < MANY or len(judged) < FEWEST or _good(facts):
        return None
    least = min(point.value for point in judged)
    if not untrained_at_first(learnt):
        return None
    if learnt[0].value <= 0 or middle(tail(learnt)) > LEARNT * learnt[0].value or least < FAR * learnt[0].value:
        return None
    if judged[-1].value < LEVEL * judged[0].value:
        return None
    claim = (
        f"{evaluation.name} is {least:g} or more in all {len(judged)} evaluations, above the {learnt[0].value:g} that training "
        f"began with, and {train.name} coming down to {learnt[-1].value:g} does not change it"
    )
    numbers = {"least": least, "untrained": learnt[0].value, "train": learnt[-1].value}
    return _match("eval-far-above", evaluation, judged[0], claim, numbers, train)


def _good(facts: Facts) -> bool:
    scores = (shares(series) for series in of_role(facts, "eval_metric"))
    return any(max(point.value for point in points) > LEARNT for points in scores if points)


def _match(rule: str, evaluation: Series, at: Point, claim: str, numbers: dict[str, float], train: Series) -> Match:
    last = finite(train)[-1]
    return fired(
        rule,
        _MODE,
        evaluation,
        at,
        claim,
        fixes=_FIXES,
        numbers=numbers,
        also=[Evidence(claim=f"{train.name} is {last.value:g} at step {last.step:g}", citation=cite(train, last))],
        title="Evaluation gets worse the more training learns",
    )


DETECTORS = (
    Detector(
        id="eval-inverted",
        modes=(_MODE,),
        find=find,
        remedies=lambda: {_MODE: _FIXES},
        needs=lambda facts: () if any(of_role(facts, "eval_loss", "eval_metric")) else ("an evaluation series",),
    ),
)
