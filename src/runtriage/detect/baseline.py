"""A model that is no better than what the run itself holds it against: guessing, a naive forecast, the commonest answer, the model before."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from msgspec import Struct
from msgspec.structs import replace

from runtriage.detect.claims import evidence
from runtriage.detect.curve import finite, fired, head, middle, ordinary, shown
from runtriage.detect.engine import Detector
from runtriage.model.catalogue import Catalogue
from runtriage.model.event import STATEMENT, Event
from runtriage.model.event_names import BASELINE, DOMINANT, OPTIMIZER
from runtriage.model.facts import Facts
from runtriage.model.finding import Match
from runtriage.model.naming import Better, meaning, plain_name
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
SKILL, GONE, HALF, LATER = 0.25, 0.05, 0.5, 3
"""Part of the error of a forecast by no model that a model saves, at least where it was chosen, and at most over the later rows; the part of
the former that none of these may reach; and how many they are."""
STEADY = 1.6
"""How many times as hard the later rows may be for no model at all, for the model's being worse to be its own."""
_OTHER = deferred(
    r"(?<![a-z])(?:fold|seed|class|horizon|lead|lag|ahead|noise|sigma|severity|adversarial|attack|ood|shift\w*|corrupt\w*|epoch|ep|step|iter\w*|round|trial|permut\w*|shuffl\w*|placebo|ablat\w*|without)(?![a-z])"
)
"""What makes a later score another one for a reason that everybody knows, or a row of a course."""
_FORECAST = deferred(r"na[i\u00ef]ve?|naif|persist[ea]n\w*|climatology|last value|ingenu[oa]")
"""What is no guess, but the simplest forecast of what comes."""
_OTHER_MODEL = deferred(r"base ?lines?|champion|incumbent")
"""What is another model as often as none."""
_IN_USE = deferred(
    r"(?<![a-z])(?:live|paper[ -]?trad\w*|prod|production|deployed|shadow|canary|serving|served|online|in use|since (?:the )?(?:launch|deploy\w*|release)|after (?:the )?(?:launch|deploy\w*|release|go-?live))(?![a-z])"
    r"|(?<![\d.])\d{4}-\d\d(?:-\d\d)?(?![\d.])"
)
"""Words that say a model is used in the world, and dates: later than whatever it was trained on."""
_DAY = deferred(r"(?<![a-z])(?:days?|weeks?|months?) ?#?\d")
_RATE_FIXES = ("lower-learning-rate", "clip-gradients", "lengthen-warmup")
_SKEW_FIXES = ("evaluate-on-training-batch", "split-by-group")
_LOSSES = ("mse", "mae", "rmse", "loss", "nll", "ce")


class _Told(Struct, frozen=True):
    """A score of the model and of no model on one line."""

    event: Event
    own: float
    base: float

    @property
    def skill(self) -> float:
        """Return which part of the error of no model the model saves, or of what guessing leaves to be known it knows."""
        if better(self.event.captures["measure"] or self.event.captures["key"]) == "lower":
            return 1 - self.own / self.base
        return (self.own - self.base) / (1 - self.base) if self.base < 1 else 0.0


def better(name: str) -> Better | None:
    """Return which way a number improves that has a name of any language's making; None where no word of it tells."""
    if (told := meaning(name).better) is not None:
        return told
    words = plain_name(name).split("_")
    for word in words:
        if (told := meaning(word).better) is not None:
            return told
    return None


def find(facts: Facts, catalogue: Catalogue) -> Iterator[Match]:
    """Yield a match for a curve that stays above the simplest forecast, and for a model that is better than it only where it was chosen."""
    told = [event for event in facts.events if event.kind == STATEMENT and event.name.startswith(BASELINE)]
    yield from _above(facts, told)
    match = _vanished(told, facts)
    if match is not None:
        yield given_away(match, facts)


def _above(facts: Facts, told: Sequence[Event]) -> Iterator[Match]:
    for event in told:
        key, base = plain_name(event.captures["key"]), event.numbers["base"]
        for series in facts.series if base > 0 else ():
            points = finite(series)
            way = better(key) or ("lower" if "below" in event.captures else None)
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
        "div/lr-too-high",
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


def _vanished(told: Sequence[Event], facts: Facts) -> Match | None:
    """Find a model that saved much of the error of a forecast by no model where it was chosen, and nothing in any later row of its use.

    Errors beside a forecast alone count, in the last scores of a log: what comes down to guessing elsewhere is most often meant to, as with
    shuffled labels, pruned or attacked models and single layers.
    """
    rows = [
        _Told(event, event.numbers["own"], event.numbers["base"])
        for event in told
        if "own" in event.numbers and event.numbers["base"] > 0
    ]
    groups = [list(group) for _, group in groupby(rows, key=lambda row: _shape(row.event.excerpt))]
    earlier = [group[-1] for group in groups[:-1] if len(group) < LATER and _of_forecast(group[-1])]
    later = groups[-1] if groups else []
    if (
        len(later) < LATER
        or not all(map(_of_forecast, later))
        or not _used(later, facts)
        or _scored_behind(later[-1], facts)
    ):
        return None
    own, base = (sum(column) / len(later) for column in zip(*((row.own, row.base) for row in later), strict=True))
    for first in earlier:
        same = first.event.captures["measure"] == later[0].event.captures["measure"]
        vanished = 1 - own / base <= GONE and all(row.skill <= HALF * first.skill for row in later)
        if same and base <= STEADY * first.base and first.skill >= SKILL and vanished:
            return _unmatched(first, later, own, base)
    return None


def _of_forecast(row: _Told) -> bool:
    """Tell whether a row is an error beside that of the simplest forecast, of the same kind of data as any other."""
    told = row.event.captures
    return (
        better(told["measure"] or told["key"]) == "lower"
        and _FORECAST.search(told["none"]) is not None
        and not _OTHER.search(row.event.excerpt.lower())
    )


def _used(later: Sequence[_Told], facts: Facts) -> bool:
    """Tell whether rows say that they are of a model in use, or of single days, and one feature that it rests on may not be known on these.

    Days without more may be leads of one forecast, or holidays.
    """
    words = [row.event.excerpt.lower() for row in later]
    carried = any(event.kind == STATEMENT and event.name == DOMINANT for event in facts.events)
    return all(_IN_USE.search(each) for each in words) or (carried and all(_DAY.search(each) for each in words))


def _scored_behind(last: _Told, facts: Facts) -> bool:
    line = line_of(last.event.citation)
    return any(
        point.line > line
        for series in facts.series
        if series.artifact == last.event.citation.artifact and series.role in ("metric", "eval_metric", "eval_loss")
        for point in finite(series)[-1:]
    )


def given_away(match: Match, facts: Facts) -> Match:
    """Return a match that cites first the one feature that carries nearly all, where there is one: what it knows is not known later."""
    for event in facts.events:
        if event.kind == STATEMENT and event.name == DOMINANT:
            claim = f"{event.captures['what']} carries {event.numbers['part']:.0%} of what the model uses; {match.evidence[0].claim}"
            return replace(
                match,
                mode="eval/data-leakage-split",
                evidence=(evidence(event, claim), *match.evidence),
                title="One feature carries nearly all, and the model is worth nothing where it is used",
            )
    return match


def _shape(excerpt: str) -> str:
    return "".join(letter for letter in excerpt.lower() if letter.isalpha())


def _unmatched(first: _Told, later: Sequence[_Told], own: float, base: float) -> Match:
    last = later[-1]
    claim = (
        f"{first.own:g} where {first.event.captures['none']} reaches {first.base:g}, but over the {len(later)} later rows no better than that: "
        f"{shown(own)} beside {shown(base)} on average"
    )
    return Match(
        rule="eval/skill-vanished",
        mode="eval/train-serve-skew-distribution",
        role="cause",
        maturity="stable",
        tier="metric",
        evidence=(evidence(last.event, claim), evidence(first.event, "where the model was judged")),
        subject=last.event.subject,
        scope="job",
        start=last.event.when,
        captures={"metric": last.event.captures["measure"]},
        numbers={"own": own, "base": base},
        events=(last.event,),
        fixes=_SKEW_FIXES,
        title="Where the model is used it is no better than no model, unlike where it was judged",
    )


DETECTORS = (
    Detector(
        id="baseline",
        modes=(),
        find=find,
        remedies=lambda: {
            "div/lr-too-high": _RATE_FIXES,
            "eval/train-serve-skew-distribution": _SKEW_FIXES,
            "eval/data-leakage-split": _SKEW_FIXES,
        },
    ),
)
