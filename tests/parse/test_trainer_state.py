"""The history of the Hugging Face Trainer becomes series whose lines can be read again."""

from __future__ import annotations

import json
import math

from msgspec.structs import replace

from runtriage.model.series import Point, Series
from runtriage.model.subject import NOBODY
from runtriage.parse import reconcile
from tests.parse.documents import parsed

HISTORY = [
    {"epoch": 0.5, "grad_norm": 1.0, "learning_rate": 0.1, "loss": 2.0, "step": 5},
    {"epoch": 1.0, "eval_loss": 1.9, "eval_runtime": 0.1, "step": 10},
    {"epoch": 1.0, "grad_norm": 1.5, "learning_rate": 0.1, "loss": 1.5, "step": 10},
    {"epoch": 1.5, "grad_norm": math.nan, "learning_rate": 0.1, "loss": 0.0, "step": 15},
    {"epoch": 1.5, "train_loss": 1.1, "train_runtime": 3.0, "step": 15},
]


def text(entries: list[dict[str, float]], indent: int | None = 2) -> bytes:
    document = {"global_step": 15, "log_history": entries, "max_steps": 40, "stateful_callbacks": {"x": [{"loss": 9}]}}
    return json.dumps(document, indent=indent).encode()


def series(content: bytes, path: str = "trainer_state.json") -> dict[str, Series]:
    return {item.name: item for item in parsed(path, "metrics", content).series}


def test_values_keep_step_and_line() -> None:
    content = text(HISTORY)
    got = series(content)
    assert [(point.step, point.value) for point in got["loss"].points] == [(5, 2.0), (10, 1.5), (15, 0.0)]
    assert (got["loss"].role, got["eval_loss"].role, got["grad_norm"].role) == ("loss", "eval_loss", "grad_norm")
    lines = content.decode().split("\n")
    for item in got.values():
        assert all(f'"{item.name}":' in lines[point.line - 1] for point in item.points)
        assert all(content[point.byte :].lstrip().startswith(b'"' + item.name.encode()) for point in item.points)
    assert got["grad_norm"].nonfinite == 1
    assert got["grad_norm"].last_finite is not None
    assert got["grad_norm"].last_finite.value == 1.5
    assert "train_loss" not in got


def test_how_far_the_run_came_is_told() -> None:
    (progress,) = parsed("trainer_state.json", "metrics", text(HISTORY)).progress
    assert (progress.last_step, progress.total_steps) == (15, 40)


def test_one_line_and_cut_states_are_read_too() -> None:
    assert series(text(HISTORY, None))["loss"].total == 3
    cut = text(HISTORY)
    assert series(cut[: cut.index(b"NaN")])["loss"].total == 2
    assert series(b'{"log_history": "' + b"[" * 10_000) == {}


def test_a_long_history_is_thinned_and_keeps_its_extremes() -> None:
    entries = [{"loss": 1.0 + step / 1e6, "step": float(step)} for step in range(20_000)]
    entries[7_777]["loss"] = 50.0
    (loss,) = series(text(entries, None)).values()
    assert loss.total == 20_000
    assert len(loss.points) < 5_000
    assert loss.maximum is not None
    assert (loss.maximum.step, loss.maximum.value) == (7_777, 50.0)
    assert loss.maximum in loss.points


def test_of_the_states_of_one_run_only_the_newest_counts() -> None:
    older = series(text(HISTORY[:1]), "out/checkpoint-5/trainer_state.json")["loss"]
    newer = series(text(HISTORY), "out/checkpoint-15/trainer_state.json")["loss"]
    other = series(text(HISTORY[:1]), "second/trainer_state.json")["loss"]
    assert reconcile([older, newer, other]) == [newer, other]


def test_the_log_keeps_its_lines_and_takes_the_steps_of_the_state() -> None:
    state = series(text(HISTORY))["grad_norm"]
    points = tuple(
        Point(epoch, value, line) for epoch, value, line in ((0.5, 1.0, 1), (1.0, 1.5, 3), (1.5, math.nan, 4))
    )
    told = Series(
        artifact="train.log",
        name="grad_norm",
        role="grad_norm",
        subject=NOBODY,
        points=points,
        total=3,
        nonfinite=1,
        first_nonfinite=points[2],
        last_finite=points[1],
    )
    (joined,) = reconcile([state, told])
    assert [(point.step, point.line) for point in joined.points] == [(5, 1), (10, 3), (15, 4)]
    assert joined.first_nonfinite is not None
    assert joined.first_nonfinite.step == 15
    longer = replace(told, total=4)
    assert reconcile([state, longer]) == [longer, state]
