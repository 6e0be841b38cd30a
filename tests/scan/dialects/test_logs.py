"""Logs that the real programs printed: every value must be found, and no other."""

from __future__ import annotations

import re

import pytest

from tests.scan.dialects.series import LOGS, lines_of, read, steps, summary

EXPECTED = {
    "hf-trainer": {
        "loss": r"'loss': '([^']+)'",
        "grad_norm": r"'grad_norm': '([^']+)'",
        "learning_rate": r"'learning_rate': '([^']+)'",
        "eval_accuracy": r"eval_accuracy'?\s*[:=]\s*'?([\d.]+)",
    },
    "trl-sft": {
        "loss": r"'loss': '([^']+)'",
        "entropy": r"'entropy': '([^']+)'",
        "mean_token_accuracy": r"'mean_token_accuracy': '([^']+)'",
    },
    "lightning-bar": {"train_loss": r"train_loss=([^,\]]+)", "val_loss": r"val_loss=([^,\]]+)"},
    "keras-lines": {"loss": r" loss: ([\d.]+)", "accuracy": r" accuracy: ([\d.]+)", "val_loss": r"val_loss: ([\d.]+)"},
    "keras-bar": {"loss": r" loss: ([\d.]+)", "val_accuracy": r"val_accuracy: ([\d.]+)"},
    "xgboost": {"train-logloss": r"train-logloss:([\d.]+)", "valid-auc": r"valid-auc:([\d.]+)"},
    "lightgbm": {
        "training's auc": r"training's auc: ([\d.]+)",
        "valid_1's binary_logloss": r"valid_1's binary_logloss: ([\d.]+)",
    },
    "sklearn": {"loss": r"loss(?: =|:) ([\d.]+)", "Train Loss": r"(?m)^\s+\d+\s+([\d.]+)\s+[\d.]+s$"},
}


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_every_printed_value_is_found(name: str):
    data = (LOGS / f"{name}.txt").read_bytes()
    text = b"\n".join(lines_of(data)).decode()
    said = read(data)
    for metric, pattern in EXPECTED[name].items():
        printed = [float(value) for value in re.findall(pattern, text)]
        assert printed
        assert [value for line in said for key, value in line.values if key == metric] == printed


def test_roles_tell_training_from_evaluation():
    roles = {name: role for name, (role, *_) in summary((LOGS / "xgboost.txt").read_bytes()).items()}
    assert roles == {
        "train-logloss": "loss",
        "train-auc": "metric",
        "valid-logloss": "eval_loss",
        "valid-auc": "eval_metric",
    }


def test_bars_and_rounds_give_steps():
    assert max(steps((LOGS / "hf-trainer.txt").read_bytes())) == 24
    assert max(steps((LOGS / "lightning-bar.txt").read_bytes())) == 120
    assert steps((LOGS / "xgboost.txt").read_bytes()) == list(range(20))
