"""A metric over steps, thinned so that memory does not grow with the run."""

from __future__ import annotations

from msgspec import Struct

from runtriage.model.subject import Subject


class Point(Struct, frozen=True):
    """One value of a series: where it was printed (1-based `line`, 0 when the source has no lines) and its step."""

    step: float
    value: float
    line: int = 0
    time: float | None = None
    byte: int = -1


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
    points: tuple[Point, ...]
    total: int
    nonfinite: int = 0
    first_nonfinite: Point | None = None
    last_finite: Point | None = None
    minimum: Point | None = None
    maximum: Point | None = None
