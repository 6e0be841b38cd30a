"""A loss that came to rest after its first values at what a model costs that knows nothing, or while no gradient arrives."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Final

from runtriage.detect.curve import begun, cite, finite, fired, middle, of_role, shares
from runtriage.detect.engine import Detector
from runtriage.detect.plateau import NO_GRADIENT
from runtriage.model.catalogue import Catalogue
from runtriage.model.facts import Facts
from runtriage.model.finding import Evidence, Match
from runtriage.model.series import Point, Series

REST: Final = 20
"""Prints of a loss at rest; means over an epoch, of which there are fewer than of batches, need no more."""
STILL: Final = 1e-3
"""Range over level of a loss at rest: what still learns, or whose batches differ, moves further."""
EARLY: Final = 0.25
"""Part of the prints in which the loss may come to rest; later, it may well have learnt before."""
CLASSES: Final = (*range(3, 21), 100, 200, 1000)
NEAR: Final = 0.01
"""How near the loss is to the entropy of an answer that is right as often as the score says."""
CHANCE = 0.8, 2.0
"""The score of a model that knows nothing, over one in so many classes: the commonest of them may be twice as common as the mean."""
_MODE: Final = "div/plateau-not-learning"
_FIXES: Final = ("lower-learning-rate", "reconnect-gradients", "check-optimizer-parameters")


def find(facts: Facts, catalogue: Catalogue) -> Iterator[Match]:
    """Yield a match for the first training loss that rests where nothing was learnt."""
    for series in of_role(facts, "loss"):
        points = finite(series)
        if series.nonfinite or not begun(facts, series):
            continue
        rest = _rest(points)
        if rest:
            found = _dead(series, rest, facts) or _guessing(series, rest, facts)
            if found is not None:
                yield found
                return


def _rest(points: Sequence[Point]) -> Sequence[Point]:
    """Return the points from where on a loss does not move any more; none where it does, or only came to rest late."""
    last = min(int(EARLY * len(points)), len(points) - REST)
    values = [point.value for point in points]
    least, greatest = (list(accumulate(reversed(values), each))[::-1] for each in (min, max))
    for at in range(1, last + 1):
        low, high = least[at], greatest[at]
        # the middle is no further from zero than one of them: it is seldom asked for
        if high - low <= STILL * max(abs(low), abs(high)) and high - low <= STILL * abs(middle(points[at:])):
            return points[at:]
    return ()


def _dead(series: Series, rest: Sequence[Point], facts: Facts) -> Match | None:
    """Find a gradient that is nothing in every print beside a loss at rest."""
    for norm in facts.series:
        if (norm.artifact, norm.subject) != (series.artifact, series.subject) or not _of_gradients(norm):
            continue
        points = finite(norm)
        if len(points) >= REST and all(abs(point.value) < NO_GRADIENT for point in points):
            claim = f"{norm.name} is 0 in all {len(points)} prints, and {series.name} stays at {rest[-1].value:g} from step {rest[0].step:g} on"
            also = [Evidence(claim=f"{series.name} does not move from here on", citation=cite(series, rest[0]))]
            return fired(
                "no-gradient",
                _MODE,
                norm,
                points[0],
                claim,
                fixes=_FIXES,
                numbers={"level": middle(rest), "prints": float(len(rest))},
                also=also,
                title="No gradient arrives and nothing is learnt",
            )
    return None


def _of_gradients(series: Series) -> bool:
    return series.role == "grad_norm" or (series.role is None and "grad" in series.name.lower())


def _guessing(series: Series, rest: Sequence[Point], facts: Facts) -> Match | None:
    """Find a score of chance beside a loss at rest at the entropy of an answer that is right as often."""
    level = middle(rest)
    for score in of_role(facts, "metric", "eval_metric"):
        judged = shares(score)[len(rest) // 2 :]
        share = middle(judged) if len(judged) >= REST // 2 else 0.0
        for count in CLASSES:
            if CHANCE[0] <= share * count <= CHANCE[1] and abs(level - _entropy(share, count)) <= NEAR * level:
                claim = (
                    f"{series.name} stays at {level:g} from step {rest[0].step:g} on, and {score.name} at {share:.3g}: "
                    f"what one answer for everything reaches among {count} classes"
                )
                return fired(
                    "at-chance",
                    _MODE,
                    series,
                    rest[0],
                    claim,
                    fixes=_FIXES,
                    numbers={"level": level, "share": share, "classes": float(count)},
                    title="The model answers no better than by chance",
                )
    return None


def _entropy(share: float, count: int) -> float:
    """Return the entropy of classes of which one has a share and the others have the rest alike."""
    rest = 1 - share
    return -(share * math.log(share) + rest * math.log(rest / (count - 1)))


DETECTORS = (Detector(id="settled", modes=(_MODE,), find=find, remedies=lambda: {_MODE: _FIXES}),)
