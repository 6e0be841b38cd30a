"""An evaluation that prints training's own numbers: both are computed on the same data."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from runtriage.detect.curve import beside, cite, finite, fired, of_role
from runtriage.detect.engine import Detector
from runtriage.model.catalogue import Catalogue
from runtriage.model.facts import Facts
from runtriage.model.finding import Evidence, Match
from runtriage.model.pattern import deferred
from runtriage.model.series import Point, Series

FEWEST, DISTINCT, DIGITS = 5, 4, 3
"""Equal pairs, different values among them, and digits of each: fewer may be equal by chance."""
_PART = deferred(
    r"^(?:train(?:ing)?|eval(?:uation)?|val(?:id(?:ation)?)?|test|dev|epoch)(?:_?\d{1,3})?(?:'s)?[-_/ ]{1,2}",
    re.IGNORECASE,
)
_OF_TRAINING = deferred(r"^(?:train|tr_|fit)", re.IGNORECASE)
_MODE = "eval/data-leakage-split"
_FIXES = ("load-evaluation-split", "split-by-group")


def find(facts: Facts, catalogue: Catalogue) -> Iterator[Match]:
    """Yield a match for the first evaluation whose every value is the one that training printed at the same step."""
    trains = list(of_role(facts, "loss", "metric"))
    for evaluation in of_role(facts, "eval_loss", "eval_metric"):
        for train in trains:
            if quantity(train.name) != quantity(evaluation.name) or train.subject.rank != evaluation.subject.rank:
                continue
            if train.artifact != evaluation.artifact and _OF_TRAINING.match(train.name) is None:
                continue  # a score that does not say whose it is, in another file: the evaluation itself is written twice
            pairs = beside(finite(train), finite(evaluation))
            if _same(pairs):
                yield _match(train, evaluation, pairs)
                return


def quantity(name: str) -> str:
    """Return what a series measures, without whose it is."""
    plain = name.lower()
    while (found := _PART.match(plain)) is not None:
        plain = plain[found.end() :]
    return plain


def _same(pairs: Sequence[tuple[Point, Point]]) -> bool:
    if len(pairs) < FEWEST or any(one.value != two.value for one, two in pairs):
        return False
    values = {two.value for _, two in pairs}
    precise = sum(len(f"{abs(value):.6g}".replace(".", "").strip("0")) >= DIGITS for value in values)
    return len(values) >= DISTINCT and precise >= DISTINCT


def _match(train: Series, evaluation: Series, pairs: Sequence[tuple[Point, Point]]) -> Match:
    trained, judged = pairs[-1]
    claim = (
        f"{evaluation.name} equals {train.name} to the last digit in all {len(pairs)} evaluations, from {pairs[0][1].value:g} at "
        f"step {pairs[0][1].step:g} to {judged.value:g} at step {judged.step:g}"
    )
    return fired(
        "eval-copies-train",
        _MODE,
        evaluation,
        judged,
        claim,
        fixes=_FIXES,
        numbers={"evaluations": float(len(pairs)), "last": judged.value},
        also=[Evidence(claim=f"{train.name} is {trained.value:g}", citation=cite(train, trained))],
        title="Evaluation is computed on the training data",
    )


DETECTORS = (
    Detector(
        id="eval-copy",
        modes=(_MODE,),
        find=find,
        remedies=lambda: {_MODE: _FIXES},
        needs=lambda facts: () if any(of_role(facts, "eval_loss", "eval_metric")) else ("an evaluation series",),
    ),
)
