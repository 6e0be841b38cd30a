"""Evaluations that move without training, copy it or go against it, beside healthy ones that look alike."""

from __future__ import annotations

import math
import random

import pytest
from msgspec.structs import replace

from runtriage.detect import contradiction, eval_constant, eval_copy, eval_inverted, eval_mismatch, eval_moves
from runtriage.detect.engine import detect
from runtriage.model.finding import Broken, Match
from runtriage.model.series import Series
from tests.detect.build import CATALOGUE, facts, series
from tests.detect.curves import Shape

pytestmark = pytest.mark.usefixtures("untouched_world")

STILL = series("train_loss", "loss", [1.6094] * 8)
IDLE = series("lr", "lr", [0.0] * 8)
FLAT_NORM = series("grad_norm", "grad_norm", [0.0] * 8)
JITTER = series("val_acc", "eval_metric", [0.41, 0.39, 0.44, 0.4, 0.38, 0.42, 0.43, 0.4])


@pytest.mark.parametrize("training", [[STILL], [FLAT_NORM], [STILL, IDLE], [FLAT_NORM, IDLE]])
def test_a_score_that_moves_while_training_stands_still_is_drawn_anew_each_time(training: list[Series]) -> None:
    (match,) = eval_moves.find(facts(curves=[*training, JITTER]), CATALOGUE)
    assert match.mode == "eval/sampling-nondeterminism"
    assert (match.numbers["lowest"], match.numbers["highest"]) == (0.38, 0.44)
    assert "at step 1" in match.evidence[0].claim
    assert len(match.evidence) == 1 + len(training)


def test_a_moving_score_is_the_fault_only_where_training_had_come_further_than_guessing() -> None:
    (guessed,) = eval_moves.find(facts(curves=[STILL, JITTER]), CATALOGUE)
    (frozen,) = eval_moves.find(facts(curves=[series("loss", "loss", [1.8511] * 8), JITTER]), CATALOGUE)
    assert (guessed.role, frozen.role) == ("symptom", "cause")


def test_a_score_that_drops_once_is_no_inversion() -> None:
    dropped = series("val_acc", "eval_metric", [0.565, 0.565, 0.2425, 0.2425])
    assert list(eval_inverted.find(facts(curves=[FELL, dropped]), CATALOGUE)) == []


@pytest.mark.parametrize(
    "curves",
    [
        [IDLE, JITTER],
        [series("train_loss", "loss", [0.7] * 8), JITTER],
        [series("train_loss", "loss", [1.6094] * 4), JITTER],
        [series("train_loss", "loss", [1.6094, 1.6093, *[1.6094] * 6]), JITTER],
        [STILL, series("val_acc", "eval_metric", [0.41, 0.412, 0.411, 0.41])],
        [STILL, series("val_acc", "eval_metric", [0.41] * 8)],
    ],
    ids=["rate-of-few-digits", "loss-of-few-digits", "few-prints", "loss-moves", "last-digits", "constant"],
)
def test_a_score_that_moves_says_nothing_where_training_may_go_on_or_only_its_last_digits_move(
    curves: list[Series],
) -> None:
    assert list(eval_moves.find(facts(curves=curves), CATALOGUE)) == []


def _losses(draw: random.Random, count: int = 10) -> list[float]:
    return [round((0.3 + 2 * math.exp(-i / 3)) * (1 + draw.gauss(0, 0.02)), 4) for i in range(count)]


def test_an_evaluation_equal_to_training_to_the_last_digit_is_computed_on_its_data() -> None:
    values = _losses(random.Random(1))
    curves = [series("train-rmse", "loss", values), series("eval-rmse", "eval_loss", values)]
    (match,) = eval_copy.find(facts(curves=curves), CATALOGUE)
    assert match.mode == "eval/data-leakage-split"
    assert "in all 10 evaluations" in match.evidence[0].claim


@pytest.mark.parametrize(
    "evaluation",
    [
        series("eval-rmse", "eval_loss", [*_losses(random.Random(1))[:9], 0.3141]),
        series("eval-rmse", "eval_loss", _losses(random.Random(1))[:4]),
        series("eval-mae", "eval_metric", _losses(random.Random(1))),
    ],
    ids=["differs-once", "few", "another-quantity"],
)
def test_an_evaluation_that_differs_is_short_or_measures_something_else_is_no_copy(evaluation: Series) -> None:
    curves = [series("train-rmse", "loss", _losses(random.Random(1))), evaluation]
    assert list(eval_copy.find(facts(curves=curves), CATALOGUE)) == []


def test_perfect_scores_on_both_sides_are_no_copy() -> None:
    curves = [series("train_acc", "metric", [1.0] * 9), series("val_acc", "eval_metric", [1.0] * 9)]
    assert list(eval_copy.find(facts(curves=curves), CATALOGUE)) == []


WELL = series("train_acc", "metric", [0.5, 0.8, 0.9, 0.95, 0.97, 0.98, 0.99, 0.99])
FELL = series("loss", "loss", [0.69, 0.66, 0.5, 0.3, 0.2, 0.1, 0.06, 0.04])

INVERTED: dict[str, list[Series]] = {
    "auc-under-a-third": [WELL, series("val_auc", "eval_metric", [0.5, 0.4, 0.3, 0.2, 0.15, 0.12, 0.1, 0.1])],
    "accuracy-that-only-falls": [FELL, series("val_acc", "eval_metric", [0.5, 0.3, 0.2, 0.1, 0.06, 0.04, 0.02, 0.02])],
    "loss-that-only-rises": [
        FELL,
        series("val_loss", "eval_loss", [0.7, 0.71, 0.74, 0.78, 0.84, 0.9, 1.0, 1.1]),
    ],
    "loss-far-above": [
        series("loss", "loss", [8.1, 6.0, 5.0, 4.2, 3.6, 3.2, 2.9, 2.7]),
        series("val_loss", "eval_loss", [12.9, 12.8, 13.0, 12.9]),
    ],
}


@pytest.mark.parametrize("name", INVERTED)
def test_an_evaluation_that_training_only_makes_worse_has_other_labels(name: str) -> None:
    (match,) = eval_inverted.find(facts(curves=INVERTED[name]), CATALOGUE)
    assert match.mode == "eval/label-mapping"
    assert len(match.evidence) == 2


def _epochs(name: str, role: str, values: list[float]) -> Series:
    return series(name, role, values)


HEALTHY: dict[str, Shape] = {
    "overfits-a-little-from-a-good-start": lambda d: [
        _epochs("loss", "loss", [0.45, 0.2, 0.1, 0.05, 0.02, 0.01]),
        _epochs("val_loss", "eval_loss", [0.42, 0.44, 0.46, 0.47, 0.47, 0.48]),
    ],
    "boosting-that-generalises": lambda d: [
        _epochs("train-logloss", "loss", [0.69 * 0.93**i for i in range(40)]),
        _epochs("eval-logloss", "eval_loss", [0.15 + 0.54 * 0.93**i for i in range(40)]),
    ],
    "boosting-that-levels-off": lambda d: [
        _epochs("train-logloss", "loss", [0.69 * 0.93**i for i in range(40)]),
        _epochs("eval-logloss", "eval_loss", [0.6 + 0.09 * 0.8**i for i in range(40)]),
    ],
    "weak-but-honest-auc": lambda d: [
        _epochs("train_auc", "metric", [0.5 + 0.49 * (1 - math.exp(-i / 3)) for i in range(12)]),
        _epochs("val_auc", "eval_metric", [0.5 + 0.06 * (1 - math.exp(-i / 3)) + d.gauss(0, 0.005) for i in range(12)]),
    ],
    "eval-loss-summed-over-tokens": lambda d: [
        _epochs("loss", "loss", [8.0 * 0.85**i for i in range(12)]),
        _epochs("eval_loss", "eval_loss", [800.0 * 0.87**i for i in range(12)]),
    ],
    "rare-words-recall-dips": lambda d: [
        _epochs("loss", "loss", [2.0 * 0.8**i for i in range(12)]),
        _epochs("val_recall", "eval_metric", [0.3, 0.25, 0.28, 0.31, 0.3, 0.29, 0.33, 0.35, 0.34, 0.36, 0.37, 0.36]),
    ],
    "finished-with-a-rate-of-zero": lambda d: [
        _epochs("loss", "loss", [0.9 + d.gauss(0, 0.05) for _ in range(12)]),
        _epochs("lr", "lr", [0.0] * 12),
        _epochs("val_acc", "eval_metric", [0.8 + d.gauss(0, 0.01) for _ in range(12)]),
    ],
    "policy-whose-loss-is-zero": lambda d: [
        _epochs("loss", "loss", [0.0] * 12),
        _epochs("eval_reward", "eval_metric", [10 + d.gauss(0, 3) for _ in range(12)]),
    ],
    "evaluation-on-two-sets": lambda d: [
        _epochs("train_loss", "loss", _losses(d, 12)),
        _epochs("val_loss", "eval_loss", _losses(d, 12)),
        _epochs("test_loss", "eval_loss", _losses(d, 12)),
    ],
}


@pytest.mark.parametrize("name", HEALTHY)
@pytest.mark.parametrize("seed", range(3))
def test_no_detector_fires_on_evaluations_of_healthy_runs(name: str, seed: int) -> None:
    findings = detect(facts(curves=HEALTHY[name](random.Random(seed))), CATALOGUE)
    assert [item for item in findings if isinstance(item, (Match, Broken))] == []


def test_a_correlation_that_never_has_a_value_beside_a_loss_that_falls_is_undefined() -> None:
    curves = [
        series("train_mse", "loss", [3.5, 2.4, 1.1, 0.2, 0.1]),
        series("dev_pearson", "eval_metric", [math.nan] * 5),
    ]

    (match,) = contradiction.find(facts(curves=curves), CATALOGUE)

    assert (match.mode, match.rule) == ("eval/undefined-metric", "series/metric-never-defined")
    assert not list(contradiction.find(facts(curves=curves[1:]), CATALOGUE))


def test_an_r2_below_all_reason_beside_one_that_training_reaches_is_of_other_targets() -> None:
    train = series("R2 train", "metric", [0.71, 0.93, 0.98, 0.99])

    (match,) = eval_mismatch.find(
        facts(curves=[train, series("R2 test", "eval_metric", [-1.77, -1.76, -1.77, -1.77])]), CATALOGUE
    )

    assert (match.mode, match.rule) == ("eval/label-mapping", "series/eval-unrelated")
    overfit = series("R2 test", "eval_metric", [0.1, -0.2, -0.6, -0.9])
    assert not list(eval_mismatch.find(facts(curves=[train, overfit]), CATALOGUE))


def test_an_error_rate_of_all_in_every_evaluation_while_training_learns_is_of_other_answers() -> None:
    learns = series("train_loss", "loss", [0.9, 0.3, 0.1, 0.05, 0.02, 0.01])

    (match,) = eval_constant.find(facts(curves=[learns, series("dev_wer", "eval_metric", [100.0] * 6)]), CATALOGUE)

    assert match.rule == "series/eval-frozen"
    perfect = series("dev_wer", "eval_metric", [0.0] * 6)
    assert not list(eval_constant.find(facts(curves=[learns, perfect]), CATALOGUE))


def test_a_copy_of_the_end_of_a_log_does_not_show_what_an_untrained_model_costs() -> None:
    def late(curve: Series) -> Series:
        return replace(curve, points=tuple(replace(point, step=point.step + 30) for point in curve.points))

    train = series("train-rmse", "loss", [155.4, 135.5, 121.0, 104.2, 83.6, 33.2, 12.9, 6.3])
    judged = series("test-rmse", "eval_loss", [51221.6, 51221.8, 51211.2, 51210.9, 51208.1, 51206.0, 51202.9, 51201.8])
    whole, end = facts(curves=[train, judged]), facts(curves=[late(train), late(judged)])
    assert [match.rule for match in eval_inverted.find(whole, CATALOGUE)] == ["series/eval-far-above"]
    assert list(eval_mismatch.find(whole, CATALOGUE)) != []
    assert [*eval_inverted.find(end, CATALOGUE), *eval_mismatch.find(end, CATALOGUE)] == []


@pytest.mark.parametrize(("train", "known"), [("Loss", False), ("learn", True)])
def test_what_is_only_said_to_be_of_the_test_is_a_loss_beside_what_was_learnt_alone(train: str, known: bool) -> None:
    losses = [0.29, 0.25, 0.2, 0.12, 0.08, 0.03, 0.02, 0.01]
    curves = [
        series(train, "loss", losses),
        series("Test", "eval_loss", [0.79, 0.8, 0.79, 0.78, 0.79, 0.8, 0.79, 0.79]),
    ]
    assert bool(list(eval_inverted.find(facts(curves=curves), CATALOGUE))) is known
