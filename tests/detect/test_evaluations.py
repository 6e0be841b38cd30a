"""Evaluations that cannot be right: shapes of their series, and what the program says of them."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from runtriage.detect import contradiction, eval_constant, eval_mismatch
from runtriage.detect.loading import mode_while_loading
from tests.detect.build import CATALOGUE, event, facts, raised, series

pytestmark = pytest.mark.usefixtures("untouched_world")

LEARNT = series("loss", "loss", [2.3, 1.4, 0.6, 0.2, 0.1])


def test_an_evaluation_loss_that_never_changes_looks_at_other_weights() -> None:
    frozen = series("eval_loss", "eval_loss", [2.3412] * 5)
    (found,) = eval_constant.find(facts(curves=[LEARNT, frozen]), CATALOGUE)
    assert found.mode == "eval/wrong-checkpoint"


@pytest.mark.parametrize("values", [[2.3412, 2.3412, 2.3412, 2.3411, 2.3412], [2.0] * 5, [2.3412] * 3])
def test_a_loss_that_changes_is_short_or_roughly_printed_says_nothing(values: list[float]) -> None:
    curves = [LEARNT, series("eval_loss", "eval_loss", values)]
    assert list(eval_constant.find(facts(curves=curves), CATALOGUE)) == []


def test_scores_at_chance_beside_perfect_training_are_a_mismatch_whatever_the_loss() -> None:
    curves = [
        series("train_acc", "metric", [0.6, 0.9, 0.98, 0.99, 0.99]),
        series("val_acc", "eval_metric", [0.12, 0.13, 0.12, 0.13, 0.13]),
        series("val_loss", "eval_loss", [2.2, 2.1, 2.2, 2.3, 2.2]),
    ]
    (found,) = eval_mismatch.find(facts(curves=curves), CATALOGUE)
    assert found.mode == "eval/label-mapping"


def test_a_high_loss_with_good_scores_is_no_mismatch() -> None:
    curves = [
        series("loss", "loss", [2.0, 0.5, 0.1]),
        series("val_loss", "eval_loss", [4.0, 4.5, 5.0]),
        series("val_acc", "eval_metric", [0.7, 0.8, 0.82]),
    ]
    assert list(eval_mismatch.find(facts(curves=curves), CATALOGUE)) == []


def test_a_test_score_in_its_own_series_refutes_a_perfect_validation() -> None:
    curves = [
        series("val_accuracy", "eval_metric", [0.99, 1.0, 1.0]),
        series("test_accuracy", "eval_metric", [0.58]),
    ]
    (found,) = contradiction.find(facts(curves=curves), CATALOGUE)
    assert found.mode == "eval/data-leakage-split"


def test_an_ordinary_gap_to_the_test_score_says_nothing() -> None:
    curves = [
        series("val_accuracy", "eval_metric", [0.9, 0.93, 0.95]),
        series("test_accuracy", "eval_metric", [0.58]),
    ]
    assert list(contradiction.find(facts(curves=curves), CATALOGUE)) == []


def test_a_damaged_file_is_a_checkpoint_where_one_was_being_loaded() -> None:
    error = raised("OSError", "truncated file: eof = 9000", 12, first_line=6)
    load = event("checkpoint", "loading", 5, excerpt="restoring best.h5", captures={"path": "best.h5"})
    assert mode_while_loading("data/corrupt-hdf5", error, [load]) == "ckpt/corrupt-zip"
    assert mode_while_loading("data/corrupt-hdf5", error, []) == "data/corrupt-hdf5"
    assert mode_while_loading("data/collate-shape", error, [load]) == "data/collate-shape"
    below = replace(error, captures={**error.captures, "loads": "load_weights"})
    assert mode_while_loading("data/corrupt-hdf5", below, []) == "ckpt/corrupt-zip"


def test_an_evaluation_that_training_only_makes_worse_from_its_untrained_value_on_is_a_mismatch() -> None:
    train = series("loss", "loss", [4.8, 2.4, 1.7, 1.6, 1.55, 1.5])
    worse = series("val loss", "eval_loss", [4.76, 6.8, 7.2, 7.4, 7.6])
    (found,) = eval_mismatch.find(facts(curves=[train, worse]), CATALOGUE)
    assert found.numbers["untrained"] == 4.76
    overfits = series("val loss", "eval_loss", [4.76, 3.1, 4.9, 6.4, 7.6])
    assert list(eval_mismatch.find(facts(curves=[train, overfits]), CATALOGUE)) == []


def test_percentages_are_scores_too() -> None:
    curves = [
        series("train acc", "metric", [61.0, 92.0, 98.0, 99.0, 99.5]),
        series("val acc", "eval_metric", [12.0, 13.0, 12.5, 13.0, 12.0]),
    ]
    (found,) = eval_mismatch.find(facts(curves=curves), CATALOGUE)
    assert found.mode == "eval/label-mapping"


def test_a_poor_score_that_grows_is_a_hard_task() -> None:
    curves = [
        series("train_acc", "metric", [0.3, 0.8, 0.98, 0.99, 0.99, 0.99]),
        series("val_acc", "eval_metric", [0.03, 0.05, 0.07, 0.09, 0.1, 0.11]),
    ]
    assert list(eval_mismatch.find(facts(curves=curves), CATALOGUE)) == []


def test_perfect_validation_under_dropout_is_silent_unless_it_was_sure_at_once() -> None:
    train = series("train_acc", "metric", [0.5, 0.7, 0.72, 0.75])
    valid = series("val_acc", "eval_metric", [1.0, 1.0, 1.0, 1.0])
    unsure = series("val_loss", "eval_loss", [0.26, 0.07, 0.04, 0.03])
    sure = series("val_loss", "eval_loss", [0.004, 0.002, 0.001, 0.001])
    assert list(eval_mismatch.find(facts(curves=[train, valid, unsure]), CATALOGUE)) == []
    (found,) = eval_mismatch.find(facts(curves=[train, valid, sure]), CATALOGUE)
    assert found.mode == "eval/data-leakage-split"


def test_a_score_that_stays_while_its_own_loss_falls_is_computed_wrongly() -> None:
    falls = series("val loss", "eval_loss", [0.26, 0.12, 0.08, 0.06, 0.05, 0.036])
    still = series("val f1", "eval_metric", [0.0] * 6)
    (found,) = eval_constant.find(facts(curves=[falls, still]), CATALOGUE)
    assert found.mode == "eval/metric-reduction-bug"
    slowly = series("val loss", "eval_loss", [0.284, 0.244, 0.22, 0.21, 0.2, 0.19])
    assert list(eval_constant.find(facts(curves=[slowly, still]), CATALOGUE)) == []


@pytest.mark.parametrize(("score", "fires"), [(0.583, True), (0.932, False), (0.5, False)])
def test_a_score_equal_to_the_last_digit_looks_at_other_weights(score: float, *, fires: bool) -> None:
    curves = [LEARNT, series("val_acc", "eval_metric", [score] * 6)]
    assert bool(list(eval_constant.find(facts(curves=curves), CATALOGUE))) is fires


def test_a_printed_test_score_refutes_only_the_validation_before_it() -> None:
    valid = series("val_acc", "eval_metric", [0.9, 0.99, 1.0, 1.0])
    line = max(point.line for point in valid.points)
    said = {"captures": {"metric": "accuracy", "score": "45.25"}, "numbers": {"score": 45.25}}
    late = event("signature", "eval/data-leakage-split.second-set#test", line + 1, **said)
    (found,) = contradiction.find(facts(events=[late], curves=[valid]), CATALOGUE)
    assert found.numbers["second"] == pytest.approx(0.4525)
    early = event("signature", "eval/data-leakage-split.second-set#test", 0, **said)
    assert list(contradiction.find(facts(events=[early], curves=[valid]), CATALOGUE)) == []


def test_a_bar_that_shows_the_last_evaluation_beside_every_loss_counts_as_few_evaluations() -> None:
    losses = series("train_loss", "loss", [0.7, 0.6, 0.6, 0.5, 0.5, 0.4, 0.4, 0.3])
    shown = replace(series("val_loss", "eval_loss", [0.434] * 8), points=())
    points = tuple(replace(point, value=0.434) for point in losses.points)
    beside = replace(shown, points=points[4:])
    assert list(eval_constant.find(facts(curves=[losses, beside]), CATALOGUE)) == []
    (found,) = eval_constant.find(facts(curves=[losses, replace(shown, points=points)]), CATALOGUE)
    assert found.mode == "eval/wrong-checkpoint"
