"""The lists of a Keras history become series of epochs, each value on its line."""

from __future__ import annotations

import json

import pytest

from runtriage.model.artifact import Artifact
from runtriage.parse.keras_history import claims
from tests.parse.documents import parsed

HISTORY = {
    "loss": [2.0, 1.5, float("nan")],
    "val_accuracy": [0.5, 0.6, 0.7],
    "lr": [1e-3, 1e-3, 1e-4],
    "note": [1, 2, 3],
}


@pytest.mark.parametrize("indent", [None, 1])
def test_each_list_is_a_series_of_epochs(indent: int | None) -> None:
    content = json.dumps(HISTORY, indent=indent).encode()
    found = parsed("out/history.json", "metrics", content)
    got = {item.name: item for item in found.series}
    assert {name: item.role for name, item in got.items()} == {
        "loss": "loss",
        "val_accuracy": "eval_metric",
        "lr": "lr",
    }
    assert [(point.step, point.value) for point in got["val_accuracy"].points] == [(1, 0.5), (2, 0.6), (3, 0.7)]
    assert got["loss"].nonfinite == 1
    lines = content.decode().split("\n")
    assert all(f"{point.value:g}" in lines[point.line - 1] for point in got["val_accuracy"].points)
    assert [entry.last_epoch for entry in found.progress] == [3.0]


def test_a_history_that_breaks_off_gives_what_was_written() -> None:
    content = json.dumps(HISTORY).encode()[:40]
    got = {item.name: item for item in parsed("history.json", "metrics", content).series}
    assert [point.value for point in got["loss"].points if point.value == point.value] == [2.0, 1.5]


@pytest.mark.parametrize(
    "content", [b'{"loss": 0.5, "step": 3}\n', b'[{"loss": 1}]', b'{"loss": ["a"]}', b'{"names": [{"loss": 1}]}']
)
def test_other_documents_are_none(content: bytes) -> None:
    assert not claims(Artifact(path="metrics.json", kind="metrics"), content)
