"""Sentences with which a program leaves that quote a value it had just recorded: what the value is of says what the sentence is about."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from runtriage.detect.curve import finite
from runtriage.model.event import Event
from runtriage.model.facts import Facts
from runtriage.model.naming import meaning, plain_name
from runtriage.model.pattern import deferred
from runtriage.model.series import Series

_FAMILIES: Final = {
    "loss": "div",
    "loss_part": "div",
    "eval_loss": "div",
    "grad_norm": "div",
    "kl": "div",
    "policy_loss": "div",
    "reward": "div",
    "eval_metric": "eval",
}
_LATELY: Final = 12
"""Values up to the last of a series near which one that is quoted must be."""
_NEAR: Final = 0.02
"""How near, as a part of it: a sum or an average that goes on between two prints moves so far."""
_NUMBER = deferred(r"(?<![\w.])(?P<number>-?\d{1,12}\.\d{1,8}(?:e[-+]?\d{1,3})?)(?![\w.]*\w)", 0)
_WORD = deferred(r"[a-z]\w*(?:\([a-z]+\))?", 0)


def measured(event: Event, facts: Facts) -> str | None:
    """Return the family of what a sentence says of a value: it names a series of its run, by its name or what it measures, and quotes a late value of it."""
    message = event.captures.get("message", "").lower()[:400]
    quoted = [abs(float(found["number"])) for found in _NUMBER.finditer(message)]
    if not quoted:
        return None
    words = set(_WORD.findall(message))
    for series in _late(event, facts):
        family = _FAMILIES.get(series.role or "")
        if family is None or not _named(series, words):
            continue
        late = [abs(point.value) for point in finite(series)[-_LATELY:]]
        if any(abs(value - number) <= _NEAR * value for value in late for number in quoted if value):
            return family
    return None


def _late(event: Event, facts: Facts) -> Iterator[Series]:
    """Yield the series of the log in which a sentence stands."""
    return (series for series in facts.series if series.artifact == event.citation.artifact and series.points)


def _named(series: Series, words: set[str]) -> bool:
    name = plain_name(series.name)
    if name in words or series.name.lower() in words:
        return True
    parts = [part for part in name.replace("(", "_").split("_") if meaning(part).role is not None]
    return not words.isdisjoint(parts)
