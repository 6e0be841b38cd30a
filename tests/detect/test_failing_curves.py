"""Curves of failures: each is found, as what it is, and cited at a step."""

from __future__ import annotations

import math
import random

import pytest
from msgspec.structs import replace

from runtriage.detect import divergence, learning_rate, memory_growth, nonfinite, overfitting, plateau
from runtriage.detect.engine import detect
from runtriage.model.artifact import Artifact, Read
from runtriage.model.finding import Match
from runtriage.model.options import Options
from runtriage.model.subject import Subject
from tests.detect.build import CATALOGUE, facts, signature
from tests.detect.curves import FAILING, N, curve, falling, loss

pytestmark = pytest.mark.usefixtures("untouched_world")


@pytest.mark.parametrize("name", FAILING)
@pytest.mark.parametrize("seed", range(3))
def test_a_failing_shape_is_found(name: str, seed: int) -> None:
    mode, shape = FAILING[name]
    found = [item for item in detect(facts(curves=shape(random.Random(seed))), CATALOGUE) if isinstance(item, Match)]
    assert mode in {match.mode for match in found}
    assert all(match.evidence[0].citation.first_step is not None and match.numbers for match in found)


def _growing(name: str = "gpu_mem", end: float = 70e9):
    return curve(name, "memory", [20e9 + (end - 20e9) * i / N for i in range(N)])


def test_growing_memory_is_a_leak_only_where_memory_ran_out() -> None:
    ended = [signature("oom/gpu-alloc.torch", 500)]
    assert [m.mode for m in memory_growth.find(facts(events=ended, curves=[_growing()]), CATALOGUE)] == [
        "oom/gpu-leak-growth"
    ]
    assert list(memory_growth.find(facts(curves=[_growing()]), CATALOGUE)) == []


def test_memory_that_levels_off_is_no_leak() -> None:
    level = curve("gpu_mem", "memory", [20e9 + min(i, 150) * 2e8 for i in range(N)])
    assert (
        list(memory_growth.find(facts(events=[signature("oom/gpu-alloc.torch", 500)], curves=[level]), CATALOGUE)) == []
    )


def test_memory_of_the_host_is_compared_with_kills_of_the_host() -> None:
    rss = _growing("rss")
    gpu, host = signature("oom/gpu-alloc.torch", 500), signature("oom/host-cgroup.kernel", 500)
    assert list(memory_growth.find(facts(events=[gpu], curves=[rss]), CATALOGUE)) == []
    assert [m.mode for m in memory_growth.find(facts(events=[host], curves=[rss]), CATALOGUE)] == [
        "oom/host-leak-workers"
    ]


@pytest.mark.parametrize(("rate", "after", "fires"), [(1e-3, 3.0, True), (1e-3, 1.0, False), (2e-5, 3.0, False)])
def test_a_rate_that_starts_again_with_a_worse_loss_is_a_jump(rate: float, after: float, fires: bool) -> None:
    draw = random.Random(2)
    first = [loss(falling(draw)), curve("lr", "lr", [1e-5] * N)]
    second = [loss([after + draw.gauss(0, 0.05) for _ in range(N)]), curve("lr", "lr", [rate] * N)]
    again = [replace(series, subject=Subject(attempt=1)) for series in second]
    found = list(learning_rate.find(facts(curves=[*first, *again]), CATALOGUE))
    assert bool(found) is fires


def test_a_loss_that_blew_up_at_once_under_the_full_rate_names_the_missing_warm_up() -> None:
    draw = random.Random(4)
    values = [2.3, *[9.0 + draw.gauss(0, 0.5) for _ in range(30)], *[2.3 + draw.gauss(0, 0.02) for _ in range(N - 31)]]
    (cold,) = divergence.find(facts(curves=[loss(values), curve("lr", "lr", [0.1] * N)]), CATALOGUE)
    assert "at its full 0.1 from the first step on" in cold.evidence[0].claim
    assert cold.fixes[0] == "lengthen-warmup"
    warmed = curve("lr", "lr", [0.1 * min(1, (i + 1) / 50) for i in range(N)])
    (warm,) = divergence.find(facts(curves=[loss(values), warmed]), CATALOGUE)
    assert "full" not in warm.evidence[0].claim


def test_a_rate_of_zero_stands_beside_a_loss_that_never_moved() -> None:
    still = [loss([2.302585] * N), curve("lr", "lr", [0.0] * N)]
    (found,) = plateau.find(facts(curves=still), CATALOGUE)
    assert [item.claim for item in found.evidence[1:]] == ["lr is 0 in every step"]


def test_a_term_of_the_loss_that_becomes_nan_counts_only_where_the_whole_is_not_printed() -> None:
    part = curve("box_loss", "loss_part", [1.0] * 10 + [float("nan")] * 10)
    (match,) = nonfinite.find(facts(curves=[part]), CATALOGUE)
    assert match.mode == "nan/loss-nonfinite"
    assert list(nonfinite.find(facts(curves=[part, loss([1.0] * 20)]), CATALOGUE)) == []


def test_a_loss_printed_in_terms_is_cited_by_the_term_that_shows_it_most() -> None:
    terms = [
        curve("box_loss", "loss_part", [2.0 - i / 40 for i in range(30)] + [12.0] * 15),
        curve("cls_loss", "loss_part", [3.0 - i / 40 for i in range(30)] + [60.0] * 15),
    ]
    (found,) = divergence.find(facts(curves=terms), CATALOGUE)
    assert (found.captures["metric"], found.step) == ("cls_loss", 31)
    whole = loss([5.0 - i / 20 for i in range(45)])
    assert list(divergence.find(facts(curves=[*terms, whole]), CATALOGUE)) == []


def test_a_term_of_an_evaluation_that_becomes_nan_counts_where_its_whole_is_not_printed() -> None:
    part = curve("val/box_loss", "eval_loss_part", [1.0] * 10 + [float("nan")] * 10)
    (found,) = nonfinite.find(facts(curves=[part]), CATALOGUE)
    assert found.rule == "series/nonfinite-eval_loss_part"
    judged = curve("val_loss", "eval_loss", [1.0] * 20)
    assert list(nonfinite.find(facts(curves=[part, judged]), CATALOGUE)) == []


def test_a_loss_of_which_no_value_that_was_read_is_finite_is_told_without_saying_when_that_began() -> None:
    (match,) = nonfinite.find(facts(curves=[loss([math.nan] * 30)]), CATALOGUE)
    assert match.mode == "nan/loss-nonfinite"
    assert match.title == "loss is NaN"
    assert "became" not in match.evidence[0].claim
    assert match.evidence[0].citation.first_line == 1


def test_a_loss_that_is_level_where_only_the_end_of_its_log_was_read_may_have_learnt_before() -> None:
    level = [loss([2.302585] * N)]
    read = Read(artifact=Artifact(path="train.log", kind="log"), bytes_read=1, cut="only the last 400 lines were read")
    whole = facts(curves=level)
    tail = replace(whole, options=Options(last=400), reads=(read,))
    assert [match.mode for match in plateau.find(whole, CATALOGUE)] == ["div/plateau-not-learning"]
    assert list(plateau.find(tail, CATALOGUE)) == []


def test_a_loss_that_is_higher_where_the_steps_begin_again_is_of_another_run() -> None:
    levels = [0.7, 1.1, 1.3, 2.2, 1.5, 0.7, 1.1]
    values = [level - step / 1000 for level in levels for step in range(5)]
    sweep = loss(values)
    again = replace(sweep, points=tuple(replace(p, step=float(at % 5)) for at, p in enumerate(sweep.points)))
    assert [match.mode for match in divergence.find(facts(curves=[sweep]), CATALOGUE)] == ["div/lr-too-high"]
    assert list(divergence.find(facts(curves=[again]), CATALOGUE)) == []


def test_a_loss_beside_which_other_scores_stand_from_then_on_is_of_another_model() -> None:
    both = loss([0.8, 0.75, 0.7, 0.68, 0.66, 0.64, *[1.2e13, 1.25e13, 1.21e13] * 4])
    accuracy, error = (curve(name, "metric", [0.5] * 6) for name in ("accuracy", "mae"))
    moved = replace(error, points=tuple(replace(p, line=p.line + 6) for p in error.points))
    assert [m.rule for m in divergence.find(facts(curves=[both, accuracy]), CATALOGUE)] == ["series/divergence"]
    assert list(divergence.find(facts(curves=[both, accuracy, moved]), CATALOGUE)) == []


def test_a_loss_of_another_phase_that_starts_higher_has_forgotten_nothing() -> None:
    first = [0.5 + 1.1 * math.exp(-step / 6) for step in range(20)]
    values = [*first, *(3.9 - step / 40 for step in range(20))]
    phases = loss(values)
    again = replace(phases, points=tuple(replace(p, step=float(at % 20 + 1)) for at, p in enumerate(phases.points)))
    assert [match.mode for match in divergence.find(facts(curves=[phases]), CATALOGUE)] == [
        "div/loss-spike-unrecovered"
    ]
    assert list(divergence.find(facts(curves=[again]), CATALOGUE)) == []


def test_an_evaluation_that_is_higher_in_a_later_run_is_no_overfitting() -> None:
    trained, judged = loss([4.0 / (at + 1) for at in range(20)]), [2.0, 1.0, 0.5, 0.2, 0.1, *[3.0, 2.9, 2.8, 2.7, 2.6]]
    measured = curve("val_loss", "eval_loss", judged)
    again = replace(measured, points=tuple(replace(p, step=float(at % 5 + 1)) for at, p in enumerate(measured.points)))
    assert [m.mode for m in overfitting.find(facts(curves=[trained, measured]), CATALOGUE)] == ["div/overfitting"]
    assert list(overfitting.find(facts(curves=[trained, again]), CATALOGUE)) == []


def test_a_bar_that_is_refreshed_with_an_old_value_is_no_plateau() -> None:
    still = loss([15.976125] * 14)
    bar = replace(still, points=tuple(replace(p, step=float(at), line=5) for at, p in enumerate(still.points)))
    assert [match.mode for match in plateau.find(facts(curves=[still]), CATALOGUE)] == ["div/plateau-not-learning"]
    assert list(plateau.find(facts(curves=[bar]), CATALOGUE)) == []
