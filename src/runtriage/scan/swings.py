"""Columns of rows that swing around nothing, together, and by orders of magnitude wider at the end than at the begin."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from runtriage.scan.draft import Draft
from runtriage.scan.families import Family, Line, column, counts, families
from runtriage.scan.gone import statement

_ROWS: Final = 24
_TOGETHER, _SWINGING = 3, 2
"""Columns that must have grown, and those of them that change their sign again and again: what only counts or is paid out does not."""
_WIDER: Final = 10.0
"""Middle size of the last third over that of the first: two sides of a game that is well keep theirs."""
_LARGE: Final = 1e3
"""Least size at the end: what begins near nothing may grow tenfold and be small."""
_SIGNS: Final = 0.2
"""Part of the rows at which a swinging column changes its sign."""


def swings(lines: Sequence[Line]) -> Iterator[Draft]:
    """Yield the last row of those of which several columns swing wider and wider beside one that counts."""
    for rows in families(lines):
        columns = [column(rows, at) for at in range(len(rows[0].numbers))]
        if len(rows) < _ROWS or not any(map(counts, columns)):
            continue
        wide = [at for at, values in enumerate(columns) if not counts(values) and _widens(values)]
        swinging = [at for at in wide if _changes(columns[at]) >= _SIGNS * len(rows)]
        if len(wide) >= _TOGETHER and len(swinging) >= _SWINGING:
            yield _statement(rows, swinging[0], columns[swinging[0]])


def _widens(values: Sequence[float]) -> bool:
    third = len(values) // 3
    early, late = _size(values[:third]), _size(values[-third:])
    return math.isfinite(early) and math.isfinite(late) and late >= max(_LARGE, _WIDER * early) > 0


def _size(values: Sequence[float]) -> float:
    return sorted(map(abs, values))[len(values) // 2]


def _changes(values: Sequence[float]) -> int:
    return sum(earlier * later < 0 for earlier, later in pairwise(values))


def _statement(rows: Family, at: int, values: Sequence[float]) -> Draft:
    third = len(values) // 3
    draft = statement("swings", rows, rows[0].numbers[at], _size(values[:third]), len(rows))
    draft.numbers["last"] = _size(values[-third:])
    return draft
