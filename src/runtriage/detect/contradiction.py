"""Evaluations that contradict each other: a validation score far above that of data held out in another way, or one that is undefined."""

from __future__ import annotations

import re
from collections.abc import Iterator

from runtriage.detect.claims import evidence
from runtriage.detect.curve import cite, finite, fired, of_role, shares
from runtriage.detect.engine import Detector
from runtriage.model.catalogue import Catalogue
from runtriage.model.event import SIGNATURE, Event
from runtriage.model.facts import Facts
from runtriage.model.finding import Evidence, Match
from runtriage.model.pattern import deferred
from runtriage.model.series import Point, Series

GOOD = 0.9
DROP = 0.3
"""How far apart the two scores must be: no ordinary shift between two samples of one population."""
PERFECT = 0.97
"""A validation score that a test set of its own may refute: far above what an ordinary gap starts from."""
_SECOND_SET = deferred(r"(?<![a-z])(test|holdout|hold_out|ood|unseen)(?![a-z])", re.IGNORECASE)
_VALIDATION = deferred(r"(?<![a-z])(val|valid|validation|dev|eval)(?![a-z])", re.IGNORECASE)
_MAY_LACK = deferred(
    r"pearson|spearman|corr|auc|auroc|mcc|matthews|kappa|r2|precision|recall|f1|map|ap\d*$", re.IGNORECASE
)
"""Scores that have no value where all labels, or all predictions, are alike."""
FEWEST = 4
"""Evaluations of which none has a value."""
_LEAK = "eval/data-leakage-split"
_SECOND = f"{_LEAK}.second-set"
_UNDEFINED = "eval/undefined-metric"
_LEAK_FIXES = ("split-by-group",)
_UNDEFINED_FIXES = ("count-classes", "report-defined-metric")
_KINDS = {"acc": "acc", "accuracy": "acc", "auc": "auc", "f1": "f1", "recall": "recall", "precision": "precision"}


def find(facts: Facts, catalogue: Catalogue) -> Iterator[Match]:
    """Yield a match for a validation score that another evaluation refutes, and for a metric that never had a value."""
    evaluations = list(of_role(facts, "eval_metric"))
    for event in facts.events:
        if event.kind != SIGNATURE:
            continue
        match = None
        if event.name.startswith(f"{_SECOND}#"):
            match = _refuted(event, evaluations)
        elif event.name.startswith(_UNDEFINED):
            match = _undefined(event, evaluations)
        if match is not None:
            yield match
    yield from _second_series(evaluations)
    yield from _never_defined(facts, evaluations)


def _never_defined(facts: Facts, evaluations: list[Series]) -> Iterator[Match]:
    """Find a score that was no number in any evaluation beside a training loss that is one throughout and falls."""
    losses = [finite(series) for series in of_role(facts, "loss") if not series.nonfinite]
    if not any(len(points) >= FEWEST and points[-1].value < points[0].value for points in losses):
        return
    for series in evaluations:
        if len(series.points) >= FEWEST and not finite(series) and _MAY_LACK.search(series.name):
            claim = f"{series.name} is not a number in any of {series.total} evaluations while the training loss falls"
            yield fired(
                "metric-never-defined",
                _UNDEFINED,
                series,
                series.points[0],
                claim,
                fixes=_UNDEFINED_FIXES,
                numbers={"evaluations": float(series.total)},
                title="The metric is undefined on this split",
            )
            return


def _second_series(evaluations: list[Series]) -> Iterator[Match]:
    """Find a perfect validation score that the score of a test set, in its own series, refutes."""
    for tested in evaluations:
        kind = _kind(tested.name)
        scores = shares(tested)
        if kind is None or not scores or _SECOND_SET.search(tested.name) is None:
            continue
        for series in evaluations:
            points = shares(series)
            if series is tested or not points or _kind(series.name) != kind or _VALIDATION.search(series.name) is None:
                continue
            last, score = points[-1], scores[-1].value
            if PERFECT <= last.value <= 1.0 and 0 <= score <= last.value - DROP:
                claim = f"{tested.name} is {score:g} where {series.name} says {last.value:g}"
                also = [Evidence(claim=f"{series.name} is {last.value:g}", citation=cite(series, last))]
                yield fired(
                    "second-set-refutes",
                    _LEAK,
                    tested,
                    scores[-1],
                    claim,
                    fixes=_LEAK_FIXES,
                    numbers={"validation": last.value, "second": score},
                    also=also,
                    title="Validation data are known from training",
                )
                return


def _kind(name: str) -> str | None:
    return next((kind for kind in _KINDS.values() if kind in name.lower()), None)


def _refuted(event: Event, evaluations: list[Series]) -> Match | None:
    kind = _KINDS.get(event.captures.get("metric", "").lower())
    told = event.numbers.get("score")
    if kind is None or told is None or not 0 <= told <= 100:
        return None
    score = told if told <= 1 else told / 100
    for series in evaluations:
        last = _before(event, series) if kind in series.name.lower() else None
        percent = any(point.value > 1 for point in finite(series))
        if last is None or (percent and told <= 1) or last.value < _needed(event) or last.value - score < DROP:
            continue
        claim = f"{event.captures['metric']} is {score:g} on data held out in another way; {series.name} says {last.value:g}"
        also = Evidence(claim=f"{series.name} is {last.value:g}", citation=cite(series, last))
        return _match(
            event,
            _LEAK,
            "series/second-set-refutes",
            (evidence(event, claim), also),
            {"validation": last.value, "second": score},
            "Validation data are known from training",
        )
    return None


def _before(event: Event, series: Series) -> Point | None:
    """Return the last value of a score that was printed before an event: an early test says nothing of what came later."""
    here = series.artifact == event.citation.artifact
    line = event.citation.first_line
    known = [point for point in shares(series) if not here or line is None or point.line <= line]
    return known[-1] if known else None


def _needed(event: Event) -> float:
    """Return how good the validation must be: a plain test set may be harder than a set that only follows in time."""
    return PERFECT if event.name == f"{_SECOND}#test" else GOOD


def _undefined(event: Event, evaluations: list[Series]) -> Match | None:
    empty = [series for series in evaluations if series.points and not finite(series)]
    if not empty:
        return None
    claim = f"{empty[0].name} never had a value: the split lacks what the metric compares"
    also = Evidence(claim=f"{empty[0].name} is not a number", citation=cite(empty[0], empty[0].points[0]))
    return _match(
        event,
        _UNDEFINED,
        "series/metric-undefined",
        (evidence(event, claim), also),
        {},
        "The metric is undefined on this split",
    )


def _match(
    event: Event, mode: str, rule: str, claims: tuple[Evidence, ...], numbers: dict[str, float], title: str
) -> Match:
    return Match(
        rule=rule,
        mode=mode,
        role="cause",
        maturity="stable",
        tier="metric",
        evidence=claims,
        subject=event.subject,
        scope="job",
        start=event.when,
        step=event.step,
        numbers=numbers,
        events=(event,),
        fixes=_LEAK_FIXES if mode == _LEAK else _UNDEFINED_FIXES,
        title=title,
    )


DETECTORS = (
    Detector(
        id="contradiction",
        modes=(_LEAK, _UNDEFINED),
        find=find,
        remedies=lambda: {_LEAK: _LEAK_FIXES, _UNDEFINED: _UNDEFINED_FIXES},
    ),
)
