"""A metric over steps, thinned so that memory does not grow with the run."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import cast, overload

from msgspec import Struct

from runtriage.model.subject import Subject


class Point(Struct, frozen=True):
    """One value of a series: where it was printed (1-based `line`, 0 when the source has no lines) and its step."""

    step: float
    value: float
    line: int = 0
    time: float | None = None
    byte: int = -1


class Columns(Struct, frozen=True):
    """Where values were printed, as packed numbers of eight bytes: floats `steps` and `times`, whole numbers `lines` and `offsets`.

    A time that is not printed is NaN. Metrics that stand in the same lines share one.
    """

    steps: bytes
    lines: bytes
    times: bytes
    offsets: bytes


class Points(Struct, frozen=True, eq=False):
    """Many points in little memory: each is made when it is asked for. `values` are packed as the columns are."""

    columns: Columns
    values: bytes

    def __len__(self) -> int:
        return len(self.values) // 8

    def __iter__(self) -> Iterator[Point]:
        return self._some(slice(None))

    def _some(self, which: slice) -> Iterator[Point]:
        where = self.columns
        steps, values, lines, offsets = (
            floats(where.steps)[which],
            floats(self.values)[which],
            wholes(where.lines)[which],
            wholes(where.offsets)[which],
        )
        return map(Point, steps, values, lines, _told(floats(where.times)[which]), offsets)

    @overload
    def __getitem__(self, index: int, /) -> Point: ...

    @overload
    def __getitem__(self, index: slice, /) -> tuple[Point, ...]: ...

    def __getitem__(self, index: int | slice, /) -> Point | tuple[Point, ...]:
        if isinstance(index, slice):
            return tuple(self._some(index))
        where, at = self.columns, range(len(self))[index]
        time = floats(where.times)[at]
        return Point(
            floats(where.steps)[at],
            floats(self.values)[at],
            wholes(where.lines)[at],
            None if math.isnan(time) else time,
            wholes(where.offsets)[at],
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Points | tuple) and tuple(self) == tuple(cast("Iterable[object]", other))

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return repr(tuple(self))


def floats(packed: bytes) -> Sequence[float]:
    """Return packed numbers as floats."""
    return memoryview(packed).cast("d")


def wholes(packed: bytes) -> Sequence[int]:
    """Return packed numbers as whole numbers."""
    return memoryview(packed).cast("q")


def _told(times: Sequence[float]) -> Iterator[float | None]:
    return (None if math.isnan(time) else time for time in times) if math.isnan(sum(times)) else iter(times)


class Series(Struct, frozen=True, kw_only=True):
    """One metric of one subject in one artifact, in the order it was printed.

    `name` is the key as printed, `role` what it means (`loss`, `eval_loss`, `grad_norm`, `lr`, `loss_scale`, `throughput`,
    `step_time`, `memory`, `eval_metric`, ...) or None. `points` keep the first, the last, extremes, every non-finite value (up
    to a cap) and change points exactly; `total` counts all that were read. `step` falls back to the ordinal when none is printed.
    """

    artifact: str
    name: str
    role: str | None
    subject: Subject
    points: tuple[Point, ...] | Points
    total: int
    nonfinite: int = 0
    first_nonfinite: Point | None = None
    last_finite: Point | None = None
    minimum: Point | None = None
    maximum: Point | None = None
