"""Numbers at the end of a log that left all bounds, under whatever name they are printed."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final, NamedTuple

from runtriage.detect.claims import match_of
from runtriage.detect.engine import Detector
from runtriage.model.catalogue import Catalogue
from runtriage.model.event import STATEMENT, Event
from runtriage.model.event_names import NUMBERS
from runtriage.model.facts import Facts
from runtriage.model.finding import Match

ROLES: Final = ("loss", "eval_loss", "grad_norm")
"""Of series with these roles another detector says whether they stayed without numbers."""


class _Kind(NamedTuple):
    mode: str
    claim: str
    title: str
    fixes: tuple[str, ...]


_KINDS: Final = {
    "nonfinite": _Kind(
        "nan/loss-nonfinite",
        "{what} is no finite number to the end, in the last {rows:g} rows of its kind",
        "A number became NaN or infinite and stayed so",
        ("lower-learning-rate", "clip-gradients", "check-input-scaling"),
    ),
    "runaway": _Kind(
        "div/loss-spike-unrecovered",
        "{what} grew from {before:g} to {last:g}, the faster the later",
        "A number grows without end",
        ("lower-learning-rate", "return-to-earlier-checkpoint", "clip-gradients"),
    ),
    "turned": _Kind(
        "div/loss-spike-unrecovered",
        "{what} had come down to {before:g}, went up to {last:g} and did not come back in the last {rows:g} rows of its kind",
        "A number that had come down went up for good",
        ("lower-learning-rate", "return-to-earlier-checkpoint", "clip-gradients"),
    ),
    "swings": _Kind(
        "div/loss-spike-unrecovered",
        "{what} and other numbers beside it swing wider and wider: by {before:g} in the first third of {rows:g} rows, by {last:g} in the last one",
        "Several numbers swing wider and wider",
        ("lower-learning-rate", "clip-gradients", "return-to-earlier-checkpoint"),
    ),
    "guessing": _Kind(
        "div/plateau-not-learning",
        "{what} is {last:g} and never was far from the {before:.4g} of guessing, and so is the score beside it in {rows:g} rows",
        "Nothing is learnt",
        ("reconnect-gradients", "check-optimizer-parameters"),
    ),
}


def find(facts: Facts, catalogue: Catalogue) -> Iterator[Match]:
    """Yield a match for each column of the last rows that was lost; those of which the whole series is known are judged by it."""
    judged = {series.name.lower() for series in facts.series if series.role in ROLES}
    for event in facts.events:
        if event.kind == STATEMENT and event.name.startswith(NUMBERS):
            column = event.name in (f"{NUMBERS}nonfinite", f"{NUMBERS}turned") and "rows" in event.numbers
            if not column or event.captures.get("what") not in judged:
                yield _match(event)


def _match(event: Event) -> Match:
    kind = _KINDS[event.name.removeprefix(NUMBERS)]
    told = {"last": math.inf, "before": math.nan, **event.numbers}
    what = event.captures.get("what", "a number")
    said = kind.claim if "rows" in told else "The program says that {what} is no number any more"
    claim = said.format(what=what, **told)
    return match_of(
        event,
        claim,
        rule=f"series/{event.name.removeprefix(NUMBERS)}-column",
        mode=kind.mode,
        role="cause",
        tier="metric",
        scope="job",
        captures={"metric": what},
        fixes=kind.fixes,
        title=kind.title,
    )


DETECTORS = (
    Detector(
        id="numbers-gone",
        modes=(),
        find=find,
        remedies=lambda: {kind.mode: kind.fixes for kind in _KINDS.values()},
    ),
)
