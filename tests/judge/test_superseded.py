"""A job that was stopped, and of which a later log goes on."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from runtriage.judge.superseded import superseded
from runtriage.model.facts import RankProgress
from runtriage.model.time import Instant
from tests.judge.build import match, progress

HOUR = 3600.0
STOPPED = match("orch/preempted", 15, artifact="previous.log", tier="scheduler")


def log(name: str, steps: tuple[int, int], hours: tuple[float, float], *, zoned: bool = False) -> RankProgress:
    first, last = (Instant(text="t", seconds=hour * HOUR, zoned=zoned, clock=name) for hour in hours)
    entry = progress(steps[1], 40, artifact=name)
    return replace(entry, first_step=steps[0], first_progress_time=first, last_progress_time=last)


BEFORE = log("previous.log", (100, 400), (0.0, 1.0))


@pytest.mark.parametrize(
    ("later", "expected"),
    [
        (log("train.log", (400, 900), (2.0, 3.0)), True),
        (log("train.log", (401, 900), (2.0, 3.0)), True),
        (log("train.log", (300, 500), (2.0, 3.0)), True),
        (log("train.log", (300, 390), (2.0, 3.0)), False),
        (log("other.log", (0, 900), (2.0, 3.0)), False),
        (log("other.log", (500, 900), (2.0, 3.0)), False),
        (log("rank1.log", (100, 400), (0.0, 1.0)), False),
        (log("train.log", (400, 900), (0.5, 3.0)), False),
    ],
)
def test_a_log_that_goes_on_from_where_another_came_to_supersedes_its_end(later: RankProgress, expected: bool) -> None:
    assert superseded(STOPPED, [BEFORE, later]) is expected


@pytest.mark.parametrize(
    ("hours", "zoned", "expected"), [(15.0, False, True), (13.0, False, False), (2.0, True, True), (0.5, True, False)]
)
def test_progress_long_after_a_record_outlives_it_in_any_zone(hours: float, zoned: bool, expected: bool) -> None:
    killed = replace(STOPPED, mode="oom/k8s-oomkilled", start=Instant(text="t", seconds=0.0, zoned=True, clock="k8s"))
    entry = log("master.log", (1, 90), (-1.0, hours), zoned=zoned)
    assert superseded(killed, [entry]) is expected
