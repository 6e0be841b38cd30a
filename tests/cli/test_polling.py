"""Waiting for a cloud job ends when the job does."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from runtriage.cli.polling import until_ended
from runtriage.cli.spellings import targets_of
from runtriage.targets.errors import TargetError

TARGET = ["vertex:train-1"]


def report(state: str, cause: str | None = None) -> Any:
    return SimpleNamespace(platform_state=state, primary_cause=cause, routed=None, run_status="unknown")


def run(routed: str | None, status: str = "unknown", cause: str | None = None) -> Any:
    return SimpleNamespace(platform_state=None, primary_cause=cause, routed=routed, run_status=status)


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


@pytest.mark.parametrize(
    "target", ["pid:9", "proc:x", "k8s:c/n/pod/p", "slurm:1", "ray:j", "mlflow:r", "wandb:a/b/c", "sky:j"]
)
def test_any_live_target_is_asked_until_it_has_ended_where_that_is_wished(target: str) -> None:
    answers = iter([run("pending"), run("running", "running"), run("completed", "completed")])
    pauses: list[float] = []
    last = until_ended(lambda: next(answers), [target], 5, once=False, pause=pauses.append)
    assert (last.routed, pauses) == ("completed", [5, 5])
    until_ended(lambda: run("running"), [target], None, once=False, pause=pauses.append)
    until_ended(lambda: run("running"), [target], 5, once=True, pause=pauses.append)
    assert pauses == [5, 5]


def test_a_target_that_a_command_opens_itself_can_be_waited_for_too() -> None:
    answers = iter([run("running"), run(None, "crashed", "oom")])
    assert (
        until_ended(lambda: next(answers), [], 5, once=False, opened=True, pause=lambda _: None).primary_cause == "oom"
    )


def test_what_is_gone_at_the_next_look_leaves_the_last_report(capsys: pytest.CaptureFixture[str]) -> None:
    answers = iter([run("running")])

    def ask() -> Any:
        found = next(answers, None)
        if found is None:
            raise TargetError("pid:9: no such process", 3)
        return found

    assert until_ended(ask, ["pid:9"], 5, once=False, pause=lambda _: None).routed == "running"
    assert "pid:9: no such process; this is the last that was seen" in capsys.readouterr().err


def test_a_file_is_read_once_and_the_way_to_follow_it_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    until_ended(lambda: run("running"), ["train.log"], 5, once=False)
    assert "runtriage watch train.log" in capsys.readouterr().err
