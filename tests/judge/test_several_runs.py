"""Logs that were given as one run and look like several."""

from __future__ import annotations

from msgspec.structs import replace

from runtriage.judge.several_runs import different_runs
from runtriage.model.facts import RankProgress
from runtriage.model.subject import Subject
from runtriage.model.time import Instant
from tests.judge.build import facts, finish, progress

HOUR = 3600.0


def log(name: str, steps: tuple[int, int], hours: tuple[float, float], subject: Subject | None = None) -> RankProgress:
    first, last = (Instant(text="t", seconds=hour * HOUR, clock=name) for hour in hours)
    entry = replace(progress(steps[1], 40, artifact=name), first_step=steps[0], progress_lines=40)
    return replace(entry, first_progress_time=first, last_progress_time=last, subject=subject or Subject())


A, B = log("a.log", (1, 40), (0, 1)), log("b.log", (1, 90), (2, 3))
DONE = finish(50, "a.log")


def test_a_log_that_begins_anew_behind_one_that_completed_is_another_run() -> None:
    assert different_runs(facts(entries=(B, A), events=(DONE,))) == ("a.log", "b.log")


def test_what_may_be_one_run_is_not_called_several() -> None:
    resumed = log("b.log", (41, 90), (2, 3))
    beside = log("b.log", (1, 90), (0.5, 3))
    ranks = [log(f"{rank}.log", (1, 40), (rank * 2, rank * 2 + 1), Subject(rank=rank)) for rank in (0, 1)]
    assert different_runs(facts(entries=(A, B))) == ()
    assert different_runs(facts(entries=(A, resumed), events=(DONE,))) == ()
    assert different_runs(facts(entries=(A, beside), events=(DONE,))) == ()
    assert different_runs(facts(entries=tuple(ranks), events=(finish(50, "0.log"),))) == ()
    assert different_runs(facts(entries=(A,), events=(DONE,))) == ()
