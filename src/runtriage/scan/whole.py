"""Values of a series in little memory: packed, and where they were printed once for all metrics of the same lines."""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from msgspec import Struct

from runtriage.model.series import Columns, Point, Points, floats, wholes


class Sample(NamedTuple):
    """A printed value: its rank in the series, offset, step as printed, line, and time in seconds."""

    ordinal: int
    byte: int
    value: float
    step: float | None
    line: int
    time: float | None


class Whole(Struct, frozen=True):
    """Samples that are kept whole: their ranks in the series, packed values, and where they were printed.

    In the columns a step that is not printed is NaN.
    """

    ordinals: Sequence[int]
    values: bytes
    columns: Columns

    def __len__(self) -> int:
        return len(self.ordinals)

    def samples(self) -> Iterator[Sample]:
        """Yield them."""
        where = self.columns
        steps, times = map(_known, floats(where.steps)), map(_known, floats(where.times))
        return map(Sample, self.ordinals, wholes(where.offsets), floats(self.values), steps, wholes(where.lines), times)

    def sample(self, at: int) -> Sample:
        """Return one of them."""
        where = self.columns
        step, time = _known(floats(where.steps)[at]), _known(floats(where.times)[at])
        value, line = floats(self.values)[at], wholes(where.lines)[at]
        return Sample(self.ordinals[at], wholes(where.offsets)[at], value, step, line, time)

    def moved(self, ordinals: int, lines: int) -> Whole:
        """Return the same with ordinals and lines counted from further ahead."""
        columns = self.columns
        shown = array("q", [line + lines for line in wholes(columns.lines)]).tobytes()
        return Whole(
            [ordinal + ordinals for ordinal in self.ordinals],
            self.values,
            Columns(columns.steps, shown, columns.times, columns.offsets),
        )

    def points(self) -> Points:
        """Return the value other stages see; a step falls back to the rank in the series."""
        columns, steps = self.columns, floats(self.columns.steps)
        if math.isnan(sum(steps)):
            told = [float(at) if math.isnan(step) else step for at, step in zip(self.ordinals, steps, strict=True)]
            columns = Columns(_floats(told), columns.lines, columns.times, columns.offsets)
        return Points(columns, self.values)


def least_and_greatest(whole: Whole) -> tuple[Sample | None, Sample | None]:
    """Return the least and the greatest of some finite samples, each the first of its like."""
    if not whole.ordinals:
        return None, None
    values = list(floats(whole.values))
    return whole.sample(values.index(min(values))), whole.sample(values.index(max(values)))


def together(parts: Sequence[Whole]) -> Whole:
    """Return parts of one series, in order, as one."""
    if len(parts) == 1:
        return parts[0]
    columns = [part.columns for part in parts]
    return Whole(
        [ordinal for part in parts for ordinal in part.ordinals],
        b"".join(part.values for part in parts),
        Columns(
            b"".join(each.steps for each in columns),
            b"".join(each.lines for each in columns),
            b"".join(each.times for each in columns),
            b"".join(each.offsets for each in columns),
        ),
    )


def packed(samples: Sequence[Sample]) -> Whole:
    """Return samples as columns."""
    columns = Columns(
        _floats([math.nan if each.step is None else each.step for each in samples]),
        array("q", [each.line for each in samples]).tobytes(),
        _floats([math.nan if each.time is None else each.time for each in samples]),
        array("q", [each.byte for each in samples]).tobytes(),
    )
    return Whole([each.ordinal for each in samples], _floats([each.value for each in samples]), columns)


def point(sample: Sample) -> Point:
    """Return a sample as other stages see it."""
    step = float(sample.ordinal) if sample.step is None else sample.step
    return Point(step, sample.value, sample.line, sample.time, sample.byte)


def _floats(numbers: Sequence[float]) -> bytes:
    return array("d", numbers).tobytes()


def _known(number: float) -> float | None:
    return None if math.isnan(number) else number
