"""A table of counts by true and answered class in which each class has an answer of its own, beside a score that says most of them are wrong."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from runtriage.scan.families import Line
from runtriage.scan.scores import TRAIN, scores

_FEWEST: Final = 3
_PURE: Final = 0.8
"""Share of each class that its own answer must have: a model that tells classes apart so well is not wrong by chance."""
_BELOW: Final = 0.25
"""How far the score must be below that share over all classes."""
_AROUND: Final = 12
"""Lines above the table and below it among which the score stands."""
_SHARES: Final = frozenset(("acc", "f1", "recall", "precision"))


def renamed(lines: Sequence[Line]) -> Iterator[tuple[str, Line]]:
    """Yield the line of the last score around a table of counts where all of them are far below how well it tells the classes apart."""
    for begin, end in _blocks(lines):
        told = _told_apart([_counts(line, end - begin) for line in lines[begin:end]])
        if told is None:
            continue
        around = [*lines[max(begin - _AROUND, 0) : begin], *lines[end : end + _AROUND]]
        told_of = [(line, score) for line in around if not _of_training(line) for score in scores(line)]
        shares = [(line, score.value) for line, score in told_of if score.metric in _SHARES and not score.cost]
        if shares and all(value <= told - _BELOW for _, value in shares):
            yield "labels", shares[-1][0]


def _of_training(line: Line) -> bool:
    """Tell whether a line is of training, during which a score was once low."""
    return TRAIN.found(line.low, line.form)


def _blocks(lines: Sequence[Line]) -> Iterator[tuple[int, int]]:
    """Yield where as many lines stand together as each of them holds counts, one before which may number the line."""
    begin = 0
    for at in range(1, len(lines) + 1):
        if at < len(lines) and len(lines[at].numbers) == len(lines[begin].numbers):
            continue
        for first in (begin, begin + 1):
            if at - first >= _FEWEST and 0 <= len(lines[first].numbers) - (at - first) <= 1:
                yield first, at
                break
        begin = at


def _counts(line: Line, classes: int) -> list[float]:
    """Return the counts of a row; none where it holds other numbers."""
    cells = line.numbers[-classes:]
    return [cell.value for cell in cells] if all(cell.printed.isdigit() for cell in cells) else []


def _told_apart(rows: Sequence[Sequence[float]]) -> float | None:
    """Return the share of all samples that get the answer of their class, where every class has one and not all of them are its own."""
    if any(not row or max(row) < _PURE * sum(row) or not sum(row) for row in rows):
        return None
    answers = [max(range(len(row)), key=row.__getitem__) for row in rows]
    if len(set(answers)) < len(rows) or answers == list(range(len(rows))):
        return None
    return sum(map(max, rows)) / sum(map(sum, rows))
