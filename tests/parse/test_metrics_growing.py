"""What a series keeps depends on its values, not on how they were handed over."""

from __future__ import annotations

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runtriage.model.series import Series
from runtriage.parse.metrics_growing import Growing

pytestmark = pytest.mark.usefixtures("untouched_world")


def in_pieces(values: list[float], sizes: list[int], expected: int = 0) -> Series:
    """Hand pieces over, those of size one value by value."""
    column, at = Growing(), 0
    column.expect(expected)
    for size in sizes:
        piece = values[at : at + size]
        if size == 1 and piece:
            column.add(at * 10.0, piece[0], float(at), at + 1, at * 7)
        else:
            column.extend(
                piece, lambda index, at=at: ((at + index) * 10.0, float(at + index), at + index + 1, (at + index) * 7)
            )
        at += size
    assert at >= len(values)
    return column.series("a", "loss", None)


@pytest.mark.parametrize("wild", [0.0, 0.001, 0.4])
@pytest.mark.parametrize("count", [2_047, 2_048, 30_000])
def test_one_by_one_and_in_pieces_of_any_size_the_same_is_kept(count: int, wild: float) -> None:
    rng = random.Random(count)
    values = [math.nan if rng.random() < wild else rng.gauss(0.0, 1.0) for _ in range(count)]
    alone = in_pieces(values, [1] * count)
    sizes = [rng.choice([1, 1, 2, 300, 2_048, 5_000]) for _ in range(count)]
    assert repr(in_pieces(values, sizes)) == repr(alone)
    assert repr(in_pieces(values, [count])) == repr(alone)
    assert alone.total == count
    assert alone.nonfinite == sum(map(math.isnan, values))


@given(
    st.lists(st.sampled_from([0.0, 1.0, 1.5, math.inf, 1e308]), max_size=40), st.lists(st.integers(0, 9), max_size=8)
)
def test_short_series_are_whole(values: list[float], sizes: list[int]) -> None:
    found = in_pieces(values, [*sizes, len(values)])
    assert [point.value for point in found.points] == values
    assert found == in_pieces(values, [1] * len(values))


def test_a_series_of_known_length_keeps_first_last_and_extremes() -> None:
    values = [1.0 + step % 7 for step in range(50_000)]
    values[31_234], values[40_001] = 99.0, -5.0
    found = in_pieces(values, [50_000], expected=50_000)
    assert found.minimum is not None and found.minimum.step == 400_010
    assert found.maximum is not None and found.maximum.step == 312_340
    assert (found.points[0].step, found.points[-1].step) == (0.0, 499_990.0)
    assert 2_000 < len(found.points) < 5_000
