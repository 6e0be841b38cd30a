"""Scalars of TensorBoard, whole, torn and damaged."""

from __future__ import annotations

import math
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runtriage.parse.document import Parsed
from tests.parse import tracker_files as made
from tests.parse.documents import parsed

NAME = "events.out.tfevents.17.host"


def read(content: bytes, path: str = NAME) -> Parsed:
    return parsed(path, "metrics", content)


def test_scalars_become_series_with_roles_steps_and_times() -> None:
    content = made.event_file(
        each for step in range(300) for each in (made.scalar("train/loss", step, 2.0), made.scalar("lr", step, 0.5))
    )
    loss, lr = read(content).series
    assert (loss.name, loss.role, loss.total, lr.role) == ("train/loss", "loss", 300, "lr")
    assert (loss.points[0].step, loss.points[-1].step, loss.points[0].time) == (0, 299, 1.7e9)


@pytest.mark.parametrize("packed", [False, True])
def test_a_tensor_with_one_element_is_a_scalar(packed: bool) -> None:
    (series,) = read(made.event_file([made.tensor("epoch_loss", 3, 0.25, packed=packed)])).series
    assert [(point.step, point.value) for point in series.points] == [(3, 0.25)]


def test_values_that_are_not_finite_are_kept_with_their_steps() -> None:
    values = [1.0, 0.5, math.nan, math.inf, 0.25]
    (series,) = read(made.event_file(made.scalar("loss", step, value) for step, value in enumerate(values))).series
    assert series.nonfinite == 2
    assert series.first_nonfinite is not None and series.first_nonfinite.step == 2
    assert series.last_finite is not None and series.last_finite.value == 0.5
    assert [point.step for point in series.points] == [0, 1, 2, 3, 4]


def test_pictures_texts_and_graphs_are_passed_over() -> None:
    text = made.event(1, made.field(1, "note") + made.field(8, made.field(1, 7) + made.field(8, "hello")))
    big = made.field(1, 1.7e9) + made.field(4, b"g" * (17 << 20))
    (series,) = read(made.event_file([text, big, made.scalar("loss", 1, 2.0)])).series
    assert series.name == "loss"


def test_the_folder_of_a_validation_says_what_its_loss_is() -> None:
    content = made.event_file([made.scalar("epoch_loss", 1, 2.0)])
    assert read(content, f"logs/train/{NAME}").series[0].role == "loss"
    assert read(content, f"logs/validation/{NAME}").series[0].role == "eval_loss"


def test_ranks_stay_apart() -> None:
    assert read(made.event_file([made.scalar("loss", 1, 2.0)]), f"tb/rank_3/{NAME}").series[0].subject.rank == 3


def test_a_record_that_breaks_off_costs_only_itself() -> None:
    whole = made.event_file(made.scalar("loss", step, 1.0) for step in range(5))
    for missing in (1, 4, 10, 30):
        found = read(whole[:-missing])
        assert found.cut is None
        assert found.series[0].total == 4


def test_damage_ends_the_reading_and_is_said() -> None:
    whole = made.event_file(made.scalar("loss", step, 1.0) for step in range(5))
    size = len(made.framed(made.scalar("loss", 3, 1.0)))
    damaged = bytearray(whole)
    damaged[-size * 2] ^= 255
    found = read(bytes(damaged))
    assert found.series[0].total == 3
    assert "damaged at byte" in (found.cut or "")


def test_a_file_of_that_name_with_other_bytes_holds_nothing() -> None:
    found = read(b"\x18\0")
    assert (found.series, found.events) == ([], [])


def test_a_message_that_is_none_is_passed_over_and_said() -> None:
    found = read(made.event_file([b"\xff" * 20, made.scalar("loss", 1, 2.0)]))
    assert found.series[0].total == 1
    assert found.cut is not None


def test_a_long_series_keeps_its_ends_and_its_extremes() -> None:
    values = [1.0 + (step % 7) * 0.01 for step in range(50_000)]
    values[31_234], values[40_001] = 99.0, -5.0
    (series,) = read(made.event_file(made.scalar("loss", step, value) for step, value in enumerate(values))).series
    assert series.total == 50_000
    assert len(series.points) < 8_000
    assert series.maximum is not None and series.maximum.step == 31_234
    assert series.minimum is not None and series.minimum.step == 40_001
    assert (series.points[0].step, series.points[-1].step) == (0, 49_999)
    steps = [point.step for point in series.points]
    assert steps == sorted(steps)


def test_more_metrics_than_are_read_are_counted() -> None:
    found = read(made.event_file(made.scalar(f"layer{number}/odd", 1, 2.0) for number in range(300)))
    assert len(found.series) == 200
    assert "100 more metrics" in (found.cut or "")


@given(st.binary(max_size=400), st.integers(0, 400))
def test_no_bytes_break_the_reader(noise: bytes, at: int) -> None:
    whole = made.event_file([made.scalar("loss", 1, 2.0), made.tensor("x", 2, 1.0)])
    read(whole[:at] + noise + whole[at:])
    read(made.event_file([noise]))
    read(struct.pack("<Q", len(noise)) + noise)
