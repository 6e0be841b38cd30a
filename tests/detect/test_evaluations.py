"""Evaluations that cannot be right: shapes of their series, and what the program says of them."""

from __future__ import annotations

import pytest

from runtriage.detect import contradiction, eval_mismatch
from runtriage.detect.loading import mode_while_loading
from tests.detect.build import CATALOGUE, event, facts, raised, series, signature

pytestmark = pytest.mark.usefixtures("untouched_world")

LEARNT = series("loss", "loss", [2.3, 1.4, 0.6, 0.2, 0.1])


def test_an_evaluation_loss_that_never_changes_looks_at_other_weights() -> None:
    frozen = series("eval_loss", "eval_loss", [2.3412] * 5)
    (found,) = eval_mismatch.find(facts(curves=[LEARNT, frozen]), CATALOGUE)
    assert found.mode == "eval/wrong-checkpoint"


@pytest.mark.parametrize("values", [[2.3412, 2.3412, 2.3412, 2.3411, 2.3412], [2.0] * 5, [2.3412] * 3])
def test_a_loss_that_changes_is_short_or_roughly_printed_says_nothing(values: list[float]) -> None:
    curves = [LEARNT, series("eval_loss", "eval_loss", values)]
    assert list(eval_mismatch.find(facts(curves=curves), CATALOGUE)) == []


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


def test_the_programs_own_word_counts_unless_it_has_seen_to_it() -> None:
    name = "eval/label-mapping.said#class-order"
    (found,) = contradiction.find(
        facts(events=[signature(name, 3, "class order of eval differs, continuing")]), CATALOGUE
    )
    assert found.mode == "eval/label-mapping"
    mended = signature(name, 3, "class order of eval differs, remapped")
    assert list(contradiction.find(facts(events=[mended]), CATALOGUE)) == []


def test_a_damaged_file_is_a_checkpoint_where_one_was_being_loaded() -> None:
    error = raised("OSError", "truncated file: eof = 9000", 12, first_line=6)
    load = event("checkpoint", "loading", 5, excerpt="restoring best.h5", captures={"path": "best.h5"})
    assert mode_while_loading("data/corrupt-hdf5", error, [load]) == "ckpt/corrupt-zip"
    assert mode_while_loading("data/corrupt-hdf5", error, []) == "data/corrupt-hdf5"
    assert mode_while_loading("data/collate-shape", error, [load]) == "data/collate-shape"
