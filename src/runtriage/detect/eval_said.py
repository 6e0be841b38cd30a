"""A program's own word that its evaluation measures something else than what was trained: other data, labels, inputs, weights or mode."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from msgspec.structs import replace

from runtriage.detect.claims import evidence, match_of
from runtriage.detect.engine import Detector
from runtriage.detect.failed_stage import of_a_report
from runtriage.detect.signatures import covering, exception_index
from runtriage.detect.skill_vanished import given_away
from runtriage.model.catalogue import Catalogue
from runtriage.model.event import STATEMENT, Event
from runtriage.model.event_names import MISMATCH, PADDING
from runtriage.model.facts import Facts
from runtriage.model.finding import Match
from runtriage.model.pattern import deferred


class _Kind(NamedTuple):
    mode: str
    title: str
    fixes: tuple[str, ...]


_KINDS: Final = {
    "leak": _Kind(
        "eval/data-leakage-split", "The program says that evaluation data are known from training", ("split-by-group",)
    ),
    "split": _Kind(
        "eval/data-leakage-split", "The program says that it evaluates another split", ("load-evaluation-split",)
    ),
    "labels": _Kind(
        "eval/label-mapping",
        "The program says that labels mean something else in evaluation",
        ("compare-label-maps", "evaluate-on-training-batch"),
    ),
    "inputs": _Kind(
        "eval/preprocess-drift",
        "The program says that evaluation prepares its inputs in another way",
        ("evaluate-on-training-batch",),
    ),
    "weights": _Kind(
        "eval/wrong-checkpoint",
        "The program says that other weights than the trained ones are evaluated",
        ("evaluate-trained-weights",),
    ),
    "mode": _Kind(
        "eval/train-mode-on",
        "The program says that the model is evaluated in training mode",
        ("compare-with-batch-one",),
    ),
    "unstable": _Kind(
        "eval/sampling-nondeterminism", "The program says that evaluating twice gives two results", ("evaluate-twice",)
    ),
    "counted": _Kind(
        "eval/metric-reduction-bug",
        "The program says that its score counts samples more than once",
        ("compare-with-batch-one",),
    ),
    "batching": _Kind(
        "eval/metric-reduction-bug",
        "The score depends on how many samples are evaluated together",
        ("compare-with-batch-one",),
    ),
    "ranks": _Kind(
        "eval/wrong-checkpoint",
        "Ranks that should hold one model reach scores far apart",
        ("evaluate-trained-weights",),
    ),
    "frozen": _Kind(
        "eval/wrong-checkpoint",
        "The evaluation never sees what training learns",
        ("evaluate-trained-weights",),
    ),
    "empty": _Kind(
        "eval/undefined-metric",
        "The program says that it evaluates nothing",
        ("count-classes", "report-defined-metric"),
    ),
    "skew": _Kind(
        "eval/train-serve-skew-distribution",
        "The program says that the data it serves differ from those it was trained on",
        ("evaluate-on-training-batch",),
    ),
    "rescored": _Kind(
        "eval/wrong-checkpoint",
        "Scored again, the model does not reach what training reported",
        ("evaluate-trained-weights",),
    ),
    "gate": _Kind(
        "eval/train-serve-skew-distribution",
        "The evaluation is far below what training made the program expect",
        ("evaluate-on-training-batch", "compare-label-maps", "split-by-group"),
    ),
    "worthless": _Kind(
        "eval/metric-reduction-bug",
        "The program says that its score is not to be trusted",
        ("evaluate-twice", "compare-with-batch-one"),
    ),
}
_OF_INPUTS: Final = (
    ("eval/tokenizer-vocab-shift", deferred(r"tokeni[sz]er|vocab", re.IGNORECASE)),
    ("eval/prompt-template-mismatch", deferred(r"prompt|template", re.IGNORECASE)),
)
_PADDING_MODE: Final = "eval/padding-side"
_AVERAGED: Final = deferred(r"(?<![a-z])ema(?![a-z])|moving average|averaged", re.IGNORECASE)


def find(facts: Facts, catalogue: Catalogue) -> Iterator[Match]:
    """Yield a match for each such word that is no exception's own: those are classified where exceptions are."""
    exceptions = exception_index([event for event in facts.events if "said" not in event.captures])
    for event in facts.events:
        own = event.kind == STATEMENT and event.name.startswith(MISMATCH) and covering(event, exceptions) is None
        if own and not of_a_report(event, facts):
            yield _led(_match(event), event, facts)


def _led(match: Match, event: Event, facts: Facts) -> Match:
    """Return a match that cites first what the log itself holds as the reason."""
    if event.name == f"{MISMATCH}batching":
        return _padded(match, facts)
    if event.name in (f"{MISMATCH}gate", f"{MISMATCH}skew"):
        return given_away(match, facts)
    return match


def _padded(match: Match, facts: Facts) -> Match:
    """Return a match that cites first that texts are padded on the right: generation then goes on behind padding, of which one alone has none."""
    told = next((each for each in facts.events if each.kind == STATEMENT and each.name == PADDING), None)
    if told is None:
        return match
    first = evidence(told, "texts are padded on the right, and the score depends on how many are evaluated together")
    return replace(match, mode=_PADDING_MODE, evidence=(first, *match.evidence), title="Padding is read as text")


def mode_of(event: Event) -> str:
    """Return the failure mode of what a statement says."""
    kind = event.name.removeprefix(MISMATCH)
    if kind == "inputs":
        return next((mode for mode, shape in _OF_INPUTS if shape.search(event.excerpt)), _KINDS[kind].mode)
    if kind == "weights" and _AVERAGED.search(event.excerpt):
        return "eval/ema-vs-raw"
    return _KINDS[kind].mode


def fixes_of(event: Event) -> tuple[str, ...]:
    """Return what helps against what a statement says."""
    return _KINDS[event.name.removeprefix(MISMATCH)].fixes


def _match(event: Event) -> Match:
    title = _KINDS[event.name.removeprefix(MISMATCH)].title
    return match_of(
        event,
        title,
        rule=f"eval/said-{event.name.removeprefix(MISMATCH)}",
        mode=mode_of(event),
        role="cause",
        tier="metric",
        scope="job",
        captures={},
        fixes=fixes_of(event),
        title=title,
    )


def _remedies() -> dict[str, tuple[str, ...]]:
    found = {"eval/ema-vs-raw": _KINDS["weights"].fixes, _PADDING_MODE: _KINDS["batching"].fixes}
    found |= {mode: _KINDS["inputs"].fixes for mode, _ in _OF_INPUTS}
    for kind in _KINDS.values():
        found[kind.mode] = tuple(dict.fromkeys((*found.get(kind.mode, ()), *kind.fixes)))
    return found


DETECTORS = (Detector(id="eval-said", modes=(), find=find, remedies=_remedies),)
