"""A curve that drifts beside a program that dies of something else."""

from __future__ import annotations

from msgspec.structs import replace

from runtriage.detect import divergence
from runtriage.judge import judge
from tests.detect.build import CATALOGUE, series
from tests.detect.build import facts as seen
from tests.judge.build import facts, match


def test_a_hard_crash_outranks_a_drifting_loss() -> None:
    drift = match("div/loss-spike-unrecovered", 3, tier="metric", step=40)
    crash = match("crash/native-assert", 60, tier="exit", step=50)
    assert judge([drift, crash], facts()).mode == "crash/native-assert"


def test_an_exception_of_evaluation_is_a_crash_and_a_bad_curve_is_not() -> None:
    raised = judge([match("eval/target-type", 9)], facts())
    curve = judge([match("eval/label-mapping", 9, tier="metric")], facts())
    assert (raised.run_status, curve.run_status) == ("crashed", "degraded")


def test_an_evaluation_alone_that_is_not_finite_leaves_the_training_standing() -> None:
    evaluated = replace(match("nan/loss-nonfinite", 9, tier="metric"), rule="series/nonfinite-eval_loss")
    trained = replace(match("nan/loss-nonfinite", 4, tier="metric"), rule="series/nonfinite-loss")
    assert judge([evaluated], facts()).run_status == "degraded"
    assert judge([trained, evaluated], facts()).run_status == "diverged"


def test_noise_is_no_divergence() -> None:
    values = [0.013, 0.236, 0.443, 0.636, 0.679, 0.115, 0.4, 0.969, 0.849, 0.244, 0.041, 0.359, 0.591, 0.694, 0.219]
    values += [0.18, 0.984, 0.347, 0.022, 0.017, 0.562, 0.87, 0.248, 0.883, 0.374, 0.158, 0.018, 0.581, 0.56, 0.284]
    values += [0.489, 0.602, 0.234, 0.972, 0.768, 0.371, 0.735]
    assert list(divergence.find(seen(curves=[series("loss", "loss", values)]), CATALOGUE)) == []


def test_a_curve_that_broke_before_a_crash_that_it_does_not_explain_is_not_said_to_have_begun_later() -> None:
    broken = match("nan/loss-nonfinite", 9, tier="metric", step=9)
    crash = match("cuda/illegal-memory-access", 12)
    verdict = judge([broken, crash], facts())
    assert verdict.mode == "cuda/illegal-memory-access"
    (ruled,) = verdict.ruled_out
    assert ruled.because.endswith("less speaks for it than for the root, though it began earlier")
