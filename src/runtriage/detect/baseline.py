"""A curve that stays above what the run itself holds it against: a naive forecast, the commonest answer, the model before."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from runtriage.detect.claims import evidence
from runtriage.detect.curve import finite, fired, head, middle, ordinary, shown
from runtriage.detect.engine import Detector
from runtriage.model.catalogue import Catalogue
from runtriage.model.event import STATEMENT, Event
from runtriage.model.event_names import BASELINE, OPTIMIZER
from runtriage.model.facts import Facts
from runtriage.model.finding import Match
from runtriage.model.naming import improves, plain_name
from runtriage.model.pattern import deferred
from runtriage.model.place import line_of
from runtriage.model.series import Point, Series

FEWEST = 12
"""Values of a curve that may be said to have no trend."""
WORSE = 2.0
"""How many times as high as the simplest forecast an error stays that is no model's that learns."""
LATE = 0.9
"""Part of the late half in which it is so."""
TRENDLESS = 0.5
"""Late over early level, from which on nothing was gained between them."""
SWINGS = 3.0
"""Ninth over first tenth of the values: what only settles at another level than it should swings less."""
_OTHER_MODEL = deferred(r"base ?lines?|champion|incumbent")
"""What is another model as often as none."""
_MODE = "div/lr-too-high"
_RATE_FIXES = ("lower-learning-rate", "clip-gradients", "lengthen-warmup")
_LOSSES = ("mse", "mae", "rmse", "loss", "nll", "ce")


def find(facts: Facts, catalogue: Catalogue) -> Iterator[Match]:
    """Yield a match for the first curve that stays above what the run holds it against."""
    told = [event for event in facts.events if event.kind == STATEMENT and event.name.startswith(BASELINE)]
    for event in told:
        key, base = plain_name(event.captures["key"]), event.numbers["base"]
        for series in facts.series if base > 0 else ():
            points = finite(series)
            way = improves(key) or ("lower" if "below" in event.captures else None)
            if series.role == "loss" and _OTHER_MODEL.search(event.captures["none"]):
                continue  # what one batch costs in training is no match for an average of another model
            if not _same(series, key, facts) or way != "lower" or len(points) < FEWEST or not ordinary(series):
                continue
            sure = "below" not in event.captures or not any(map(_learns, facts.series))
            if _no_trend(points) and _worse(points, base) and sure:
                yield _unsteady(series, points, event, facts)
                return


def _same(series: Series, key: str, facts: Facts) -> bool:
    """Tell whether a series is what a figure is of: by its name, or as the loss of the same part where no series has that name."""
    name = plain_name(series.name)
    if name == key or any(plain_name(each.name) == key and each.total >= FEWEST for each in facts.series):
        return name == key
    of_loss = key.split("_")[-1] in _LOSSES and series.role in ("loss", "eval_loss")
    return of_loss and name.split("_")[:-1] == key.split("_")[:-1]


def _no_trend(points: Sequence[Point]) -> bool:
    """Tell whether values swing widely about a level that is no lower at the end than after the first few."""
    values = sorted(point.value for point in points)
    tenth = len(values) // 10
    half = len(points) // 2
    swings = values[-1 - tenth] >= SWINGS * values[tenth] > 0
    return swings and middle(points[half:]) >= TRENDLESS * middle(points[:half])


def _learns(series: Series) -> bool:
    """Tell whether a series came down to half of its early level: what swings beside it may be on a schedule."""
    points = finite(series)
    half = len(points) // 2
    return len(points) >= FEWEST and 0 < middle(points[half:]) <= TRENDLESS * middle(points[:half])


def _worse(points: Sequence[Point], base: float) -> bool:
    late = points[len(points) // 2 :]
    above = sum(point.value >= base for point in late)
    return above >= LATE * len(late) and middle(late) >= WORSE * base


def _set_up(facts: Facts, before: int) -> Event | None:
    """Return the line that sets up the optimizer, where there is one before a line of the log."""
    told = [each for each in facts.events if each.kind == STATEMENT and each.name == OPTIMIZER]
    return told[0] if len(told) == 1 and line_of(told[0].citation) < before else None


def _unsteady(series: Series, points: Sequence[Point], event: Event, facts: Facts) -> Match:
    half = len(points) // 2
    claim = (
        f"{series.name} swings between {shown(min(p.value for p in points))} and {shown(max(p.value for p in points))} without a trend "
        f"(middle {shown(middle(points[:half]))}, then {shown(middle(points[half:]))}), where {event.captures['none']} reaches "
        f"{shown(event.numbers['base'])}"
    )
    match = fired(
        "no-better-than-baseline",
        _MODE,
        series,
        head(points)[0],
        claim,
        fixes=_RATE_FIXES,
        numbers={"base": event.numbers["base"], "late": middle(points[half:])},
        also=[evidence(event, "what no model reaches")],
        title="The loss swings without a trend above what no model at all would reach",
    )
    return _led_by(match, _set_up(facts, points[0].line))


def _led_by(match: Match, event: Event | None) -> Match:
    """Return a match that cites first the line of a setting: where a curve is wrong from its first value on, it began there."""
    if event is None:
        return match
    first = evidence(event, f"since this was set up, {match.evidence[0].claim}")
    return replace(match, evidence=(first, *match.evidence))


DETECTORS = (Detector(id="baseline", modes=(), find=find, remedies=lambda: {_MODE: _RATE_FIXES}),)
