"""A model that saves much of the error of a naive forecast where it was judged, and nothing of it where it is used."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from msgspec import Struct
from msgspec.structs import replace

from runtriage.detect.claims import evidence
from runtriage.detect.curve import finite, shown
from runtriage.detect.engine import Detector
from runtriage.model.catalogue import Catalogue
from runtriage.model.event import STATEMENT, Event
from runtriage.model.event_names import BASELINE, DOMINANT
from runtriage.model.facts import Facts
from runtriage.model.finding import Match
from runtriage.model.naming import improves
from runtriage.model.pattern import deferred
from runtriage.model.place import line_of

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
_IN_USE = deferred(
    r"(?<![a-z])(?:live|paper[ -]?trad\w*|prod|production|deployed|shadow|canary|serving|served|online|in use|since (?:the )?(?:launch|deploy\w*|release)|after (?:the )?(?:launch|deploy\w*|release|go-?live))(?![a-z])"
    r"|(?<![\d.])\d{4}-\d\d(?:-\d\d)?(?![\d.])"
)
"""Words that say a model is used in the world, and dates: later than whatever it was trained on."""
_DAY = deferred(r"(?<![a-z])(?:days?|weeks?|months?) ?#?\d")
_MODE, _LEAK = "eval/train-serve-skew-distribution", "eval/data-leakage-split"
_FIXES = ("evaluate-on-training-batch", "split-by-group")


class _Told(Struct, frozen=True):
    """A score of the model and of no model on one line."""

    event: Event
    own: float
    base: float

    @property
    def skill(self) -> float:
        """Return which part of the error of no model the model saves."""
        return 1 - self.own / self.base


def find(facts: Facts, catalogue: Catalogue) -> Iterator[Match]:
    """Yield a match for a model whose later rows are no better than the simplest forecast."""
    told = [event for event in facts.events if event.kind == STATEMENT and event.name.startswith(BASELINE)]
    match = _vanished(told, facts)
    if match is not None:
        yield given_away(match, facts)


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
        improves(told["measure"] or told["key"]) == "lower"
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
                mode=_LEAK,
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
        mode=_MODE,
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
        fixes=_FIXES,
        title="Where the model is used it is no better than no model, unlike where it was judged",
    )


DETECTORS = (Detector(id="skill-vanished", modes=(), find=find, remedies=lambda: {_MODE: _FIXES, _LEAK: _FIXES}),)
