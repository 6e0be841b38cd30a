"""Scores that are no better than those of no model at all, which the program prints beside them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Final

from runtriage.model.pattern import deferred
from runtriage.scan.families import Family, Line, families
from runtriage.scan.scores import TRAIN, Score, scores, worse

_NO_MODEL: Final = frozenset(
    (
        "guessing",
        "guess",
        "always",
        "naive",
        "baseline",
        "persistence",
        "majority",
        "chance",
        "dummy",
        "constant",
        "random",
    )
)
"""What a score is called that needs no model."""
_REFERENCE: Final = "baseline"
"""What may be another model as well: one of more bits or parts, say, if it is the same in all rows."""
_DECIMAL = deferred(r"(?<![\w.])0?\.\d{1,6}(?![\w.]*\d)")
_LUCK, _ABOVE = 0.02, 0.15
"""How far above that of no model a score may still be luck, and how far below the best one both must be: what models reach is no guess's."""
_SELF: Final = 12
"""Characters of a score's own number and what ends it."""


def no_better(lines: Sequence[Line]) -> Iterator[tuple[str, Line]]:
    """Yield a line with such a score: the last of rows that are all of the kind, or one where scores above were far better."""
    if not any(_names_none(line.low) for line in lines):
        return
    for rows in families(lines):
        if not any(TRAIN.found(row.low, row.form) for row in rows) and _all_worse(rows):
            yield "gate", rows[-1]
    yield from _at_chance(lines)


def _all_worse(rows: Family) -> bool:
    told = [scores(row) for row in rows]
    for own, none in combinations(range(min(map(len, told))), 2):
        mine, other = [each[own] for each in told], [each[none] for each in told]
        if _of_no_model(mine[0]) or not _of_no_model(other[0]) or mine[0].metric != other[0].metric:
            continue
        if _REFERENCE in other[0].words and len({each.value for each in other}) == 1:
            continue
        if all(worse(one, two) for one, two in zip(mine, other, strict=True)):
            return True
    return False


def _at_chance(lines: Sequence[Line]) -> Iterator[tuple[str, Line]]:
    best: dict[str, float] = {}
    for line in lines:
        for score in scores(line):
            if score.cost or TRAIN.found(score.words, score.form):
                continue
            metric = score.metric.partition("_")[0]  # without the part of the data that is written on to it
            guessed = _guessed(line.low.partition(score.words)[2])
            if guessed is None:
                best[metric] = max(best.get(metric, 0.0), score.value)
            elif max(score.value, guessed) <= best.get(metric, 0.0) - _ABOVE and score.value <= guessed + _LUCK:
                yield "gate", line


def _guessed(behind: str) -> float | None:
    """Return the score of no model that a line prints behind one of a model."""
    for found in _DECIMAL.finditer(behind, _SELF):
        if _names_none(behind[: found.start()]):
            return float(found[0])
    return None


def _of_no_model(score: Score) -> bool:
    return _names_none(score.words)


def _names_none(words: str) -> bool:
    return not _NO_MODEL.isdisjoint(words.replace("_", " ").replace("=", " ").split())
