"""What the course of a column tells, whatever it is called: that it had come down and went up for good, or that it stays where guessing is."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from runtriage.model.naming import meaning
from runtriage.model.pattern import deferred
from runtriage.scan.alike import form_of_text
from runtriage.scan.draft import Draft
from runtriage.scan.families import Family, Line, Number, column, counts, families
from runtriage.scan.gone import statement
from runtriage.scan.scores import JUDGED

_ROWS: Final = 10
_FELL, _RISEN, _ABOVE, _STAYS = 0.85, 3.0, 1.2, 2.0
"""A column that came down to the first part of where it began, and is at the end so many times its best level and its beginning, and
over the last quarter of the way up: what `runtriage.detect.divergence` asks of a loss, and that it fell first."""
_DOWNWARD: Final = 0.7
"""Part of the steps down to the best level that go down: what only happens to be low goes up as often."""
_CLASSES: Final = (*range(2, 21), 100, 1000)
_POWERS: Final = tuple(2**power for power in range(5, 17))
"""Sizes of batches among whose pairs a contrastive loss chooses."""
_LEARNT: Final = 0.85
_NEAR, _SPREAD, _CHANCE = 5e-3, 0.01, 0.25
"""How near a cost is to that of guessing and its range, and how far a score is from that of guessing, each as a part of it."""
_NO_COST = deferred(
    r"(?<![a-z])(?:lr|rate|scale\w*|time|sec\w*|ms|eta|elapsed|mem\w*|rss|[kmg]i?b|throughput|size|count|len\w*|temp\w*|beta|alpha|gamma|sigma|eps\w*|kl"
    r"|momentum|budget|rewards?|returns?|scores?|acc\w*|n|params?|seed|id|pid|queue|entropy|adv\w*|policy|value|actor|critic|[dg]|gen\w*|disc\w*|coef\w*)(?![a-z])|/s\b"
)
"""What may fall and rise in a run that is well: schedules, resources, and the numbers of games that two sides play."""


def courses(lines: Sequence[Line]) -> Iterator[Draft]:
    """Yield the last row of those of which a column turned, or never left what guessing costs."""
    for rows in families(lines):
        if len(rows) < _ROWS or not any(counts(column(rows, at)) for at in range(len(rows[0].numbers))):
            continue
        found = _turned(rows, lines) or _guessing(rows) or _back_to_guessing(rows)
        if found is not None:
            yield found


def _turned(rows: Family, lines: Sequence[Line]) -> Draft | None:
    """Find a column without a known meaning that fell as a cost does, and rose above where it began to stay there."""
    for at, number in enumerate(rows[0].numbers):
        values = column(rows, at)
        if not _may_cost(number) or not all(math.isfinite(value) and value > 0 for value in values):
            continue
        best, since = _turn(values)
        if since and not _other_phase(rows[best], rows[-since], lines):
            return statement("turned", rows, number, values[best], since)
    return None


def _may_cost(number: Number) -> bool:
    told = meaning(number.name.split()[-1] if number.name else "")
    unknown = told.role is None or (told.role in ("metric", "loss") and told.better == "lower")
    named = any(letter.isalpha() for letter in number.name)
    return (
        named
        and unknown
        and not _NO_COST.search(number.name)
        and not JUDGED.found(number.name, form_of_text(number.name))
    )


def _turn(values: Sequence[float]) -> tuple[int, int]:
    """Return where the best level of a column is, and for how many values up to the last it is far above that; 0 where it is not."""
    best = min(range(len(values)), key=lambda at: values[at])
    start, end = sorted(values[:3])[1], sorted(values[-3:])[1]
    level = sorted(values[max(best - 1, 0) : best + 2])[1]
    if values[best] > _FELL * start or end < max(_RISEN * level, _ABOVE * start) or best < 2:
        return best, 0
    down = sum(later < earlier for earlier, later in pairwise(values[: best + 1]))
    since = next((back for back, value in enumerate(reversed(values)) if value < _STAYS * level), len(values))
    steady = down >= _DOWNWARD * best and since >= max(3, len(values) // 8)
    return best, since if steady else 0


def _other_phase(best: Line, onset: Line, lines: Sequence[Line]) -> bool:
    """Tell whether a line that is said once stands between two rows: another phase, fold or set of data may begin there."""
    shapes = [line.shape for line in lines]
    return any(best.start < line.start < onset.start and shapes.count(line.shape) == 1 for line in lines)


def _guessing(rows: Family) -> Draft | None:
    """Find rows in which a cost is all along that of guessing among some classes, beside a score that is all along that of guessing among as many."""
    for at, number in enumerate(rows[0].numbers):
        values = column(rows, at)
        level = sorted(values)[len(values) // 2]
        if level <= 0 or "." not in number.printed or max(values) - min(values) > _SPREAD * level:
            continue
        for classes in _CLASSES:
            if abs(level - math.log(classes)) <= _NEAR * level and _by_chance(rows, at, classes):
                return statement("guessing", rows, number, math.log(classes), len(rows))
    return None


def _back_to_guessing(rows: Family) -> Draft | None:
    """Find a cost that had been below that of guessing, and rests there in the last rows beside a score of guessing."""
    late = rows[-max(_ROWS, len(rows) // 4) :]
    for at, number in enumerate(rows[0].numbers):
        values = column(late, at)
        level = sorted(values)[len(values) // 2]
        if level <= 0 or "." not in number.printed or max(values) - min(values) > _SPREAD * level:
            continue
        if min(column(rows, at)) > _LEARNT * level:
            continue
        for classes in (*_CLASSES, *_POWERS):
            if abs(level - math.log(classes)) <= _NEAR * level and _by_chance(late, at, classes):
                return statement("turned", rows, number, min(column(rows, at)), len(late))
    return None


def _by_chance(rows: Family, cost: int, classes: int) -> bool:
    """Tell whether a column other than that of the cost holds shares, or percentages, of right guesses among some classes."""
    for at, number in enumerate(rows[0].numbers):
        values = column(rows, at)
        if at == cost or "." not in number.printed or min(values) <= 0:
            continue
        unit = 100.0 if max(values) > 1 else 1.0
        if all(abs(value / unit - 1 / classes) <= _CHANCE / classes for value in values):
            return True
    return False
