"""Gradients that explode before the loss does: the alarm says how far, over which steps, and before what."""

from __future__ import annotations

import math
import random
from collections.abc import Callable

import pytest

from runtriage.detect import gradient
from runtriage.detect.engine import detect
from runtriage.model.finding import Match
from runtriage.model.series import Series
from tests.detect.build import CATALOGUE, facts
from tests.detect.curves import N, Shape, curve, falling, loss

pytestmark = pytest.mark.usefixtures("untouched_world")


def _norm(value: Callable[[int], float]) -> Series:
    return curve("grad_norm", "grad_norm", [value(i) for i in range(N)])


def _calm(draw: random.Random) -> float:
    return abs(draw.gauss(1, 0.15))


def _exploding(draw: random.Random, begin: int = 360, end: int = 390) -> Series:
    return curve("grad_norm", "grad_norm", [_calm(draw) * 1.3 ** max(i - begin, 0) for i in range(end)])


def test_a_rise_before_nan_is_told_with_its_factor_and_steps_and_leaves_the_nan_first() -> None:
    draw = random.Random(1)
    broken = loss([*falling(draw)[:390], *[math.nan] * 10])
    (match,) = gradient.find(facts(curves=[broken, _exploding(draw)]), CATALOGUE)
    assert match.role == "symptom"
    assert match.numbers["times"] > 1000
    assert match.numbers["to_step"] == 390
    assert 355 <= match.numbers["from_step"] <= 370
    assert "before loss became NaN at step 391" in match.evidence[0].claim
    assert match.evidence[0].citation.first_step == match.numbers["from_step"] + 1
    assert [item.citation.first_step for item in match.evidence[1:]] == [390, 391]


def test_a_rise_before_a_loss_that_diverges_is_the_cause() -> None:
    draw = random.Random(2)
    gone = loss([v * 1.25 ** max(i - 375, 0) for i, v in enumerate(falling(draw)[:390])])
    (match,) = gradient.find(facts(curves=[gone, _exploding(draw)]), CATALOGUE)
    assert (match.mode, match.role) == ("div/grad-norm-explosion", "cause")
    assert "-fold over" in match.evidence[0].claim


def test_a_rate_that_jumped_where_the_rise_begins_is_told() -> None:
    draw = random.Random(2)
    gone = loss([v * 1.25 ** max(i - 375, 0) for i, v in enumerate(falling(draw)[:390])])
    rate = curve("lr", "lr", [0.01 if i < 358 else 0.45 for i in range(390)])
    (match,) = gradient.find(facts(curves=[gone, _exploding(draw), rate]), CATALOGUE)
    assert "had jumped from 0.01 to 0.45 at step 359" in match.evidence[0].claim


@pytest.mark.parametrize("falls", [True, False])
def test_a_rise_at_the_end_of_the_log_is_an_alarm_unless_the_loss_goes_on_falling(*, falls: bool) -> None:
    draw = random.Random(3)
    values = [4.0 - i / 120 if falls else 2.0 + 0.3 * (i > 365) + draw.gauss(0, 0.01) for i in range(390)]
    found = list(gradient.find(facts(curves=[loss(values), _exploding(draw)]), CATALOGUE))
    assert bool(found) is not falls


def test_each_rank_is_judged_by_its_own_loss() -> None:
    draw = random.Random(4)
    curves = [
        curve("loss", "loss", [*falling(draw)[:390], math.nan], rank=1),
        curve("grad_norm", "grad_norm", [_calm(draw) * 1.3 ** max(i - 360, 0) for i in range(390)], rank=1),
        curve("loss", "loss", falling(draw), rank=0),
        curve("grad_norm", "grad_norm", [_calm(draw) for _ in range(N)], rank=0),
    ]
    assert [match.subject.rank for match in gradient.find(facts(curves=curves), CATALOGUE)] == [1]


def test_three_prints_are_enough_where_the_loss_goes_with_them() -> None:
    curves = [
        curve("loss", "loss", [374.8, 2.7e6, 1.97e10], every=3),
        curve("grad_norm", "grad_norm", [69.7, 5937.0, 505736.0], every=3),
    ]
    (match,) = gradient.find(facts(curves=curves), CATALOGUE)
    assert match.numbers["times"] == pytest.approx(7256, rel=0.01)


HEALTHY: dict[str, Shape] = {
    "spikes-that-recover": lambda d: [
        loss(falling(d)),
        _norm(lambda i: _calm(d) * (1000 if i in (80, 81, 200, 330) else 1)),
    ],
    "spike-in-the-last-print": lambda d: [loss(falling(d)), _norm(lambda i: _calm(d) * (500 if i == N - 1 else 1))],
    "warm-up-bump": lambda d: [
        loss([v * (1 + 0.5 * math.exp(-(((i - 20) / 8) ** 2))) for i, v in enumerate(falling(d))]),
        _norm(lambda i: _calm(d) * (1 + 40 * math.exp(-(((i - 20) / 8) ** 2)))),
    ],
    "cosine-restarts": lambda d: [
        loss([v * (1 + 0.4 * math.exp(-(i % 100) / 10)) for i, v in enumerate(falling(d))]),
        _norm(lambda i: _calm(d) * (1 + 12 * math.exp(-(i % 100) / 10))),
    ],
    "ends-in-a-restart": lambda d: [
        loss(falling(d)[:310]),
        curve("grad_norm", "grad_norm", [_calm(d) * (1 + 30 * math.exp(-(i % 100) / 10)) for i in range(310)]),
    ],
    "batch-ramp": lambda d: [
        loss([v * (1 + 0.1 * (i > 200)) for i, v in enumerate(falling(d))]),
        _norm(lambda i: _calm(d) / (1 + i // 100)),
    ],
    "slow-growth": lambda d: [loss(falling(d)), _norm(lambda i: _calm(d) * (1 + 6 * i / N))],
    "gan": lambda d: [
        curve("g_loss", "loss", [2 + 4 * abs(math.sin(i / 30)) + d.gauss(0, 0.3) for i in range(N)]),
        curve("d_loss", "loss", [0.7 + 0.3 * math.sin(i / 20) + d.gauss(0, 0.05) for i in range(N)]),
        _norm(lambda i: _calm(d) * 10 ** (1.3 * math.sin(i / 40))),
    ],
    "reinforcement-noise": lambda d: [
        curve("policy_loss", "loss", [d.gauss(0, 0.02) for _ in range(N)]),
        curve("reward", "reward", [d.gauss(i / 50, 3) for i in range(N)]),
        _norm(lambda i: math.exp(d.gauss(0, 1.2))),
    ],
    "skipped-overflows": lambda d: [
        loss(falling(d)),
        _norm(lambda i: math.inf if i in (0, 1, 2, 200) else _calm(d)),
    ],
    "begins-at-zero": lambda d: [loss(falling(d)), _norm(lambda i: 0.0 if i < 300 else _calm(d))],
    "loss-printed-rarely": lambda d: [
        curve("loss", "loss", [3.0, 2.0, 1.5, 1.4], every=100),
        _norm(lambda i: _calm(d) * (30 if i % 50 == 0 else 1)),
    ],
}


@pytest.mark.parametrize("name", HEALTHY)
@pytest.mark.parametrize("seed", range(3))
def test_gradients_of_healthy_runs_raise_no_alarm(name: str, seed: int) -> None:
    found = detect(facts(curves=HEALTHY[name](random.Random(seed))), CATALOGUE)
    assert [item for item in found if isinstance(item, Match)] == []
