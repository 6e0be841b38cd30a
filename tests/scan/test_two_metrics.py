"""Metrics that are printed on different rows of one stretch each keep their own steps and places."""

from itertools import combinations
from pathlib import Path

import pytest

import runtriage


@pytest.mark.parametrize(("one", "two"), [*combinations(range(5), 2)])
def test_a_metric_on_two_rows_keeps_them_beside_one_on_every_row_between(tmp_path: Path, one: int, two: int) -> None:
    log = tmp_path / "train.log"
    rows = [f"epoch {row + 1} train_loss {2 / (row + 1):.3f}" for row in range(5)]
    for row, value in ((one, "2.100"), (two, "0.420")):
        rows[row] += f" val_loss {value}"
    lines = [row if one <= at <= two else f"epoch {at + 1} begins" for at, row in enumerate(rows)]
    log.write_text("\n".join(lines) + "\n")
    curves = {series.name: series.curve for series in runtriage.diagnose(log).metrics}
    assert curves["val_loss"] == [(one + 1, 2.1), (two + 1, 0.42)]
    assert [step for step, _ in curves["train_loss"]] == [*range(one + 1, two + 2)]
