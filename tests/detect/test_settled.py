"""A loss at rest where nothing was learnt."""

from __future__ import annotations

import pytest

from runtriage.detect import settled
from runtriage.model.series import Series
from tests.detect.build import CATALOGUE, facts
from tests.detect.curves import curve

pytestmark = pytest.mark.usefixtures("untouched_world")

REST = [23.6, 2.45, *(2.279 + 0.0005 * (n % 3) for n in range(38))]


ROLES = {"loss": "loss", "val_accuracy": "eval_metric", "hidden_grad_norm": "grad_norm"}


def series(name: str, values: list[float]) -> Series:
    return curve(name, ROLES[name], values)


def modes(*all_series: Series) -> list[str]:
    return [match.rule for match in settled.find(facts(curves=all_series), CATALOGUE)]


def test_a_gradient_of_nothing_beside_a_loss_at_rest_says_why() -> None:
    assert modes(series("loss", REST), series("hidden_grad_norm", [0.0] * 40)) == ["series/no-gradient"]


def test_a_score_of_chance_beside_a_loss_at_its_entropy_says_so() -> None:
    assert modes(series("loss", REST), series("val_accuracy", [0.154] * 40)) == ["series/at-chance"]


@pytest.mark.parametrize(
    ("loss", "beside"),
    [
        (REST, ("val_accuracy", [0.55] * 40)),
        (REST, ("hidden_grad_norm", [0.1] * 40)),
        ([2.6 - 0.02 * n for n in range(40)], ("hidden_grad_norm", [0.0] * 40)),
        ([*(3.0 - 0.03 * n for n in range(24)), *([2.279] * 24)], ("val_accuracy", [0.154] * 48)),
    ],
)
def test_a_loss_that_learnt_or_has_gradients_and_a_score_is_at_rest_for_good_reasons(
    loss: list[float], beside: tuple[str, list[float]]
) -> None:
    assert modes(series("loss", loss), series(*beside)) == []
