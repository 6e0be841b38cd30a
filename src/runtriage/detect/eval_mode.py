"""Training rows that score far worse when they are evaluated than in training itself: the evaluation runs another model than training does."""

from __future__ import annotations

from collections.abc import Iterator

from runtriage.detect.curve import cite, finite, fired, shares, shown
from runtriage.detect.engine import Detector
from runtriage.detect.settings import explained
from runtriage.model.catalogue import Catalogue
from runtriage.model.facts import Facts
from runtriage.model.finding import Evidence, Match
from runtriage.model.naming import plain_name
from runtriage.model.series import Series

FEWEST = 3
APART, TIMES, LEAST = 0.3, 10.0, 1.0
"""How far below its own score in training, or how many times as high a loss, the same rows are; and the least such loss."""
_EVALUATED = frozenset({"eval", "evaluated", "evaluation", "inference", "infer"})
_PLAIN = frozenset({"train", "training", "running", "mean", "avg", "average", "tr"})
_MODE = "eval/train-mode-on"
_FIXES = ("evaluate-on-training-batch", "compare-with-batch-one")


def find(facts: Facts, catalogue: Catalogue) -> Iterator[Match]:
    """Yield a match for the first score of training rows in evaluation that is far from what training itself reaches on its own."""
    match = of_training_rows(facts)
    if match is not None:
        yield explained(match, facts)


def of_training_rows(facts: Facts) -> Match | None:
    """Return such a match: rows and labels are those of training, so that neither can be the reason; None where there is none."""
    for judged in facts.series:
        words = plain_name(judged.name).split("_")
        if _EVALUATED.isdisjoint(words) or not any(word.startswith("train") for word in words):
            continue
        for train in facts.series:
            own = plain_name(train.name).split("_")
            learnt = own[-1] == words[-1] and {*own[:-1]} <= _PLAIN and len(own) > 1
            if learnt and train.artifact == judged.artifact and (match := _match(train, judged)) is not None:
                return match
    return None


def _match(train: Series, judged: Series) -> Match | None:
    learnt, seen = finite(train)[-FEWEST:], finite(judged)[-FEWEST:]
    scores, others = shares(train)[-FEWEST:], shares(judged)[-FEWEST:]
    if len(seen) < FEWEST or len(learnt) < FEWEST:
        return None
    pairs = zip(scores, others, strict=False)
    lower = len(scores) == len(others) == FEWEST and all(one.value - two.value >= APART for one, two in pairs)
    losses = "loss" in judged.name.lower()
    dearer = losses and all(two.value >= max(LEAST, TIMES * one.value) for one, two in zip(learnt, seen, strict=True))
    if not (lower or dearer):
        return None
    last = seen[-1]
    return fired(
        "train-rows-evaluated",
        _MODE,
        judged,
        last,
        f"{judged.name} is {shown(last.value)} where {train.name} is {shown(learnt[-1].value)}: the same rows are worse once they are evaluated",
        fixes=_FIXES,
        numbers={"evaluated": last.value, "trained": learnt[-1].value},
        also=[Evidence(claim=f"{train.name} is {shown(learnt[-1].value)}", citation=cite(train, learnt[-1]))],
        title="Training rows are judged by another model than was trained",
    )


DETECTORS = (Detector(id="eval-mode", modes=(_MODE,), find=find, remedies=lambda: {_MODE: _FIXES}),)
