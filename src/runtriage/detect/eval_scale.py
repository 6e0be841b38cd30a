"""A loss of the evaluation that its own accuracy refutes: it is summed where it should be averaged, or averaged over something else."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence

from runtriage.detect.curve import cite, finite, fired, middle, of_role, shares, shown
from runtriage.detect.engine import Detector
from runtriage.model.catalogue import Catalogue
from runtriage.model.facts import Facts
from runtriage.model.finding import Evidence, Match
from runtriage.model.naming import measure, plain_name
from runtriage.model.series import Point, Series

FEWEST = 3
RIGHT = 0.5
"""Share of right answers from which on what the wrong ones cost says something."""
DEAREST = 60.0
"""Cost of one wrong answer, in nats, that no model comes to on average: the odds would be 1 to 1e26 against what is right."""
LEAST, TIMES = 3.0, 5.0
"""Least loss of the evaluation, and how many times that of training it is in every evaluation."""
NEAR = 0.1
"""How far the logarithm of a printed perplexity is from the loss it was made of, at most."""
_PARTS = frozenset({"token", "tok", "char", "frame", "phone", "phoneme", "subword", "word", "pixel"})
_SEQUENCES = frozenset({"ctc", "rnnt", "transducer", "wer", "cer", "per", "bleu", "chrf", "rouge", "rougel", "ter"})
"""What a sequence is told apart into, and measures that only sequences have."""
_PERPLEXITIES = frozenset({"ppl", "perplexity"})
_MODE = "eval/loss-normalisation"
_FIXES = ("evaluate-on-training-batch", "compare-with-batch-one")


def find(facts: Facts, catalogue: Catalogue) -> Iterator[Match]:
    """Yield a match for a loss that would make each wrong answer of the evaluation dearer than any model can."""
    trains = [finite(series) for series in of_role(facts, "loss")]
    for series in facts.series:
        judged = finite(series) if series.role == "eval_loss" and measure(series.name) != "mse" else []
        if len(judged) < FEWEST:
            continue
        beside = _beside(series, facts)
        known = [(point, beside[point.line][1]) for point in judged if point.line > 0 and point.line in beside]
        if _of_sequences(beside.values(), facts) and not _as_perplexity(judged, series, facts):
            continue
        if len(known) < FEWEST or not all(_refuted(point.value, right) for point, right in known):
            continue
        if all(any(_far_above(train, point) for train in trains) for point, _ in known):
            yield _match(series, known, beside[known[-1][0].line][0])
            return


def _of_sequences(scores: Iterable[tuple[Series, float]], facts: Facts) -> bool:
    """Tell whether answers are tokens of sequences: a loss may then be meant as that of a whole sequence, as a sum or as CTC has it."""
    words = {word for score, _ in scores for word in plain_name(score.name).split("_")}
    named = {word for series in facts.series for word in plain_name(series.name).split("_")}
    return bool(words & _PARTS or named & _SEQUENCES)


def _as_perplexity(judged: Sequence[Point], series: Series, facts: Facts) -> bool:
    """Tell whether the run itself takes a loss for an average over tokens: it prints its exponential as the perplexity."""
    costs = {point.line: point.value for point in judged}
    told = [
        (costs[point.line], point.value)
        for other in facts.series
        if other.artifact == series.artifact and _PERPLEXITIES & set(plain_name(other.name).split("_"))
        for point in finite(other)
        if point.line in costs
    ]
    return len(told) >= FEWEST and all(power > 0 and abs(math.log(power) - cost) <= NEAR for cost, power in told)


def _beside(series: Series, facts: Facts) -> dict[int, tuple[Series, float]]:
    """Return the shares of right answers that are printed on the lines of a loss."""
    return {
        point.line: (score, point.value)
        for score in facts.series
        if score.artifact == series.artifact and score.role in ("metric", "eval_metric") and "acc" in score.name.lower()
        for point in shares(score)
    }


def _refuted(loss: float, right: float) -> bool:
    return RIGHT <= right < 1 and loss >= LEAST and loss >= DEAREST * (1 - right)


def _far_above(train: Sequence[Point], point: Point) -> bool:
    before = [each for each in train if each.line <= point.line][-FEWEST:]
    return bool(before) and point.value >= TIMES * middle(before) > 0


def _match(series: Series, known: Sequence[tuple[Point, float]], score: Series) -> Match:
    last, right = known[-1]
    claim = (
        f"{series.name} is {shown(last.value)} where {score.name} is {shown(right)}: each wrong answer would cost "
        f"{shown(round(last.value / (1 - right), 1))}, which no average over answers comes to"
    )
    return fired(
        "eval-loss-refuted",
        _MODE,
        series,
        last,
        claim,
        fixes=_FIXES,
        numbers={"loss": last.value, "right": right},
        also=[Evidence(claim=f"{series.name} in its first evaluation", citation=cite(series, known[0][0]))],
        title="The loss of the evaluation is not averaged as that of training is",
    )


DETECTORS = (Detector(id="eval-scale", modes=(_MODE,), find=find, remedies=lambda: {_MODE: _FIXES}),)
