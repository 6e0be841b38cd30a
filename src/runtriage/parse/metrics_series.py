"""Series made from whole lists of values, thinned to a bounded number of points."""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterator

from msgspec import Struct, field

from runtriage.model.series import Point, Series
from runtriage.model.subject import NOBODY

WHOLE = 4096
"""A series of up to this many points is kept whole; of a longer one first, last and extremes of each stretch are."""
_STRETCHES = 1024
_NONFINITE = 256


def _numbers() -> array[float]:
    return array("d")


class Column(Struct):
    """The values of one metric in the order they were written, with step, line and byte."""

    steps: array[float] = field(default_factory=_numbers)
    values: array[float] = field(default_factory=_numbers)
    lines: array[float] = field(default_factory=_numbers)
    offsets: array[float] = field(default_factory=_numbers)

    def add(self, step: float, value: float, line: int, offset: int) -> None:
        """Take one value in."""
        self.steps.append(step)
        self.values.append(value)
        self.lines.append(line)
        self.offsets.append(offset)

    def series(self, artifact: str, name: str, role: str | None) -> Series:
        """Return the series, thinned."""
        finite = [index for index, value in enumerate(self.values) if math.isfinite(value)]
        wild = [index for index, value in enumerate(self.values) if not math.isfinite(value)]
        before = [index for index in finite if index < wild[0]] if wild else finite
        kept = {*self._stretches(finite), *wild[:_NONFINITE], *before[-1:], *finite[-1:], len(self.values) - 1}
        least = min(finite, key=lambda index: self.values[index], default=None)
        greatest = max(finite, key=lambda index: self.values[index], default=None)
        return Series(
            artifact=artifact,
            name=name,
            role=role,
            subject=NOBODY,
            points=tuple(self._point(index) for index in sorted(kept)),
            total=len(self.values),
            nonfinite=len(wild),
            first_nonfinite=self._point(wild[0]) if wild else None,
            last_finite=self._point(before[-1]) if before else None,
            minimum=None if least is None else self._point(least),
            maximum=None if greatest is None else self._point(greatest),
        )

    def _stretches(self, finite: list[int]) -> Iterator[int]:
        if len(finite) <= WHOLE:
            yield from finite
            return
        width = -(-len(finite) // _STRETCHES)
        for start in range(0, len(finite), width):
            part = finite[start : start + width]
            yield part[0]
            yield part[-1]
            yield min(part, key=lambda index: self.values[index])
            yield max(part, key=lambda index: self.values[index])

    def _point(self, index: int) -> Point:
        return Point(self.steps[index], self.values[index], int(self.lines[index]), None, int(self.offsets[index]))
