from __future__ import annotations

import math
import random

from msgspec.structs import replace

from runtriage.api.compare import Difference, Side, compare, curves_of
from runtriage.api.compare_series import parting, rising, step_seconds
from tests.render.build import report


def noisy(seed: int, count: int = 200, jump: int | None = None) -> list[tuple[float, float]]:
    chance = random.Random(seed)
    return [
        (float(step), 5 / (1 + step / 20) + chance.gauss(0, 0.05) + (4 if jump is not None and step >= jump else 0))
        for step in range(count)
    ]


def test_curves_that_differ_by_noise_do_not_part() -> None:
    assert all(parting(noisy(seed), noisy(seed + 100)) is None for seed in range(20))


def test_curves_part_where_the_difference_begins() -> None:
    found = parting(noisy(1), noisy(2, jump=120))
    assert found is not None
    assert found[0] == 120


def test_one_step_apart_is_no_parting() -> None:
    spiked = noisy(1)
    spiked[50] = (50.0, 99.0)
    assert parting(noisy(1), spiked) is None


def test_a_value_that_is_no_number_parts_at_once() -> None:
    broken = noisy(1)
    broken[50] = (50.0, math.nan)
    found = parting(noisy(1), broken)
    assert found is not None
    assert (found[0], math.isnan(found[2])) == (50, True)
    assert parting(broken, broken) is None


def test_steps_that_only_one_curve_prints_are_read_between_its_neighbours() -> None:
    sparse = [(0.0, 0.0), (100.0, 100.0)]
    dense = [(float(step), float(step)) for step in range(0, 200, 5)]
    assert parting(dense, sparse) is None
    assert parting([(500.0, 1.0)], sparse) is None


def test_a_step_printed_again_after_a_resume_counts_once() -> None:
    assert rising([(1, 5.0), (2, 4.0), (1, 9.0), (3, None)])[0] == (1, 9.0)


def test_settings_and_surroundings_are_told_apart() -> None:
    a = Side(label="a", report=report(), settings={"lr": "1", "torch_version": "2.1", "seed": "3"})
    b = Side(
        label="b", report=report(framework="JAX"), settings={"lr": "2", "torch_version": "2.2", "seed": "3", "new": "x"}
    )
    found = compare(a, b)
    assert found.settings == [Difference("lr", "1", "2"), Difference("new", None, "x")]
    assert found.environment == [
        Difference("framework", "PyTorch FSDP", "JAX"),
        Difference("torch_version", "2.1", "2.2"),
    ]
    assert (found.same_settings, found.first, found.outcome) == (1, None, [])


def test_the_curve_of_the_lowest_rank_stands_for_a_metric() -> None:
    found = curves_of([("loss", 3, [(0.0, 3.0)]), ("loss", 0, [(0.0, 0.0)]), ("loss", None, [(0.0, 9.0)])])
    assert found == {"loss": [(0.0, 9.0)]}


def test_a_curve_that_rises_by_orders_parts_where_it_leaves_the_other() -> None:
    rising_curve = [(float(step), 9 * 1.96**step) for step in range(1, 40)]
    falling_curve = [(float(step), 9 * 0.64**step) for step in range(1, 100)]
    found = parting(rising_curve, falling_curve)
    assert found is not None
    assert found[0] == 1


def test_the_pace_of_a_run_that_stood_for_long_is_that_of_its_steps() -> None:
    steady = [(float(step), 5.0 * step) for step in range(60)]
    assert step_seconds([[*steady, (60.0, 2100.0)]]) == 5.0
    assert step_seconds([[(1.0, None), (2.0, None)], []]) is None
    sides = [Side(label=name, report=report(), step_seconds=pace) for name, pace in (("a", 5.0), ("b", 7.0))]
    assert compare(*sides).timing == [Difference("median seconds a step", "5", "7")]


def test_a_run_that_ended_well_has_no_cause_where_one_that_is_not_known_says_none() -> None:
    good = replace(report(), primary_cause=None, failure_mode=None, run_status="completed")
    found = {
        item.name: item for item in compare(Side(label="a", report=report()), Side(label="b", report=good)).outcome
    }
    assert found["cause"].b == found["failure mode"].b == found["root cause"].b == "none"
    unknown = replace(good, abstained="nothing says how it ended")
    found = {
        item.name: item for item in compare(Side(label="a", report=report()), Side(label="b", report=unknown)).outcome
    }
    assert found["cause"].b is None
