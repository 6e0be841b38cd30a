"""Averaged weights that score far below the weights they are the average of: something of the model was not averaged with them."""

from __future__ import annotations

from collections.abc import Iterator

from runtriage.detect.curve import cite, finite, fired
from runtriage.detect.engine import Detector
from runtriage.model.catalogue import Catalogue
from runtriage.model.facts import Facts
from runtriage.model.finding import Evidence, Match
from runtriage.model.naming import meaning, plain_name
from runtriage.model.series import Series

FEWEST = 3
APART = 0.2
"""Parts of the better score by which an average is worse in each of the last evaluations; it begins near its weights and soon is as good."""
AVERAGES = frozenset({"ema", "swa", "averaged", "ma", "polyak", "shadow", "target", "smoothed", "lookahead"})
"""What averaged weights are called."""
_MODE = "eval/ema-vs-raw"
_FIXES = ("evaluate-trained-weights",)


def find(facts: Facts, catalogue: Catalogue) -> Iterator[Match]:
    """Yield a match for the first score of averaged weights that stays far below the same score of the weights themselves."""
    for averaged in facts.series:
        words = plain_name(averaged.name).split("_")
        if averaged.total < FEWEST or (AVERAGES.isdisjoint(words) and "avg" not in words):
            continue
        rest = [word for word in words if word not in AVERAGES and word != "avg"]
        of_raw = [*rest, "raw"], ["raw", *rest]
        for raw in facts.series:
            same = plain_name(raw.name).split("_") in (of_raw if "avg" in words else (rest, *of_raw))
            if same and raw.artifact == averaged.artifact and (match := _match(averaged, raw)) is not None:
                yield match
                return


def _match(averaged: Series, raw: Series) -> Match | None:
    if meaning(raw.name).better != "higher" or not raw.points:
        return None
    beside = {point.line: point.value for point in finite(raw)}
    late = finite(averaged)[-max(FEWEST, averaged.total // 2) :]
    pairs = [(point, beside[point.line]) for point in late if point.line in beside]
    if len(pairs) < FEWEST or not all(0 <= point.value <= (1 - APART) * other for point, other in pairs):
        return None
    last, other = pairs[-1]
    return fired(
        "average-scores-less",
        _MODE,
        averaged,
        last,
        f"{averaged.name} is {last.value:g} where {raw.name} is {other:g}, and as far below in {len(pairs)} evaluations",
        fixes=_FIXES,
        numbers={"averaged": last.value, "raw": other},
        also=[Evidence(claim=f"{raw.name} is {other:g}", citation=cite(raw, last))],
        title="The averaged weights score far below the trained ones",
    )


DETECTORS = (Detector(id="eval-averaged", modes=(_MODE,), find=find, remedies=lambda: {_MODE: _FIXES}),)
