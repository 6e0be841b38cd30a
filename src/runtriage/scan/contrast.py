"""Two scores of one metric that the program itself holds against each other: it prints how far they are apart, or refuses the worse one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Final

from msgspec import Struct

from runtriage.model.pattern import deferred
from runtriage.scan.families import FEWEST, Line
from runtriage.scan.scores import JUDGED, TRAIN, Score, scores, worse

_NEAR, _BEHIND = 6, 4
"""Lines between two scores that are compared, and behind the later one up to the word on them."""
_APART, _TIMES, _UNITS = 0.1, 1.25, 1e4
"""How far a score must be below the other, how many times as high a cost, and how many times no model but other units explain."""
_LEAST: Final = 0.01
"""Cost of training under which a model may just have learnt its samples by heart."""
_REFUSED = deferred(
    r"(?<![a-z])(?:fail\w*|error|fatal|critical|refus\w*|reject\w*|abort\w*|mismatch\w*|discrepan\w*|differ\w*|disagree\w*|inconsisten\w*|unacceptable|blocked|not (?:ok|accepted|reproduc\w*|match\w*|the same)|should (?:be|not|have|match)|expected)(?![a-z])"
    r"|^\W{0,4}(?:[\w./-]{1,40}[:,]? )?(?:exit(?:ed)?|rc)(?: (?:code|status))?(?: [:=]? ?|[:=]|\()[1-9]\d{0,2}\W{0,2}$"
)
_GRAVITY = deferred(r"[\"'](?:severity|level\w*|lvl)[\"']\s?:\s?[\"']\w+[\"']")
_WELL = deferred(
    r"(?<![a-z])(?:0 (?:fail\w*|errors?|mismatch\w*)|no (?:fail\w*|errors?|mismatch\w*)|within tolerance|as expected|passed)(?![a-z])"
)


_NO_SCORE = deferred(r"(?<![a-z])(?:http|errno|retry\w*|retries|attempts?|timeout|backoff)(?![a-z])")
"""What has an error that is no score."""


_LEVEL: Final = "error"
"""What is a score in some lines, and in more of them how grave they are."""


class _At(Struct, frozen=True):
    score: Score
    line: int


def contrasts(lines: Sequence[Line], excluded: Sequence[bool]) -> Iterator[tuple[str, Line]]:
    """Yield the line of the worse of two scores of one metric on whose distance a word is said; lines that are `excluded` hold none."""
    shapes = [line.shape for line in lines]
    told = [
        _At(score, at)
        for at, line in enumerate(lines)
        if not excluded[at] and not _NO_SCORE.search(line.low) and shapes.count(line.shape) < FEWEST
        for score in scores(line)
        if score.metric != _LEVEL
    ]
    for one, two in combinations(told, 2):
        if one.score.metric != two.score.metric or two.line - one.line > _NEAR:
            continue
        if _other_units(one.score, two.score):
            yield "inputs", lines[two.line]
        elif _apart(one.score, two.score) and not _only_overfits(one.score, two.score):
            behind = lines[two.line : two.line + 1 + _BEHIND]
            if _says_distance(one, two, lines) or (_quoted(one, two, behind[1:]) and worse(two.score, one.score)):
                yield "rescored", lines[two.line]


def _apart(one: Score, two: Score) -> bool:
    low, high = sorted((abs(one.value), abs(two.value)))
    return high >= _TIMES * low > 0 if one.cost else abs(one.value - two.value) >= _APART


def _only_overfits(one: Score, two: Score) -> bool:
    """Tell whether one of two scores is of training and the other one is not: training knows its samples."""
    return _trained(one) != _trained(two)


def _trained(score: Score) -> bool:
    return TRAIN.found(score.words, score.form) and not JUDGED.found(score.words, score.form)


def _other_units(one: Score, two: Score) -> bool:
    """Tell whether an error of training and one of an evaluation are further apart than any model makes them."""
    if not one.cost or _trained(one) == _trained(two):
        return False
    learnt, judged = (one, two) if _trained(one) else (two, one)
    return JUDGED.found(judged.words, judged.form) and judged.value >= _UNITS * learnt.value >= _UNITS * _LEAST


def _refuses(line: Line) -> bool:
    """Tell whether the words of a line, and not only its level, are those of a refusal."""
    words = _GRAVITY.sub("", line.low)
    return _REFUSED.search(words) is not None and _WELL.search(words) is None


def _says_distance(one: _At, two: _At, lines: Sequence[Line]) -> bool:
    """Tell whether a number beside two scores, or behind them, is how far they are apart, and a word beside it that they should not be."""
    for line in lines[two.line : two.line + 1 + _BEHIND]:
        if not _refuses(line):
            continue
        for number in line.numbers:
            digits = len(number.printed.partition(".")[2])
            if (
                digits
                and abs(abs(number.value) / _unit(number.value) - abs(one.score.value - two.score.value))
                <= 0.6 * 10**-digits
            ):
                return True
    return False


def _unit(value: float) -> float:
    return 100.0 if abs(value) > 1 else 1.0


def _quoted(one: _At, two: _At, behind: Sequence[Line]) -> bool:
    """Tell whether a line behind two scores refuses one of them, by its metric or by its value, or says with which code the program left."""
    for line in behind:
        if not _refuses(line):
            continue
        told = {number.value for number in line.numbers if "." in number.printed}
        if not line.numbers or two.score.metric in line.low or told & {one.score.value, two.score.value}:
            return True
        if len(line.numbers) == 1 and not told and line is behind[-1]:
            return True
    return False
