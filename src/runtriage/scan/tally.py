"""Counts that a report of the data gives near one another: how many rows each part holds, and how many stand in both."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from runtriage.model.pattern import deferred
from runtriage.scan.families import Line
from runtriage.scan.scores import JUDGED, TRAIN

_AROUND: Final = 8
"""Lines around a count of what is shared in which the parts are counted."""
_SHARE: Final = 0.02
"""Part of the evaluation from which what it shares with training matters to its score."""
_PARTS: Final = 3
"""Counts of a line that tells how many are in training, in the evaluation, and in all."""
_BOTH = deferred(
    r"(?<![a-z])(?:in both|in common|shared|overlap\w*|intersection|common to both|of both|duplicates? across)(?![a-z])[^\d]{0,40}(?P<behind>\d[\d,]*)(?![\d.%])"
    r"|(?<![\d.,])(?P<before>\d[\d,]*) (?:\w+ ){0,3}(?:in both|in common|shared|overlap\w*|common to both|of both)(?![a-z])"
)
_MENDED = deferred(
    r"(?<![a-z])(?:remov\w*|dropp\w*|exclud\w*|filter\w*|allowed|features?|columns?|class(?:es)?|labels?|vocab\w*)(?![a-z])"
)
"""What was put right, or may well be shared."""


_IN_ALL = deferred(
    r"(?<![a-z])(?:total|in all|overall|altogether|together|unique|distinct|different|gesamt|insgesamt|en total|au total|totale|totaal|toplam)(?![a-z])"
)


def _twice(line: Line) -> bool:
    """Tell whether a line counts more in training and in the evaluation than there are in all: the rest stands in both."""
    if not (_IN_ALL.search(line.low) and TRAIN.found(line.low, line.form) and JUDGED.found(line.low, line.form)):
        return False
    counts = [number.value for number in line.numbers]
    if (
        len(counts) != _PARTS
        or not all(number.printed.isdigit() for number in line.numbers)
        or _MENDED.search(line.low)
    ):
        return False
    whole = max(counts)
    parts = sorted(counts)[:-1]
    return sum(parts) - whole >= _SHARE * min(parts) > 0


def shared(lines: Sequence[Line]) -> Iterator[tuple[str, Line]]:
    """Yield a line that counts what stands in both parts, where lines around it count those of training and of the evaluation."""
    yield from (("leak", line) for line in lines if _twice(line))
    for at, line in enumerate(lines):
        found = _BOTH.search(line.low)
        if found is None or _MENDED.search(line.low):
            continue
        count = int((found["behind"] or found["before"]).replace(",", ""))
        around = [other for other in lines[max(at - _AROUND, 0) : at + _AROUND] if other.numbers and other is not line]
        judged = [
            _counted(other)
            for other in around
            if JUDGED.found(other.low, other.form) and not TRAIN.found(other.low, other.form)
        ]
        trained = [
            _counted(other)
            for other in around
            if TRAIN.found(other.low, other.form) and not JUDGED.found(other.low, other.form)
        ]
        held = [number for number in judged if number >= count]
        if any(trained) and held and count >= _SHARE * min(held) > 0:
            yield "leak", line


def _counted(line: Line) -> float:
    """Return the last whole number of a line; 0 where it has none."""
    return next((number.value for number in reversed(line.numbers) if number.printed.isdigit()), 0.0)
