from __future__ import annotations

import csv
from importlib.resources import files

import pytest

from runtriage.model.naming import meaning, plain_name


def test_every_name_stands_in_the_table_once_and_as_it_is_looked_up():
    text = files("runtriage.model.naming").joinpath("names.csv").read_text(encoding="utf-8")
    names = [row["name"] for row in csv.DictReader(text.splitlines())]
    assert len(names) == len(set(names))
    assert [name for name in names if plain_name(name) != name] == []


@pytest.mark.parametrize(
    ("name", "role", "better"),
    [
        ("loss", "loss", "lower"),
        ("train/loss", "loss", "lower"),
        ("lm loss", "loss", "lower"),
        ("train_loss_epoch", "loss", "lower"),
        ("train_loss_step", "loss", "lower"),
        ("val_loss_epoch", "eval_loss", "lower"),
        ("val_acc_step", "eval_metric", "higher"),
        ("test_epoch", "epoch", None),
        ("train_step", "step", None),
        ("val_loss", "eval_loss", "lower"),
        ("valid_1's binary_logloss", "eval_loss", "lower"),
        ("eval/acc", "eval_metric", "higher"),
        ("coco/bbox_mAP", "metric", "higher"),
        ("actor/grad_norm", "grad_norm", None),
        ("elapsed time per iteration (ms)", "step_time", "lower"),
        ("CurrSamplesPerSec", "throughput", "higher"),
        ("decode.loss_ce", "loss_part", "lower"),
        ("trainer/global_step", "step", None),
        ("timing_s/step", "step_time", "lower"),
        ("eval_runtime", None, None),
        ("shard", None, None),
    ],
)
def test_a_printed_name_has_a_role_and_a_better_direction(name: str, role: str | None, better: str | None):
    assert meaning(name) == (role, better)
