"""A validation that is far ahead of training from its first value on."""

from __future__ import annotations

import pytest

from runtriage.detect import eval_ahead
from runtriage.model.series import Series
from tests.detect.build import CATALOGUE, facts
from tests.detect.curves import curve

pytestmark = pytest.mark.usefixtures("untouched_world")
TRAIN = [0.41, 0.44, 0.47, 0.5, 0.53, 0.56, 0.59, 0.62, 0.65, 0.68]
VALID = [0.93, 0.94, 0.95, 0.96, 0.97, 0.98, 0.985, 0.99, 0.99, 0.99]
LOSS = [1.9 * 0.9**at for at in range(10)]


def curves(train: list[float], valid: list[float], loss: list[float], val_loss: list[float]) -> list[Series]:
    return [
        curve("train_acc", "metric", train),
        curve("val_acc", "eval_metric", valid),
        curve("train_loss", "loss", loss),
        curve("val_loss", "eval_loss", val_loss),
    ]


def rules(series: list[Series]) -> list[str]:
    return [found.mode for found in eval_ahead.find(facts(curves=series), CATALOGUE)]


def test_a_validation_that_knows_before_training_learns_is_a_leak() -> None:
    assert rules(curves(TRAIN, VALID, LOSS, [0.15 * value for value in LOSS])) == ["eval/data-leakage-split"]


def test_mixed_labels_that_keep_training_low_are_none() -> None:
    flat = [1.5 - 0.02 * at for at in range(10)]
    assert rules(curves(TRAIN, VALID, flat, [0.15 * value for value in LOSS])) == []


def test_training_that_soon_gets_no_better_under_dropout_is_none() -> None:
    soon = [0.5, 0.66, 0.69, 0.7, 0.71, 0.7, 0.72, 0.73, 0.72, 0.74]
    assert rules(curves(soon, VALID, LOSS, [0.15 * value for value in LOSS])) == []


def test_a_validation_loss_of_the_size_of_trainings_is_none() -> None:
    assert rules(curves(TRAIN, VALID, LOSS, [0.8 * value for value in LOSS])) == []


def test_an_easy_set_that_training_knows_as_well_is_none() -> None:
    assert rules(curves([0.9, 0.95, 0.97, 0.98, 0.99], VALID[:5], LOSS[:5], [0.1] * 5)) == []
