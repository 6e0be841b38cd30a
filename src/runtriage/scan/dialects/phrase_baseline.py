"""Lines that print a score beside, or as, that of no model or of another one: what a run says itself it must be better than."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from runtriage.model.event import STATEMENT
from runtriage.model.event_names import BASELINE
from runtriage.model.naming import bare, meaning, plain_name
from runtriage.model.pattern import deferred
from runtriage.scan.contract import Reading, Row
from runtriage.scan.dialects.words import said

_LONGEST: Final = 400
_GUESSES: Final = (
    *(r"random(?:ly)?", "chance", "guess(?:ing|es)?", "majority", "coin flip", "uniform", "zufall", "mehrheit"),
    *(
        "hasard",
        "azar",
        "acaso",
        "majoritaire",
        r"mayoritari[ao]",
        "maioria",
        "maggioranza",
        "aleatoi?re",
        "aleatori[ao]",
    ),
)
"""Scores that need no model and no data."""
_SIMPLE: Final = (
    *("naive", "na\u00efve", "baselines?", "base ?line", "persistence", "climatology", "dummy", "last value"),
    *(
        "incumbent",
        "champion",
        "untrained",
        "random init",
        "step-?0 (?:model|weights)",
        "before training",
        "mean[- ](?:image|value)",
        "always \\w+",
        "constant predict\\w+",
        "predict(?:ing)? (?:the )?mean",
    ),
    *("persistance", "persistenz", "persistencia", "persistenza", "persistance", "naif", "naiv[ea]?", "ingenu[oa]"),
    *("linea (?:de )?base", "linha de base", "basislinie", "referenz", "nulmodell?", "modelo nulo"),
)
"""What else a model is held against: the simplest one, or the one it is to replace."""
_NONE = deferred(rf"(?<![a-z])(?:(?P<guess>{'|'.join(_GUESSES)})|{'|'.join(_SIMPLE)})(?![a-z])")
CUE: Final = (
    r"(?:chance|random|guess|majority|na(?:i|\xc3\xaf)ve?|baseline|persist[ea]n|climatology|dummy|incumbent|champion|untrained|before training|step-0|mean-image|hasard|azar|acaso|zufall|mehrheit|referen[zc])[^\n]{0,60}\d[.,]\d",
)
_NUMBER = deferred(
    r"(?<![\w.+@-])(?P<value>-?\d{1,9}\.\d{1,10}(?:e[-+]?\d{1,3})?|\d{1,3}(?= ?%))(?P<percent> ?%)?(?![\w/]|\.\d|-\d| ?(?:s|ms|secs?|seconds?|mins?|minutes?|[kmg]i?b)(?![a-z]))"
)
_WORD = deferred(r"[a-z][\w@/-]*")
_CHANGE = deferred(
    r"(?<![a-z])(?:improve\w*|gain|lift|delta|diff\w*|gap|over|above|below|reduc\w*|error bars?|std|seed)(?![a-z])"
)
"""What stands before a distance from a baseline, which is no score of its own."""
_REWARD = deferred(
    r"(?<![a-z])(?:rewards?|advantages?|returns?|reinforce|policy|state_?dict|init\w*|crop|flip|dropout|search)(?![a-z])"
)
"""Whose baseline is part of the method, and what else is random on purpose."""
_MOST: Final = 8
"""Numbers of one line that are looked at."""


class _Figure(Struct, frozen=True):
    """A number with the words before it: its measure (empty where no word names one), and whether those words say that it needs no model."""

    value: float
    key: str
    measure: str
    none: str
    guess: bool


def read_baseline(cue: str, rows: Iterator[Row]) -> Reading:
    """Read a line: the score that is to be beaten, and the one that stands beside it where there is one of the same measure."""
    line = said(rows)
    if line is None or len(line.words) > _LONGEST:
        return Reading()
    words = bare(line.words).lower()
    if _REWARD.search(words) or (found := _compared(_figures(words))) is None:
        return Reading()
    own, base = found
    captures = {"key": base.key or (own.key if own else ""), "measure": base.measure, "none": base.none}
    captures |= {"guess": "yes"} if base.guess else {}
    captures |= {"base": f"{base.value:g}"} | ({"own": f"{own.value:g}"} if own else {})
    draft = line.draft(STATEMENT, f"{BASELINE}{'beside' if own else 'alone'}")
    draft.captures.update(captures)
    draft.numbers.update({"base": base.value} | ({"own": own.value} if own else {}))
    return Reading([draft])


def _figures(words: str) -> list[_Figure]:
    found: list[_Figure] = []
    at = 0
    for number in _NUMBER.finditer(words):
        if len(found) == _MOST:
            break
        gap = words[at : number.start()]
        at = number.end()
        none = _NONE.search(gap)
        names = [word for word in _WORD.findall(gap) if len(plain_name(word)) > 1]
        measured = [word for word in names if meaning(word).better is not None]
        value = float(number["value"]) / (100.0 if number["percent"] else 1.0)
        if _CHANGE.search(gap) or number["value"][0] == "+":
            continue
        named = measured[-1] if measured else ""
        found.append(
            _Figure(value, names[-1] if names else "", named, none[0] if none else "", bool(none and none["guess"]))
        )
    return found


def _compared(figures: list[_Figure]) -> tuple[_Figure | None, _Figure] | None:
    """Return the first score of no model with the one before it, else behind it, that measures the same; None where there is none."""
    at = next((at for at, figure in enumerate(figures) if figure.none), None)
    if at is None:
        return None
    base = figures[at]
    for other in (*reversed(figures[:at]), *figures[at + 1 :]):
        same = not base.measure or not other.measure or _plain(base.measure) == _plain(other.measure)
        if same and not other.none:
            return other, base if base.measure else _Figure(base.value, other.key, other.measure, base.none, base.guess)
    return None, base


def _plain(measure: str) -> str:
    return re.sub(r"[\d_.@-]+", "", plain_name(measure))
