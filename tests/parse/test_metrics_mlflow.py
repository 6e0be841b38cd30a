"""Metric files of an MLflow folder: lines taken in together give what lines taken one by one give."""

from __future__ import annotations

import random

import pytest

from runtriage.model.series import Series
from runtriage.parse import metrics_mlflow
from tests.parse.documents import parsed

pytestmark = pytest.mark.usefixtures("untouched_world")
PATH = "mlruns/7/0123456789abcdef0123456789abcdef/metrics/train_loss"


def series(content: bytes) -> Series:
    (found,) = parsed(PATH, "metrics", content).series
    return found


def lines(count: int, seed: int) -> list[bytes]:
    rng = random.Random(seed)
    return [f"{1_700_000_000_000 + step} {rng.random()!r} {step}".encode() for step in range(count)]


def never(*_: object) -> bool:
    return False


@pytest.mark.parametrize("count", [1, 3, 5_000, 40_000])
def test_lines_taken_in_together_are_those_taken_in_one_by_one(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    content = b"\n".join(lines(count, count)) + b"\n"
    together = series(content)
    monkeypatch.setattr(metrics_mlflow, "_all_at_once", never)
    assert together == series(content)
    assert together.total == count


def test_a_value_that_is_no_number_and_lines_without_a_step_are_still_read() -> None:
    held = lines(10, 1)
    held[4] = b"1700000000004 nan 4"
    held[5] = b"1700000000005 0.5"
    held[6] = b"not a line at all"
    found = series(b"\n".join(held))
    assert (found.total, found.nonfinite) == (9, 1)
    assert found.first_nonfinite is not None and found.first_nonfinite.line == 5
