"""A learning rate that jumped when a run went on from a checkpoint.

A rate of zero is no fault here: many logs print small rates with four decimals.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from runtriage.detect.curve import cite, finite, fired, head, middle, of_role, ordinary, tail
from runtriage.detect.engine import Detector
from runtriage.model.catalogue import Catalogue
from runtriage.model.facts import Facts, Setting
from runtriage.model.finding import Evidence, Match
from runtriage.model.pattern import deferred
from runtriage.model.series import Point, Series

_MODE = "div/no-warmup-or-resume-lr-jump"
RATE = 5.0
"""How many times as high the rate begins after a restart as it ended before."""
WORSE = 1.5
"""Loss after going on over the loss before: a schedule that starts again raises it at once, other resumes do not."""
FEWEST, LONGER, UNMOVED = 10, 2.0, 0.02
"""Losses; how many times as long as the run a warm-up is that cannot be meant; and the part of itself that the loss moves by where nothing is learnt."""
_UNIT = r"(?P<unit>steps?|updates?|iters?|iterations?|epochs?|ep)"
_WARM = deferred(rf"(?:(?:num|n|lr|scheduler)_){{0,3}}warm_?up_(?:num_|lr_)?{_UNIT}")
_WHOLE = deferred(
    rf"(?:(?:max|total|num|n|train|training|max_train|num_train|num_training|total_train|total_training)_)?{_UNIT}"
)
_FIXES, _WARM_FIXES = ("restore-scheduler-state",), ("shorten-warmup",)


def find(facts: Facts, catalogue: Catalogue) -> Iterator[Match]:
    """Yield a match for each attempt that began with a far higher rate than the last one ended with, and a worse loss."""
    yield from _never_warm(facts)
    rates, losses = _by_attempt(facts, "lr"), _by_attempt(facts, "loss")
    for attempt, rate in rates.items():
        before, loss, lost = rates.get(attempt - 1), losses.get(attempt), losses.get(attempt - 1)
        if before is None or loss is None or lost is None:
            continue
        old, new = finite(before), finite(rate)
        if not old or not new or old[-1].value <= 0 or new[0].value < RATE * old[-1].value:
            continue
        then, now = middle(tail(finite(lost))), middle(head(finite(loss)))
        if then <= 0 or now < WORSE * then:
            continue
        claim = f"{rate.name} was {old[-1].value:g} when attempt {attempt - 1} ended and {new[0].value:g} when attempt {attempt} began"
        also = Evidence(claim=f"{loss.name} went from {then:g} to {now:g}", citation=cite(loss, loss.points[0]))
        yield fired(
            "learning-rate-jump",
            _MODE,
            rate,
            new[0],
            claim,
            fixes=_FIXES,
            numbers={"before": old[-1].value, "after": new[0].value},
            also=(also,),
            title="The learning rate jumped when the run went on",
        )


def _by_attempt(facts: Facts, role: str) -> dict[int, Series]:
    """Return the longest series of a role in each attempt, of those that are told apart by attempt."""
    found: dict[int, Series] = {}
    for series in facts.series:
        known = found.get(series.subject.attempt)
        if series.role == role and (known is None or series.total > known.total) and finite(series):
            found[series.subject.attempt] = series
    return found


def _never_warm(facts: Facts) -> Iterator[Match]:
    """Yield a match for a warm-up that is longer than the run: the rate is still a small part of what it is to become, and nothing is learnt."""
    warm = _settings(facts, _WARM)
    whole = _settings(facts, _WHOLE)
    pair = next(
        (
            (one, two)
            for unit, one in warm.items()
            if (two := whole.get(unit)) is not None and _count(one) >= LONGER * _count(two) > 0
        ),
        None,
    )
    if pair is None:
        return
    for loss in of_role(facts, "loss", "loss_part"):
        points = finite(loss)
        start, end = middle(head(points)) if points else 0.0, middle(tail(points)) if points else 0.0
        if len(points) < FEWEST or not start > 0 or abs(end - start) > UNMOVED * start or not ordinary(loss):
            continue
        yield _warming(pair, loss, points)
        return


def _warming(pair: tuple[Setting, Setting], loss: Series, points: Sequence[Point]) -> Match:
    one, two = pair
    claim = (
        f"{one.name} is {one.value} where {two.name} is {two.value}: the rate never comes to more than a {_count(one) / _count(two):.3g}th of "
        f"its peak, and {loss.name} goes from {points[0].value:g} to {points[-1].value:g}"
    )
    found = fired(
        "warmup-longer-than-run",
        "div/plateau-not-learning",
        loss,
        points[-1],
        f"{loss.name} hardly moved",
        fixes=_WARM_FIXES,
        numbers={"warmup": _count(one), "whole": _count(two)},
        title="The warm-up is longer than the run",
    )
    return replace(found, evidence=(Evidence(claim=claim, citation=one.citation), *found.evidence))


def _settings(facts: Facts, names: re.Pattern[str]) -> dict[str, Setting]:
    """Return the last setting of each unit (steps, epochs) whose name matches."""
    found: dict[str, Setting] = {}
    for setting in facts.settings:
        told = names.fullmatch(setting.name.rpartition(".")[2].lower())
        if told is not None and _count(setting) > 0:
            found["epoch" if told["unit"].startswith("ep") else "step"] = setting
    return found


def _count(setting: Setting) -> float:
    try:
        return float(setting.value.replace("_", ""))
    except ValueError:
        return 0.0


DETECTORS = (
    Detector(
        id="learning-rate",
        modes=(_MODE,),
        find=find,
        remedies=lambda: {_MODE: _FIXES, "div/plateau-not-learning": _WARM_FIXES},
        needs=lambda facts: () if any(of_role(facts, "lr")) else ("a series of the learning rate",),
    ),
)
