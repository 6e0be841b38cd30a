"""What a program's own words tell of its failure: the sentence it raised or left with, and the names it gave its code."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Final

from msgspec import Struct

from runtriage.model.pattern import deferred

_TABLE: Final = "own_words.csv"
_ENOUGH: Final = 0.75
"""The least weight of a verdict: a sure word of one family, or two vague ones."""
_AHEAD: Final = 0.25
"""How much heavier than the next family the heaviest has to be."""
_PLACES: Final = 0.6
"""What a word counts in the name of a function or file, measured by one in the message."""
_SUBJECT: Final = 0.4
"""What a family has ahead whose word is among the first of the message: what a sentence begins with is what it is about."""
_FIRST: Final = 3
_LONGEST: Final = 600
_CAMEL: Final = deferred(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_PLAIN: Final = frozenset({"main", "train", "run", "module", "lambda", "init", "call", "forward", "error", "exception"})
"""Names that every program uses, which tell nothing."""
_MEASURED: Final = frozenset({"div", "nan", "eval"})
"""Families whose words are also parts of the names of what is measured: `loss_avg`."""
ANSWERS: Final = {
    "data": ("data/unhandled-exception", ("inspect-failing-sample", "check-data-path")),
    "cfg": ("cfg/unhandled-exception", ("fix-named-setting",)),
    "io": ("io/unhandled-exception", ("verify-checkpoint-files",)),
    "eval": ("eval/unhandled-exception", ("evaluate-trained-weights", "compare-label-maps")),
    "div": ("div/unhandled-exception", ("lower-learning-rate",)),
    "nan": ("nan/unhandled-exception", ("lower-learning-rate",)),
    "perm": ("perm/unhandled-exception", ("check-cloud-credentials",)),
    "quota": ("quota/unhandled-exception", ("check-quota",)),
    "oom": ("oom/unhandled-exception", ("measure-memory", "reduce-micro-batch")),
    "stall": ("stall/no-progress", ("stall-dump-stacks",)),
    "orch": ("orch/component-failed", ("read-the-failing-line",)),
    "crash": ("crash/unhandled-exception", ("read-the-failing-line",)),
}


class _Word(Struct, frozen=True):
    family: str
    weight: float
    pattern: re.Pattern[str]


@cache
def _words() -> tuple[_Word, ...]:
    text = Path(__file__).with_name(_TABLE).read_text(encoding="utf-8")
    cells = [line.split(",", 2) for line in text.splitlines() if not line.startswith("#")]
    return tuple(
        _Word(family, float(weight), deferred(pattern, re.IGNORECASE)) for family, weight, pattern in cells[1:]
    )


def told_by_words(name: str, message: str, places: str) -> tuple[str, tuple[str, ...]] | None:
    """Return mode and fix ids of what the words of a message and the names around it are about; None where they do not tell."""
    said = f"{spread(name)} {message}"[:_LONGEST]
    around = spread(places)[:_LONGEST]
    weights: dict[str, float] = {}
    parted = said.replace("_", " ")
    for word in _words():
        if word.pattern.search(said) or (word.family in _MEASURED and word.pattern.search(parted)):
            weights[word.family] = weights.get(word.family, 0.0) + word.weight
        elif word.pattern.search(around):
            weights[word.family] = weights.get(word.family, 0.0) + word.weight * _PLACES
    if not weights:
        return None
    begins = " ".join(message.split()[:_FIRST])
    called = spread(name)
    subjects = {
        word.family
        for word in _words()
        if word.weight >= _ENOUGH and (word.pattern.search(begins) or word.pattern.search(called))
    }
    for family in subjects & weights.keys():
        weights[family] += _SUBJECT
    best, *others = sorted(weights.items(), key=lambda item: (-item[1], item[0]))
    if best[1] < _ENOUGH or (others and best[1] - others[0][1] < _AHEAD):
        return None
    return ANSWERS[best[0]]


def spread(names: str) -> str:
    """Return names as words: `load_manifest` and `BadLabelError` become what they are made of, without what every program says."""
    parts = re.split(r"[^A-Za-z0-9]+|_", _CAMEL.sub(" ", names))
    return " ".join(part for part in parts if part and part.lower() not in _PLAIN)
