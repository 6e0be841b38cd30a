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
