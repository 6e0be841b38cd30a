"""Where two curves of one metric part."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Sequence
from itertools import pairwise
from statistics import median
from typing import Final

Curve = Sequence[tuple[float, float]]
"""Step and value, steps rising; a value that is not finite is NaN."""

_SHARE: Final = 0.05
_NOISE: Final = 4.0
_LASTING: Final = 2
"""Curves part where they differ by more than 5 % and 4 times their own jitter at two steps in a row."""
_AROUND: Final = 20
"""Points before and behind a step whose noise is that of the step."""
_BENDS: Final = math.sqrt(3.0)
"""A bend of independent noise is so many times as large as the difference of two neighbours."""


def parting(one: Curve, other: Curve) -> tuple[float, float, float] | None:
    """Return the first step at which two curves part for good measure, and both values there; None where they never do."""
    scale = _scale(one, other)
    bends = [(found, _middle(found)) for found in (_bends(curve, scale) for curve in (one, other))]
    pending: tuple[float, float, float] | None = None
    streak = 0
    for step, value in one:
        beside = _at(other, step)
        if beside is None:
            continue
        if math.isfinite(value) != math.isfinite(beside):
            return step, value, beside
        far = math.isfinite(value) and abs(value - beside) > _SHARE * max(abs(value), abs(beside))
        if far and abs(scale(value) - scale(beside)) > _NOISE * max(_jitter(*each, step) for each in bends):
            pending = pending or (step, value, beside)
            streak += 1
            if streak == _LASTING:
                return pending
        else:
            pending, streak = None, 0
    return None


def rising(points: Sequence[tuple[float, float | None]]) -> Curve:
    """Return the points as a curve: of a step that is printed twice, as after a resume, the last value counts."""
    values = {step: math.nan if value is None else value for step, value in points}
    return sorted(values.items())


def step_seconds(printed: Sequence[Sequence[tuple[float, float | None]]]) -> float | None:
    """Return the median seconds of a step by the times at which metrics were printed, given as steps and seconds; None without any.

    One wait, however long, is one of many steps: a mean would spread it over all of them.
    """
    gaps = [
        (later - earlier) / (after - before)
        for points in printed
        for (before, earlier), (after, later) in pairwise(points)
        if earlier is not None and later is not None and after > before and later >= earlier
    ]
    return median(gaps) if gaps else None


def _scale(one: Curve, other: Curve) -> Callable[[float], float]:
    """Return how values are compared: by their ratio where all are positive, so that a curve that rises or falls by orders is no noise."""
    values = [value for curve in (one, other) for _, value in curve if math.isfinite(value)]
    return math.log if values and min(values) > 0 else float


def _bends(curve: Curve, scale: Callable[[float], float]) -> Curve:
    """Return at each step but the ends how far the value lies beside the trend of its neighbours."""
    values = [(step, scale(value)) for step, value in curve if math.isfinite(value)]
    return [
        (step, abs(late - 2 * here + early) / _BENDS)
        for (_, early), (step, here), (_, late) in zip(values, values[1:], values[2:], strict=False)
    ]


def _middle(bends: Curve) -> float:
    return median(value for _, value in bends) if bends else 0.0


def _jitter(bends: Curve, whole: float, step: float) -> float:
    """Return how far neighbours differ beyond the trend around a step, and no less than in the whole curve."""
    at = bisect_left(bends, step, key=lambda point: point[0])
    return max(whole, _middle(bends[max(at - _AROUND, 0) : at + _AROUND]))


def _at(curve: Curve, step: float) -> float | None:
    """Return the value at a step, on the line between its neighbours; None outside the curve."""
    place = bisect_left(curve, step, key=lambda point: point[0])
    if place < len(curve) and curve[place][0] == step:
        return curve[place][1]
    if place == 0 or place == len(curve):
        return None
    (left, low), (right, high) = curve[place - 1], curve[place]
    return low + (high - low) * (step - left) / (right - left)
