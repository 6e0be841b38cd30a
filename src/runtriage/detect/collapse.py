"""Outputs or representations that became nearly one point: what spreads them fell by orders of magnitude, and what they are good for fell with it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from runtriage.detect.claims import evidence
from runtriage.detect.curve import cite, finite, fired, head, middle, of_role, shares, shown, tail
from runtriage.detect.engine import Detector
from runtriage.detect.settings import explained
from runtriage.model.catalogue import Catalogue
from runtriage.model.event import STATEMENT
from runtriage.model.event_names import BASELINE
from runtriage.model.facts import Facts
from runtriage.model.finding import Evidence, Match
from runtriage.model.naming import improves, plain_name
from runtriage.model.series import Point, Series

FEWEST = 8
# fmt: off
_SPREADS = frozenset({"std", "stdev", "stddev", "sd", "var", "variance", "spread", "dispersion", "entropy", "ecart", "streuung"})
_COUNTS = frozenset({"unique", "distinct", "diversity", "usage", "used", "active", "erank", "rank", "perplexity", "alive"})
_OF_OUTPUTS = frozenset({
    "emb", "embed", "embedding", "embeddings", "feat", "feature", "features", "z", "latent", "latents", "repr", "representation",
    "proj", "projection", "code", "codes", "codebook", "vq", "pred", "preds", "prediction", "predictions", "output", "outputs",
    "cluster", "clusters", "assign", "assignment", "assignments", "router", "expert", "experts", "head", "token", "tokens", "sample", "samples", "fake", "generated",
})
# fmt: on
"""Whose spread it is: of what a model makes. The spread of gradients, noise, policies and batches may shrink in a run that is well."""
FALLEN, FEWER = 30.0, 8.0
"""How many times as much a spread, and a count of what is told apart, was at first."""
HALF_GONE = 5.0
"""The same where something else tells as well that it is gone."""
_PARTS = frozenset({"modes", "mode", "hit", "perplexity"})
_CHOSEN = frozenset({"codebook", "codes", "code", "router", "gate", "expert", "experts"})
"""Parts of a model that outputs are spread over: where only a thirtieth is in use the others are dead, whatever else is said."""
_WIDTHS = frozenset({"std", "stdev", "stddev", "sd", "var", "variance", "spread", "dispersion", "ecart", "streuung"})
"""Spreads of values: an entropy may go to nothing in a model that became sure."""
NOTHING, ENDING = 1e-4, 2
"""Part of what a spread was that is none, and the values at the end that are."""
BACK = 0.3
"""Part of the beginning that no later value may come back to."""
ROSE = 0.9
"""Part of its rise that a score still has at the end which tells that nothing is lost."""
_ERRORS = frozenset({"rmse", "wer", "cer"})
LOST, LEAST = 0.6, 0.05
"""Part of its best that a score comes down to when the spread is gone, and the least best score that can be lost."""
_BATCHES = tuple(2**power for power in range(4, 17))
NEAR = 3e-3
"""How near a loss is to that of guessing."""
_MODE = "div/representation-collapse"
_FIXES = ("return-to-earlier-checkpoint", "lower-learning-rate", "keep-representations-apart")


def find(facts: Facts, catalogue: Catalogue) -> Iterator[Match]:
    """Yield a match for the first spread of what a model makes that is gone, with a score that went with it.

    Where a score of what the model is good for ends as well as it ever was, its outputs were to become sure.
    """
    if any(map(_rose, facts.series)):
        return
    for series in facts.series:
        words = set(plain_name(series.name).split("_"))
        if _OF_OUTPUTS.isdisjoint(words) or not words & (_SPREADS | _COUNTS):
            continue
        points = finite(series)
        if len(points) < FEWEST:
            continue
        if words & _WIDTHS and _at_one_point(points):
            yield explained(_one_point(series, points), facts)
            return
        times = FALLEN if words & _SPREADS else FEWER
        lost = _lost_score(facts) or _lost_beside(facts) if _gone(points, HALF_GONE) else None
        if lost is not None or (_gone(points, times) and (lost := _other(series, facts)) is not None):
            yield explained(_match(series, points, lost), facts)
            return
    rest = _at_guessing(facts)
    if rest is not None:
        yield explained(rest, facts)


def _at_one_point(points: Sequence[Point]) -> bool:
    """Tell whether what a model makes ends with no spread at all, beside what it had: nothing that fits any data does."""
    start = middle(head(points))
    return start > 0 and all(0 <= point.value <= NOTHING * start for point in points[-ENDING:])


def _one_point(series: Series, points: Sequence[Point]) -> Match:
    start, end = middle(head(points)), points[-1]
    onset = len(points) - 1
    while onset > 0 and points[onset - 1].value <= NOTHING * start:
        onset -= 1
    return fired(
        "outputs-one-point",
        _MODE,
        series,
        points[onset],
        f"{series.name} was {shown(start)} and is {shown(end.value)} from step {points[onset].step:g} to the end, whatever the losses say",
        fixes=_FIXES,
        numbers={"start": start, "end": end.value},
        title="What the model makes became one and the same for every input",
    )


def _at_guessing(facts: Facts) -> Match | None:
    """Find a loss that rests at what it costs to choose among a batch by guessing, where a score that was well above nothing is lost."""
    lost = _lost_score(facts)
    for series in of_role(facts, "loss", "loss_part", "metric") if lost is not None else ():
        points = finite(series)
        late = points[len(points) // 2 :]
        size = next((size for size in _BATCHES if len(late) >= FEWEST and _rests(late, math.log(size))), None)
        if size is not None and lost is not None and improves(series.name) != "higher":
            claim = f"{series.name} rests at {shown(middle(late))}, what guessing among {size} costs"
            return fired(
                "rests-at-guessing",
                _MODE,
                series,
                late[0],
                claim,
                fixes=_FIXES,
                numbers={"level": middle(late)},
                also=[lost],
                title="Nothing is told apart any more",
            )
    return None


def _rests(late: Sequence[Point], cost: float) -> bool:
    return all(abs(point.value - cost) <= NEAR * cost for point in late)


def _rose(series: Series) -> bool:
    """Tell whether a score that nobody trains on rose, and ends near its best."""
    words = plain_name(series.name).split("_")
    if not ({"knn", "probe", "linear"} & set(words) or series.role == "reward" or words[-1] in _ERRORS):
        return False
    points = finite(series)
    if len(points) < 3:
        return False
    sign = -1.0 if words[-1] in _ERRORS else 1.0
    values = [sign * point.value for point in points]
    start, end, best = sorted(values[:3])[1], sorted(values[-3:])[1], max(values)
    return end - start >= ROSE * (best - start) > 0


def _gone(points: Sequence[Point], times: float) -> bool:
    start, end = middle(head(points)), middle(tail(points))
    late = points[len(points) // 2 :]
    return start > 0 and end * times <= start and max(point.value for point in late) <= BACK * start


def _other(series: Series, facts: Facts) -> Evidence | None:
    """Return what tells that something else which spreads outputs is gone, too, or that nothing else could be meant: outputs go to few of many parts."""
    words = set(plain_name(series.name).split("_"))
    for other in facts.series:
        told = set(plain_name(other.name).split("_"))
        spreads = not told.isdisjoint(_OF_OUTPUTS | _PARTS) and bool(told & (_SPREADS | _COUNTS | _PARTS))
        if other is series or not spreads or told == words:
            continue
        points = finite(other)
        if len(points) >= FEWEST and _gone(points, HALF_GONE):
            claim = f"{other.name} fell from {shown(points[0].value)} to {shown(points[-1].value)}"
            return Evidence(claim=claim, citation=cite(other, points[-1]))
    points = finite(series)
    if words & _CHOSEN and _gone(points, FALLEN):
        return Evidence(
            claim=f"{series.name} is {shown(points[-1].value)} at the end",
            citation=cite(series, points[-1]),
        )
    return None


def _lost_score(facts: Facts) -> Evidence | None:
    """Return what tells that a score of the run fell for good."""
    for series in facts.series:
        points = shares(series) if improves(series.name) == "higher" or "probe" in series.name.lower() else []
        if len(points) >= 3 and _fell([point.value for point in points], 0.0):
            claim = f"{series.name} fell from {shown(points[0].value)} to {shown(points[-1].value)}"
            return Evidence(claim=claim, citation=cite(series, points[-1]))
    return None


def _lost_beside(facts: Facts) -> Evidence | None:
    """Return what tells that scores that are printed beside guessing came down to it."""
    told = [
        event
        for event in facts.events
        if event.kind == STATEMENT and event.name == f"{BASELINE}beside" and "guess" in event.captures
    ]
    if len(told) < 3 or not _fell([event.numbers["own"] for event in told], told[-1].numbers["base"]):
        return None
    guess, (first, *_, last) = told[-1].numbers["base"], (event.numbers["own"] for event in told)
    return evidence(
        told[-1], f"the score beside that of guessing ({shown(guess)}) fell from {shown(first)} to {shown(last)}"
    )


def _fell(values: Sequence[float], floor: float) -> bool:
    """Tell whether scores end far below their best, with no later one near it again."""
    best = max(range(len(values)), key=lambda at: values[at])
    end = sorted(values[-2:])[-1]
    return best < len(values) / 2 and values[best] - floor >= LEAST and end - floor <= LOST * (values[best] - floor)


def _match(series: Series, points: Sequence[Point], lost: Evidence) -> Match:
    start, end = middle(head(points)), middle(tail(points))
    onset = next(point for point in points if point.value <= BACK * start)
    return fired(
        "collapse",
        _MODE,
        series,
        onset,
        f"{series.name} fell from {shown(start)} to {shown(end)} and did not come back, whatever the loss says",
        fixes=_FIXES,
        numbers={"start": start, "end": end},
        also=[lost],
        title="What the model makes became nearly one and the same for every input",
    )


DETECTORS = (Detector(id="collapse", modes=(_MODE,), find=find, remedies=lambda: {_MODE: _FIXES}),)
