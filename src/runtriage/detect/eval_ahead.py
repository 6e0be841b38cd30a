"""A validation that is nearly done before training begins: what training then learns adds nothing to it, so it knows its answers from elsewhere."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from runtriage.detect.curve import beside, cite, finite, fired, middle, of_role, shares
from runtriage.detect.engine import Detector
from runtriage.detect.eval_copy import quantity
from runtriage.model.catalogue import Catalogue
from runtriage.model.facts import Facts
from runtriage.model.finding import Evidence, Match
from runtriage.model.series import Point, Series

FEWEST = 4
"""Evaluations."""
GOOD, AHEAD = 0.9, 0.2
"""Least score of the first evaluation, and how far every one is ahead of training at its step."""
CHEAP = 0.35
"""Validation loss over training loss in every evaluation, where both are printed."""
LEARNS, LATE = 0.5, 0.06
"""Last over first training loss, and last over middle third of its score: mixed labels and dropout also keep training far below
validation, but then it soon gets no better."""
_MODE = "eval/data-leakage-split"
_FIXES = ("split-by-group", "evaluate-on-training-batch")


def find(facts: Facts, catalogue: Catalogue) -> Iterator[Match]:
    """Yield a match for the first score of an evaluation that was far ahead of training from its first value to its last."""
    losses = [points for series in of_role(facts, "loss") if (points := finite(series))]
    if not any(0 < points[-1].value <= LEARNS * points[0].value for points in losses) or not _cheap(facts):
        return
    for evaluation in of_role(facts, "eval_metric"):
        judged = shares(evaluation)
        if len(judged) < FEWEST or judged[0].value < GOOD:
            continue
        for train in of_role(facts, "metric"):
            pairs = beside(shares(train), judged) if quantity(train.name) == quantity(evaluation.name) else []
            if (
                len(pairs) >= FEWEST
                and _learns_late(pairs)
                and all(two.value - one.value >= AHEAD for one, two in pairs)
            ):
                yield _match(train, evaluation, pairs)
                return


def _cheap(facts: Facts) -> bool:
    """Tell whether the loss of the evaluations, where it is printed beside training's, is a fraction of that in all of them."""
    trained = [finite(series) for series in of_role(facts, "loss")]
    judged = [finite(series) for series in of_role(facts, "eval_loss")]
    both = [pairs for one in trained for two in judged if len(pairs := beside(one, two)) >= FEWEST]
    return all(two.value <= CHEAP * one.value for pairs in both for one, two in pairs)


def _learns_late(pairs: Sequence[tuple[Point, Point]]) -> bool:
    third = max(len(pairs) // 3, 1)
    trained = [one for one, _ in pairs]
    return middle(trained[-third:]) - middle(trained[third : len(trained) - third]) >= LATE


def _match(train: Series, evaluation: Series, pairs: Sequence[tuple[Point, Point]]) -> Match:
    one, two = pairs[0]
    least = min(judged.value - trained.value for trained, judged in pairs)
    claim = (
        f"{evaluation.name} is {two.value:g} at its first evaluation, where {train.name} is {one.value:g}, and stays at least "
        f"{least:.2g} ahead in all {len(pairs)} evaluations while training still learns"
    )
    last = pairs[-1][0]
    return fired(
        "eval-ahead",
        _MODE,
        evaluation,
        two,
        claim,
        fixes=_FIXES,
        numbers={"first_eval": two.value, "first_train": one.value, "ahead": least},
        also=[Evidence(claim=f"{train.name} is {last.value:g} at step {last.step:g}", citation=cite(train, last))],
        title="Validation is far ahead of training from its first value on",
    )


DETECTORS = (
    Detector(
        id="eval-ahead",
        modes=(_MODE,),
        find=find,
        remedies=lambda: {_MODE: _FIXES},
        needs=lambda facts: () if any(of_role(facts, "eval_metric")) else ("an evaluation series",),
    ),
)
