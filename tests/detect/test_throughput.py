"""Throughput that collapsed and stayed so."""

from __future__ import annotations

import pytest

from runtriage.detect.throughput import find
from tests.detect.build import CATALOGUE, facts, series

pytestmark = pytest.mark.usefixtures("untouched_world")


@pytest.mark.parametrize(
    ("before", "after", "slowdown", "fires"),
    [(30, 30, 4.0, True), (30, 30, 2.0, False), (13, 12, 30.0, True), (13, 12, 4.0, False), (6, 5, 30.0, False)],
)
def test_a_short_series_needs_a_greater_slowdown(before: int, after: int, slowdown: float, fires: bool) -> None:
    values = [1.0] * before + [slowdown] * after
    run = facts(curves=[series("step_time", "step_time", values)])
    assert bool(list(find(run, CATALOGUE))) is fires
