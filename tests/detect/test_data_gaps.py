"""A gap in the data against the curve: what every pass over the rows meets breaks a loss in the first of them, or not at all."""

from __future__ import annotations

import math

from msgspec.structs import replace

from runtriage.detect import data_table, nonfinite
from runtriage.judge import judge
from runtriage.model.facts import Facts, Setting
from runtriage.model.series import Series
from runtriage.model.table import Column, DataTable
from tests.detect.build import CATALOGUE, at, facts, series

_COLUMN = Column(name="x2", present=499, missing=0, nonfinite=1, numeric=True, integral=False, first_nonfinite=78)
_TABLE = DataTable(artifact="train.csv", rows=500, columns=(_COLUMN,), label=None)
_BATCH = Setting(name="batch_size", value="64", citation=at(1), role="batch_size")


def _loss(finite: int) -> Series:
    """Return a loss of every tenth step that is finite for so many values and NaN in ten more."""
    curve = series("loss", "loss", [1.0] * finite + [math.nan] * 10, every=10)
    return replace(
        curve,
        nonfinite=10,
        last_finite=curve.points[finite - 1] if finite else None,
        first_nonfinite=curve.points[finite],
    )


def _seen(finite: int) -> Facts:
    return replace(facts(curves=[_loss(finite)]), tables=(_TABLE,), settings=(_BATCH,))


def test_a_gap_that_the_run_had_met_again_and_again_is_no_cause_of_a_late_nan() -> None:
    seen = _seen(45)
    verdict = judge([*data_table.find(seen, CATALOGUE), *nonfinite.find(seen, CATALOGUE)], seen)
    assert (verdict.mode, verdict.run_status) == ("nan/loss-nonfinite", "diverged")
    assert "handle-missing-values" in verdict.fixes
    assert "clip-gradients" in verdict.fixes
    assert any("x2 has 1 value that is NaN or infinite, in row 78" in factor for factor in verdict.contributing)
    second = verdict.hypotheses[1]
    assert second.incident is not None
    assert second.incident.mode == "data/nan-features"
    assert second.score < verdict.hypotheses[0].score


def test_a_gap_explains_a_loss_that_was_nan_before_the_rows_had_all_been_met_twice() -> None:
    for finite in (0, 1):
        seen = _seen(finite)
        verdict = judge([*data_table.find(seen, CATALOGUE), *nonfinite.find(seen, CATALOGUE)], seen)
        assert (verdict.mode, verdict.run_status) == ("data/nan-features", "diverged")
        assert verdict.root_cause.startswith("Column x2 has 1 value")


def test_rows_that_may_not_all_have_been_met_leave_the_gap_the_cause() -> None:
    seen = replace(_seen(45), settings=())
    (found,) = data_table.find(seen, CATALOGUE)
    assert "outlived" not in found.captures
