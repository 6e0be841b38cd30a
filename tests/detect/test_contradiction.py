"""Evaluations that contradict each other."""

from __future__ import annotations

import math

import pytest

from runtriage.detect.contradiction import find
from runtriage.model.event import SIGNATURE, Event
from tests.detect.build import CATALOGUE, event, facts, series, signature

pytestmark = pytest.mark.usefixtures("untouched_world")


def second(metric: str, score: float) -> Event:
    name = "eval/data-leakage-split.second-set#holdout"
    return event(SIGNATURE, name, 10, captures={"metric": metric}, numbers={"score": score})


def test_a_perfect_validation_that_another_set_refutes_is_a_leak() -> None:
    run = facts(events=[second("accuracy", 0.51)], curves=[series("valid_acc", "eval_metric", [0.99, 1.0, 1.0])])
    (match,) = find(run, CATALOGUE)
    assert match.mode == "eval/data-leakage-split"
    assert match.evidence[0].citation.first_line == 10


@pytest.mark.parametrize(
    ("metric", "score", "values"),
    [
        ("accuracy", 0.93, [0.95, 0.97]),
        ("accuracy", 0.45, [0.5, 0.6]),
        ("auc", 0.5, [0.99, 1.0]),
        ("accuracy", 0.51, [99.0, 100.0]),
        ("accuracy", 0.51, []),
    ],
)
def test_scores_that_can_both_be_true_say_nothing(metric: str, score: float, values: list[float]) -> None:
    run = facts(events=[second(metric, score)], curves=[series("valid_acc", "eval_metric", values)])
    assert not list(find(run, CATALOGUE))


def test_a_metric_that_never_had_a_value_is_undefined_whatever_the_run_says_of_itself() -> None:
    warned = signature("eval/undefined-metric.auc#auc", 4)
    run = facts(events=[warned], curves=[series("valid auc", "eval_metric", [math.nan])])
    assert [match.mode for match in find(run, CATALOGUE)] == ["eval/undefined-metric"]


def test_a_warning_about_one_evaluation_among_others_is_noise() -> None:
    warned = signature("eval/undefined-metric.auc#auc", 4)
    run = facts(events=[warned], curves=[series("valid auc", "eval_metric", [math.nan, 0.8])])
    assert not list(find(run, CATALOGUE))
