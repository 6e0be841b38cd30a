"""Forms of progress that name the epoch in a bracket of its own."""

import pytest

from runtriage.scan.dialects.position import read_front


@pytest.mark.parametrize(
    "line",
    ["[epoch 3] [16/25] loss 2.5", "[Epoch: 3][16/25]", "[3/10][16/25] Loss_D: 0.4", "[epoch 3/10] [ 16/25]"],
)
def test_an_epoch_in_a_bracket_before_steps_within_it(line: str) -> None:
    position = read_front(line)
    assert (position.epoch, position.step, position.total, position.inner) == (3.0, 16, 25, True)
