"""A figure that a line behind rows gives under the name of one of their columns, below all that the rows ever reached: what they are held against."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from runtriage.model.event import STATEMENT
from runtriage.model.event_names import BASELINE
from runtriage.model.naming import meaning
from runtriage.model.pattern import deferred
from runtriage.scan.draft import Draft
from runtriage.scan.families import FEWEST, Line, column, families

_ROWS: Final = 12
_BELOW: Final = 0.9
"""Part of the least value of the column that the figure is at most: what the rows reached themselves is not it."""
_WORDS: Final = 2
"""Words in front of the column's name that say whose figure it is."""
_OWN = deferred(
    r"(?<![a-z])(?:best|min(?:imum)?|lowest|final|last|mean|avg|std|target|tolerance|lr|rate|time|sec\w*|delta|improv\w*|gain)(?![a-z])"
)
"""Words for what the rows reached, or should reach."""


def references(lines: Sequence[Line]) -> Iterator[Draft]:
    """Yield the line of such a figure."""
    shapes = [line.shape for line in lines]
    for rows in families(lines):
        if len(rows) < _ROWS:
            continue
        names = {number.name.split()[-1]: at for at, number in enumerate(rows[0].numbers) if number.name}
        for line in lines:
            decimals = [number for number in line.numbers if "." in number.printed]
            if line.start < rows[-1].start or shapes.count(line.shape) >= FEWEST or len(decimals) != 1:
                continue
            words = decimals[0].name.split()
            at = names.get(words[-1]) if words else None
            before = line.low.partition(words[-1])[0].split() if words else []
            if (
                at is None
                or len(before) < _WORDS
                or _OWN.search(line.low)
                or meaning(words[-1]).role in ("lr", "step_time", "throughput")
            ):
                continue
            if 0 < decimals[0].value <= _BELOW * min(column(rows, at)):
                captures = {"key": words[-1], "measure": "", "none": "what is named beside it", "below": "yes"}
                numbers = {"base": decimals[0].value}
                yield Draft(
                    kind=STATEMENT,
                    name=f"{BASELINE}alone",
                    start=line.start,
                    end=line.end,
                    captures=captures,
                    numbers=numbers,
                )
                return
