"""Where two curves of one metric part."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Sequence
from itertools import pairwise
from statistics import median
from typing import Final

Curve = Sequence[tuple[float, float]]
"""Step and value, steps rising; a value that is not finite is NaN."""

_SHARE: Final = 0.05
_NOISE: Final = 4.0
_LASTING: Final = 2
"""Curves part where they differ by more than 5 % and 4 times their own jitter at two steps in a row."""


def parting(one: Curve, other: Curve) -> tuple[float, float, float] | None:
    """Return the first step at which two curves part for good measure, and both values there; None where they never do."""
    jitter = _NOISE * max(_jitter(one), _jitter(other))
    pending: tuple[float, float, float] | None = None
    streak = 0
    for step, value in one:
        beside = _at(other, step)
        if beside is None:
            continue
        if math.isfinite(value) != math.isfinite(beside):
            return step, value, beside
        apart = abs(value - beside)
        if math.isfinite(value) and apart > max(_SHARE * max(abs(value), abs(beside)), jitter):
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


def _jitter(curve: Curve) -> float:
    values = [value for _, value in curve if math.isfinite(value)]
    return median(abs(late - early) for early, late in pairwise(values)) if len(values) > 2 else 0.0


def _at(curve: Curve, step: float) -> float | None:
    """Return the value at a step, on the line between its neighbours; None outside the curve."""
    place = bisect_left(curve, step, key=lambda point: point[0])
    if place < len(curve) and curve[place][0] == step:
        return curve[place][1]
    if place == 0 or place == len(curve):
        return None
    (left, low), (right, high) = curve[place - 1], curve[place]
    return low + (high - low) * (step - left) / (right - left)
