"""Scores that come after a training's own: rows of a place where the model is used, one behind the folds of a cross-validation, or two of one kind of which only one says what training said."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from runtriage.scan.alike import Alike
from runtriage.scan.families import FEWEST, Family, Line, families
from runtriage.scan.scores import ELSEWHERE, TRAIN, Score, scores

_APART, _TIMES, _LIKE = 0.25, 3.0, 0.02
"""How far a score is below, how many times as high a cost is, and how near one is that says the same."""
_UNLIKE: Final = 0.5
"""Part of a score above one by which another one is lower at least: decibels and the like have no fixed range."""
_MOST, _ABOVE = 14, 2
"""Rows of a place where a model is used, and lines above the first of them that say which."""
_USED: Final = Alike(
    r"(?<![a-z])(?:day|week|month|quarter|site|store|region|customer|user|clinic|hospital|camera|deploy\w*|live|rollout|pilot|production|prod|launch\w*|go-live)(?![a-z])"
)
_FOLD: Final = Alike(r"(?<![a-z])(?:folds?|splits?)[ _:=#]{0,2}\d")
_KNOWN: Final = Alike(
    r"(?<![a-z])(?:horizon|lead|lag|noise|sigma|severity|adversarial|attack\w*|ood|shift\w*|corrupt\w*|class|subset|worst|best(?![._])|baseline|naive|random|chance|majority|per[- ]\w+|seed|trial|zero-?shot|few-?shot|hard|easy|language|task|domain|threshold|target|required?|untrained|prun\w*|sparse|distil\w*|ablat\w*|without|w/o|permut\w*|shuffl\w*|dummy\w*|only|leave[- ]one\w*|cross-\w*|snr)(?![a-z])"
)
"""What makes a score another one for a reason that everybody knows."""


def later_scores(lines: Sequence[Line]) -> Iterator[tuple[str, Line]]:
    """Yield a line with such a score and the kind of mismatch it shows."""
    found = list(families(lines))
    for rows in found:
        folds = _FOLD.found(rows[0].low, rows[0].form)
        for at, own in enumerate(scores(rows[-1])):
            if _told(own) and (not folds or len(rows) >= FEWEST):
                yield from _used(rows, at, own, found, lines)
                yield from _reproduced(rows, own, lines)
                if folds:
                    yield from _behind_folds(rows, at, own, lines)


def _told(score: Score) -> bool:
    return not TRAIN.found(score.words, score.form) and not _KNOWN.found(score.words, score.form)


def _used(
    rows: Family, at: int, own: Score, found: Sequence[Family], lines: Sequence[Line]
) -> Iterator[tuple[str, Line]]:
    """Yield the last of later rows, of a place where the model is used, all of which are far worse than where training ended."""
    for later in found:
        if later[0].start <= rows[-1].start or len(later) > _MOST or not _elsewhere(later, lines):
            continue
        told = [next((each for each in scores(row) if each.metric == own.metric), None) for row in later]
        if all(each is not None and _told(each) and _far(each, own) for each in told):
            yield "gate", later[-1]


def _elsewhere(later: Family, lines: Sequence[Line]) -> bool:
    first = lines.index(later[0])
    near = [later[0], *lines[max(first - _ABOVE, 0) : first]]
    return not any(_KNOWN.found(line.low, line.form) for line in near) and any(
        _USED.found(line.low, line.form) or ELSEWHERE.found(line.low, line.form) for line in near
    )


def _reproduced(rows: Family, own: Score, lines: Sequence[Line]) -> Iterator[tuple[str, Line]]:
    """Yield the line that does not say what training said where another one of its shape does."""
    after = [line for line in lines if line.start > rows[-1].start and line.shape != rows[0].shape]
    for one in after:
        alike = [line for line in after if line.shape == one.shape]
        if not 2 <= len(alike) < FEWEST or any(_KNOWN.found(line.low, line.form) for line in _around(alike, lines)):
            continue
        told = [(line, score) for line in alike for score in scores(line)[:1] if score.metric == own.metric]
        same = any(abs(score.value - own.value) <= _LIKE * max(abs(own.value), abs(score.value)) for _, score in told)
        if same and not own.cost:
            yield from (("rescored", line) for line, score in told if _far(score, own))


def _around(alike: Sequence[Line], lines: Sequence[Line]) -> Iterator[Line]:
    for line in alike:
        at = lines.index(line)
        yield from lines[max(at - 1, 0) : at + 1]


def _behind_folds(rows: Family, at: int, own: Score, lines: Sequence[Line]) -> Iterator[tuple[str, Line]]:
    """Yield a later line, no fold's, that is far worse than each fold was."""
    told = [scores(row)[at] for row in rows if len(scores(row)) > at]
    for line in lines:
        if line.start <= rows[-1].start or _FOLD.found(line.low, line.form) or _KNOWN.found(line.low, line.form):
            continue
        for score in scores(line):
            if score.metric == own.metric and _told(score) and all(_far(score, each) for each in told):
                yield "gate", line


def _far(this: Score, other: Score) -> bool:
    if this.cost:
        return this.value >= _TIMES * other.value > 0
    return this.value <= other.value - max(_APART, _UNLIKE * other.value if other.value > 1 else 0.0)
