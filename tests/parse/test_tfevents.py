"""Scalars of TensorBoard, whole, torn and damaged."""

from __future__ import annotations

import math
import random
import struct
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runtriage.parse import piecewise
from runtriage.parse.document import Parsed
from runtriage.parse.tfevents_cycle import Round, Rounds
from runtriage.parse.tfevents_event import Plain
from tests.parse import tracker_files as made
from tests.parse.documents import most_memory, parsed

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


SAVED = Path(__file__).parent / "saved" / "tensorboard"


@pytest.mark.parametrize("writer", ["torch", "tensorboardX"])
def test_what_writers_wrote_is_read_whole_and_with_a_torn_last_record(writer: str) -> None:
    content = (SAVED / f"{writer}.tfevents.1").read_bytes()
    found = read(content)
    loss, lr, validation = (one for one in found.series if one.role is not None)
    assert (found.cut, loss.name, loss.total, loss.nonfinite) == (None, "train/loss", 140, 10)
    assert loss.first_nonfinite is not None and loss.first_nonfinite.step == 130
    assert (lr.role, lr.points[70].value, validation.role, validation.total) == (
        "lr",
        pytest.approx(5e-4),
        "eval_loss",
        2,
    )
    assert loss.points[0].time is not None and loss.points[0].time > 1.7e9
    for missing in (1, 5, 40):
        torn = read(content[:-missing])
        assert torn.cut is None
        assert sum(one.total for one in torn.series) == sum(one.total for one in found.series) - 1


def test_scalars_that_torch_wrote_as_tensors_are_read() -> None:
    found = {one.name: one for one in read((SAVED / "torch.tfevents.1").read_bytes()).series}
    assert [point.value for point in found["as/tensor"].points] == pytest.approx(
        [1 / (1 + step) for step in range(140)]
    )
    assert [point.value for point in found["as/double"].points] == [0.1]


def one_by_one(_rounds: Rounds, _round: Round, _held: memoryview) -> int:
    return 0


def varied(rng: random.Random) -> Iterator[bytes]:
    """Yield events of a training: rounds of tags, now and then something between."""
    for step in range(1, 1_500):
        time = 1.7e9 + step / 7
        for tag in ("train/loss", "lr", "norm"):
            yield made.event(step, made.field(1, tag) + made.single(2, rng.choice([rng.random(), math.nan])), time)
        value = made.field(1, "epoch") + made.field(
            8, made.field(1, 2) + made.field(2, b"") + made.field(6, rng.random())
        )
        yield made.event(step * 3, value, time)
        if rng.random() < 0.01:
            yield made.scalar("val/loss", step, rng.random())
        if rng.random() < 0.003:
            yield from (b"\xff" * 20, made.scalar("lr", step, 0.5), made.event(step, made.field(1, "note")))


def test_rounds_of_events_taken_in_together_are_those_taken_in_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    content = made.event_file(varied(random.Random(1)))
    single, taken = Plain.scalar, list[bytes]()
    monkeypatch.setattr(Plain, "scalar", lambda plain, record: taken.append(record) or single(plain, record))
    together = read(content)
    assert len(taken) < 2_000, "nearly all were read together"
    monkeypatch.setattr(Rounds, "take", one_by_one)
    assert repr(read(content)) == repr(together)
    assert sum(one.total for one in together.series) > 5_900


@pytest.mark.parametrize("at", [0, 8, 12, 13, 20, 21, 22, 23, 24, 26, 28, 36, 37, 40])
def test_an_event_of_another_form_among_rounds_is_what_it_is_alone(at: int, monkeypatch: pytest.MonkeyPatch) -> None:
    frames = [made.framed(made.scalar("train/loss", step, step / 7)) for step in range(200, 300)]
    changed = bytearray(frames[60])
    changed[at] ^= 0x84
    content = made.event_file([]) + b"".join([*frames[:60], bytes(changed), *frames[61:]])
    together = read(content)
    monkeypatch.setattr(Rounds, "take", one_by_one)
    assert repr(read(content)) == repr(together)


@given(st.binary(max_size=400), st.integers(0, 400))
def test_no_bytes_break_the_reader(noise: bytes, at: int) -> None:
    whole = made.event_file([made.scalar("loss", 1, 2.0), made.tensor("x", 2, 1.0)])
    read(whole[:at] + noise + whole[at:])
    read(made.event_file([noise]))
    read(struct.pack("<Q", len(noise)) + noise)


def test_the_memory_for_a_file_does_not_grow_with_its_values(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(piecewise, "_CHUNK", 1 << 14)
    short, long = (
        made.event_file(made.scalar("train/loss", step // 100, 2 / (1 + step / 100)) for step in range(count))
        for count in (6_000, 20_000)
    )
    read(short)
    assert most_memory(NAME, "metrics", long) < 1.2 * most_memory(NAME, "metrics", short)
