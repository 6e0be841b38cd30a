"""Waiting for a cloud job ends when the job does."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from runtriage.cli.polling import until_ended
from runtriage.cli.spellings import targets_of

TARGET = ["vertex:train-1"]


def report(state: str, cause: str | None = None) -> Any:
    return SimpleNamespace(platform_lines=["Pipeline: x", f"Pipeline state: {state}"], primary_cause=cause)


def test_a_job_is_asked_again_until_it_has_ended() -> None:
    answers = iter([report("PENDING"), report("RUNNING"), report("FAILED", "oom"), report("FAILED")])
    pauses: list[float] = []
    last = until_ended(lambda: next(answers), TARGET, 60, once=False, pause=pauses.append)
    assert (last.primary_cause, pauses) == ("oom", [60, 60])


def test_once_never_waits_and_other_targets_are_asked_once() -> None:
    pauses: list[float] = []
    until_ended(lambda: report("RUNNING"), TARGET, 60, once=True, pause=pauses.append)
    until_ended(lambda: report("RUNNING"), ["train.log"], 60, once=False, pause=pauses.append)
    assert pauses == []


def test_a_failure_seen_in_a_running_pipeline_ends_the_waiting() -> None:
    assert until_ended(lambda: report("RUNNING", "oom"), TARGET, 60, once=False).primary_cause == "oom"


def test_project_and_region_become_part_of_the_target() -> None:
    assert targets_of(None, vertex="9", project="p") == ["vertex:projects/p/locations/us-central1/pipelineJobs/9"]
    assert targets_of(None, vertex="9", region="r") == ["vertex:locations/r/pipelineJobs/9"]
    assert targets_of(None, vertex="projects/p/locations/r/pipelineJobs/9", project="q") == [
        "vertex:projects/p/locations/r/pipelineJobs/9"
    ]
