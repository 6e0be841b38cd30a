"""Forms of progress that name the epoch in a bracket of its own."""

import pytest

from runtriage.scan.dialects.pairs import read_pairs
from runtriage.scan.dialects.position import read_front, read_position


@pytest.mark.parametrize(
    "line",
    ["[epoch 3] [16/25] loss 2.5", "[Epoch: 3][16/25]", "[3/10][16/25] Loss_D: 0.4", "[epoch 3/10] [ 16/25]"],
)
def test_an_epoch_in_a_bracket_before_steps_within_it(line: str) -> None:
    position = read_front(line)
    assert (position.epoch, position.step, position.total, position.inner) == (3.0, 16, 25, True)


@pytest.mark.parametrize(
    ("line", "step"),
    [
        ("lr=0.001 batch=32", None),
        ("batch: 32, lr: 0.001", None),
        ("Train batch=128 workers=4", None),
        ("batch=32 lr=0.001 loss=0.5", 32),
        ("batch=32 loss=0.5", 32),
        ("batch 32 lr 0.001 loss 0.5", 32),
        ("step=7 lr=0.001 batch=32 loss=0.5", 7),
    ],
)
def test_a_batch_among_settings_is_a_size_and_no_step(line: str, step: int | None) -> None:
    pairs = read_pairs(line)

    assert read_position(line, pairs, read_front(line)).step == step


@pytest.mark.parametrize(
    ("line", "values"),
    [
        ("step 20 loss 4.1 lr 2.0e-04 tok/s 10345 mem 30.2GiB", {"lr": 2e-4, "tok/s": 10345.0, "mem": 30.2}),
        ("lr 0.1 samples/s 3", {"lr": 0.1, "samples/s": 3.0}),
        ("loss 0.4 12.3 it/s 4000", {"loss": 0.4, "it/s": 12.3}),
        ("step 10: 95.2 ms/step 1200 tok/s", {"step": 10.0, "ms/step": 95.2, "tok/s": 1200.0}),
        ("speed 0.4 it/s lr 0.1", {"it/s": 0.4, "lr": 0.1}),
    ],
)
def test_a_rate_in_front_of_its_value_does_not_take_the_one_before(line: str, values: dict[str, float]) -> None:
    read = {pair.name: pair.value for pair in read_pairs(line)}

    assert {name: read.get(name) for name in values} == values
