"""Curves of two networks, of averaged weights and of rewards, and sentences that quote what was recorded."""

from __future__ import annotations

import random

import pytest

from runtriage.detect import adversarial, eval_averaged, plateau, policy_collapse
from runtriage.detect.measured_words import measured
from runtriage.model.event import EXCEPTION
from tests.detect.build import CATALOGUE, event, facts
from tests.detect.curves import curve

pytestmark = pytest.mark.usefixtures("untouched_world")


def test_a_discriminator_that_won_is_told_and_one_that_is_matched_is_not() -> None:
    draw = random.Random(3)
    won = [
        curve("Loss_D", "loss_part", [1.3, *[0.001] * 59]),
        curve("Loss_G", "loss_part", [0.7 + n for n in range(60)]),
    ]
    even = [
        curve("Loss_D", "loss_part", [draw.uniform(0.4, 1.4) for _ in range(60)]),
        curve("Loss_G", "loss_part", [draw.uniform(0.7, 6.0) for _ in range(60)]),
    ]
    assert [match.mode for match in adversarial.find(facts(curves=won), CATALOGUE)] == ["div/lr-too-high"]
    assert list(adversarial.find(facts(curves=even), CATALOGUE)) == []


@pytest.mark.parametrize(("averaged", "found"), [(53.0, ["eval/ema-vs-raw"]), (89.0, [])])
def test_an_average_far_below_its_weights_is_told(averaged: float, found: list[str]) -> None:
    curves = [curve("te_acc", "eval_metric", [90.6] * 9), curve("swa_te_acc", "eval_metric", [averaged] * 9)]
    assert [match.mode for match in eval_averaged.find(facts(curves=curves), CATALOGUE)] == found


def test_a_reward_that_fell_back_for_good_is_told_and_a_noisy_one_is_not() -> None:
    draw = random.Random(5)
    lost = [*(14.0 * n + draw.gauss(0, 9) for n in range(20)), *(draw.gauss(0, 3) for _ in range(20))]
    noisy = [200 * n / 40 + draw.gauss(0, 60) for n in range(40)]
    assert len(list(policy_collapse.find(facts(curves=[curve("avg_return", "reward", lost)]), CATALOGUE))) == 1
    assert list(policy_collapse.find(facts(curves=[curve("avg_return", "reward", noisy)]), CATALOGUE)) == []


@pytest.mark.parametrize(("level", "found"), [(0.655, 1), (0.31, 0)])
def test_one_answer_for_everything_is_told_by_its_entropy(level: float, found: int) -> None:
    curves = [curve("loss", "loss", [9.0, 2.0, *[level] * 16]), curve("val_acc", "eval_metric", [0.633] * 18)]
    matches = list(plateau.find(facts(curves=curves), CATALOGUE))
    assert len(matches) == found


@pytest.mark.parametrize(
    ("message", "family"),
    [
        ("kl to the reference is 46.4, ten samples in a row above the target (6.0)", "div"),
        ("46.4 rows were read", None),
        ("kl is 1200.5 rows", None),
    ],
)
def test_a_sentence_is_about_the_value_it_quotes(message: str, family: str | None) -> None:
    said = event(EXCEPTION, "SystemExit", 30, captures={"message": message})
    run = facts(events=[said], curves=[curve("kl", "kl", [float(n) for n in range(20, 47)])])
    assert measured(said, run) == family
