"""An evaluation that stays the same whatever training learns: it looks at other weights, or its score is computed wrongly."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from runtriage.detect.curve import cite, finite, fired, first_of, from_turn, of_role, shares
from runtriage.detect.engine import Detector
from runtriage.model.catalogue import Catalogue
from runtriage.model.facts import Facts
from runtriage.model.finding import Evidence, Match
from runtriage.model.naming import meaning
from runtriage.model.series import Point, Series

FEWEST, FEWEST_SCORES = 4, 6
"""Equal evaluations before they say anything; scores of few samples stay the same by chance more often than losses."""
STILL, WELL, DIGITS = 0.7, 0.3, 3
"""Training has learnt when its loss fell to the first part, well to the second; fewer digits may stay the same by chance."""
ALIKE = 0.8
"""Last loss of training over that of the evaluation from which both have learnt as much."""
SATURATED = 0.9
"""A score from here up may have nothing left to gain, or be the share of the largest class."""
POOR, FLAT, HALVED, SETTLED = 0.6, 0.02, 0.5, 2
"""A poor score that does not move while the evaluation's own loss halves, counted from its third value on: the first ones
may only lose what a bad start had left."""
_WEIGHTS, _METRIC = "eval/wrong-checkpoint", "eval/metric-reduction-bug"
_WEIGHT_FIXES = ("evaluate-trained-weights",)
_METRIC_FIXES = ("evaluate-on-training-batch", "check-target-type")


def find(facts: Facts, catalogue: Catalogue) -> Iterator[Match]:
    """Yield a match for the first evaluation that does not move while what it judges does."""
    train = first_of(facts, "loss") or first_of(facts, "loss_part")
    learnt = finite(train) if train is not None else []
    match = _score_beside_loss(facts) or _same_loss(facts, learnt) or _same_score(facts, learnt)
    if match is not None:
        yield match


def _fell(points: Sequence[Point], to: float) -> bool:
    return len(points) >= 3 and points[0].value > 0 and points[-1].value <= to * points[0].value


def _same_loss(facts: Facts, learnt: Sequence[Point]) -> Match | None:
    for evaluation in of_role(facts, "eval_loss"):
        judged = finite(evaluation)
        if (
            _same(judged)
            and _evaluations(judged, learnt) >= FEWEST
            and _precise(judged[0].value)
            and _fell(learnt, STILL)
        ):
            return _frozen(evaluation, judged)
    return None


def _same_score(facts: Facts, learnt: Sequence[Point]) -> Match | None:
    for evaluation in of_role(facts, "eval_metric"):
        share = shares(evaluation)
        judged = share or finite(evaluation)
        if (
            not _same(judged)
            or _evaluations(judged, learnt) < FEWEST_SCORES
            or (share and judged[0].value >= SATURATED)
        ):
            continue
        told = _worst(evaluation, judged[0].value) or _precise(judged[0].value)
        if told and _fell(learnt, WELL) and not _no_better(facts, learnt):
            return _frozen(evaluation, judged)
    return None


def _no_better(facts: Facts, learnt: Sequence[Point]) -> bool:
    """Tell whether the loss of the evaluation is about that of training at the end: what does not move there was not learnt either."""
    judged = [finite(series) for series in of_role(facts, "eval_loss")]
    return any(points and learnt[-1].value >= ALIKE * points[-1].value for points in judged)


def _evaluations(judged: Sequence[Point], learnt: Sequence[Point]) -> int:
    """Return how many evaluations there were at most: a bar shows the last one beside every loss until the next."""
    losses = {point.byte for point in learnt if point.byte >= 0}
    if not all(point.byte in losses for point in judged):
        return len(judged)
    until_first = sum(point.byte < judged[0].byte for point in learnt)
    return len(judged) // max(until_first, 1)


def _worst(evaluation: Series, value: float) -> bool:
    """Tell whether nothing at all was answered rightly; a share of errors then is one, or a hundred."""
    errs = meaning(evaluation.name).better == "lower"
    return value in (1.0, 100.0) if errs else value == 0


def _frozen(evaluation: Series, judged: Sequence[Point]) -> Match:
    claim = f"{evaluation.name} is {judged[0].value:g} in all {len(judged)} evaluations while training learns"
    match = fired(
        "eval-frozen",
        _WEIGHTS,
        evaluation,
        judged[0],
        claim,
        fixes=_WEIGHT_FIXES,
        numbers={"evaluations": float(len(judged)), "value": judged[0].value},
        title="Evaluation never sees what training learns",
    )
    return from_turn(match, evaluation, judged[0], judged[1])


def _score_beside_loss(facts: Facts) -> Match | None:
    """Find a score that stays poor and still while the loss of the very evaluations goes down: the score is at fault."""
    losses = [
        (series, points) for series in of_role(facts, "eval_loss") if len(points := finite(series)) >= FEWEST_SCORES
    ]
    for loss, points in losses:
        if not _fell(points[SETTLED:], HALVED):
            continue
        for evaluation in of_role(facts, "eval_metric"):
            values = [point.value for point in shares(evaluation)]
            if len(values) < FEWEST_SCORES or max(values) > POOR or max(values) - min(values) > FLAT:
                continue
            claim = (
                f"{evaluation.name} stays between {min(values):g} and {max(values):g} in {len(values)} evaluations whose "
                f"{loss.name} fell from {points[0].value:g} to {points[-1].value:g}"
            )
            return fired(
                "score-beside-loss",
                _METRIC,
                evaluation,
                evaluation.points[0],
                claim,
                fixes=_METRIC_FIXES,
                numbers={"best_score": max(values), "first_loss": points[0].value, "last_loss": points[-1].value},
                also=[Evidence(claim=f"{loss.name} is {points[-1].value:g}", citation=cite(loss, points[-1]))],
                title="The score does not move while its own loss falls",
            )
    return None


def _same(points: Sequence[Point]) -> bool:
    return len({point.value for point in points}) == 1


def _precise(value: float) -> bool:
    """Tell whether a value is printed so precisely that it cannot stay the same by chance."""
    digits = f"{value:.6g}".replace(".", "").strip("0")
    return len(digits) >= DIGITS


DETECTORS = (
    Detector(
        id="eval-constant",
        modes=(_WEIGHTS, _METRIC),
        find=find,
        remedies=lambda: {_WEIGHTS: _WEIGHT_FIXES, _METRIC: _METRIC_FIXES},
        needs=lambda facts: () if any(of_role(facts, "eval_loss", "eval_metric")) else ("an evaluation series",),
    ),
)
