"""Tables of metrics beside the log become series with roles and lines."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

import runtriage
from runtriage.model.report import SeriesSummary
from tests.parse.documents import parsed

LOG = "starting\ntraining is done, bye\n"


def metrics(folder: Path, name: str, text: str) -> dict[str, SeriesSummary]:
    (folder / "train.log").write_text(LOG)
    (folder / name).write_text(text)
    return {item.name: item for item in runtriage.diagnose(str(folder)).metrics}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("metrics.csv", "epoch,step,train_loss,val_loss\n0,4,2.0,\n0,9,1.5,\n0,9,,1.8\n1,14,1.2,\n"),
        (
            "metrics.jsonl",
            '{"step": 4, "train_loss": 2.0}\n{"step": 9, "train_loss": 1.5}\n{"step": 9, "val_loss": 1.8}\n',
        ),
        ("training.csv", "epoch,train_loss,val_loss\n0,2.0,1.9\n1,1.5,1.8\n2,1.2,1.8\n"),
    ],
)
def test_tables_of_trainers_are_read(tmp_path: Path, name: str, text: str) -> None:
    got = metrics(tmp_path, name, text)
    assert got["train_loss"].role == "loss"
    assert got["train_loss"].first == 2.0
    assert got["val_loss"].role == "eval_loss"
    assert got["val_loss"].last == 1.8
    assert got["val_loss"].artifact == name


def test_a_padded_table_is_read(tmp_path: Path) -> None:
    text = "     epoch,    train/box_loss,   lr/pg0\n         1,   1.2,  0.001\n         2,   1.1,  0.002\n"
    got = metrics(tmp_path, "results.csv", text)
    assert got["lr/pg0"].role == "lr"
    assert got["train/box_loss"].last == 1.1


def test_a_nan_that_only_the_table_shows_is_found_at_its_line(tmp_path: Path) -> None:
    rows = "".join(f'{{"step": {step}, "loss": {"NaN" if step > 20 else 2 - step / 40}}}\n' for step in range(1, 41))
    (tmp_path / "train.log").write_text(LOG)
    (tmp_path / "metrics.jsonl").write_text(rows)
    report = runtriage.diagnose(str(tmp_path))
    assert report.primary_cause == "nan-inf"
    assert report.root_evidence is not None
    assert (report.root_evidence.artifact, report.root_evidence.first_line) == ("metrics.jsonl", 21)


def test_a_metric_of_mlflow_is_a_series() -> None:
    content = b"1700000000000 2.5 0\n1700000000100 nan 10\nnot a line\n1700000000200 1.5 20\n"
    (series,) = parsed("mlruns/0/abc/metrics/train_loss", "metrics", content).series
    assert (series.name, series.role, series.total, series.nonfinite) == ("train_loss", "loss", 3, 1)
    assert [(point.step, point.line) for point in series.points] == [(0, 1), (10, 2), (20, 4)]
    assert math.isnan(series.points[1].value)
    assert content[series.points[2].byte :].startswith(b"1700000000200")
