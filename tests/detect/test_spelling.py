"""An option that a program does not know, beside what its usage offers."""

from __future__ import annotations

from pathlib import Path

import pytest

from runtriage.api import diagnose

_USAGE = "usage: finetune.py [-h] --model MODEL [--lr LR]\n                   [--num-epochs NUM_EPOCHS] [--bf16]\n"


@pytest.mark.parametrize(
    ("log", "told"),
    [
        (
            f"{_USAGE}finetune.py: error: unrecognized arguments: --num_epoch 3\n",
            "--num_epoch is unknown, the usage offers --num-epochs",
        ),
        (
            f"{_USAGE}finetune.py: error: unrecognized arguments: --num_epoch 3 --zzz\n",
            "--num_epoch is unknown, the usage offers --num-epochs; --zzz is unknown",
        ),
        ("finetune.py: error: unrecognized arguments: --num_epoch 3\n", "--num_epoch is unknown"),
        (
            f"{_USAGE}finetune.py: error: the following arguments are required: --model\n",
            "--model is required and missing",
        ),
    ],
)
def test_what_the_usage_offers_stands_beside_what_is_unknown(tmp_path: Path, log: str, told: str) -> None:
    (tmp_path / "train.log").write_text(f"starting\n{log}", "utf-8")
    report = diagnose(str(tmp_path / "train.log"))
    assert report.failure_mode == "cfg/unrecognized-args"
    assert report.plan[0].action == f"Correct the command line: {told}"
    assert told in report.root_cause.root
