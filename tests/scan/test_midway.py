"""What tells that the last lines of a log are of a run that had more to do."""

import pytest

from runtriage.scan.midway import midway


@pytest.mark.parametrize(
    "lines",
    [
        ["Epoch [1][150/4120]  loss: 1.9", "Epoch [1][100/4120]  loss: 1.8"],
        ["   all   2040   8120   0.41", "  Class  Images: 100%|###| 64/64 [00:14<00:00]", "   1/30   3.1G   1.48"],
        [" iteration     5427/  250000 | grad norm: 0.4"],
        ["Train - Epoch: [127/300][ 35/464] Loss 2.1"],
        ['  File "fit.py", l', "Traceback (most recent call last):"],
        ["(trainer:343) INFO: 1epoch results: [train] loss=141.0"],
    ],
)
def test_a_count_that_is_short_of_its_whole_is_midway(lines: list[str]) -> None:
    assert midway(lines)


@pytest.mark.parametrize(
    "lines",
    [
        ["test accuracy 0.91", "Epoch 5/5 [ 90/100] loss 0.2", "Epoch 5/5 [ 80/100] loss 0.2"],
        ["test accuracy 0.91", "epoch 4/5 loss 0.2", "epoch 3/5 loss 0.3"],
        ["test accuracy 0.91", "12/12 [====] - 1s - loss: 0.3", "Epoch 1/10"],
        ["ValueError: bad", '  File "fit.py", line 3, in <module>', "Traceback (most recent call last):"],
        ["written on 3/12 to out", "done"],
    ],
)
def test_what_came_to_the_end_of_its_count_is_not(lines: list[str]) -> None:
    assert not midway(lines)
