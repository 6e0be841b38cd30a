"""A list of how much each feature matters in which one of them carries nearly all: what a column that gives the target away looks like."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from runtriage.model.event import STATEMENT
from runtriage.model.event_names import DOMINANT
from runtriage.model.pattern import deferred
from runtriage.scan.draft import Draft
from runtriage.scan.families import Line, Number

_MATTERS = deferred(
    r"(?<![a-z])(?:(?:feature|variable|permutation|gain|split|shap|column)?[ _]?(?:importances?|contributions?)|feature weights?|mean \|?shap\|?|top features|wichtigkeit(?:en)?|merkmalswichtigkeit|importancias?|importanza|belang)(?![a-z])"
)
_FEWEST, _MOST = 3, 12
"""Features of a list, and rows of it that are looked at."""
_CARRIES: Final = 0.75
"""Part of the sum of all that one feature carries."""


def dominant(lines: Sequence[Line]) -> Iterator[Draft]:
    """Yield the line of a feature that carries nearly all of what a list of them sums up to, in one line or in rows below its heading."""
    for at, line in enumerate(lines):
        if not _MATTERS.search(line.low):
            continue
        listed = [(number, line) for number in line.numbers]
        listed = listed if len(listed) >= _FEWEST else _rows(lines[at + 1 : at + 1 + _MOST])
        values = [number.value for number, _ in listed]
        if len(values) < _FEWEST or min(values) < 0 or max(values) < _CARRIES * sum(values) or not sum(values):
            continue
        number, place = listed[values.index(max(values))]
        part = number.value / sum(values)
        captures = {"what": number.name.split()[-1] if number.name else "one feature"}
        yield Draft(
            kind=STATEMENT, name=DOMINANT, start=place.start, end=place.end, captures=captures, numbers={"part": part}
        )
        return


def _rows(lines: Sequence[Line]) -> list[tuple[Number, Line]]:
    """Return the last number of each row up to the first line that is none: one that names something and gives one or two numbers."""
    found: list[tuple[Number, Line]] = []
    for line in lines:
        if len(line.numbers) not in (1, 2) or len(line.words.split()) > 6:
            break
        found.append((max(line.numbers[-1:], key=lambda number: number.value), line))
    return found
