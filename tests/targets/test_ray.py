"""A job of Ray through the dashboard: record, log, what died and why."""

from __future__ import annotations

from typing import Any

import pytest

import runtriage
from runtriage.targets.errors import TargetError
from runtriage.targets.grammar import parse
from runtriage.targets.ray import open_target
from tests.servers.answering import Asked, Status, answering

JOB = "raysubmit_abc"


def states(*found: dict[str, Any]):
    return lambda _: {"result": True, "data": {"result": {"result": list(found)}}}


def routes(status: str = "FAILED", **more: Any) -> dict[tuple[str, str], Any]:
    record = {
        "submission_id": JOB,
        "job_id": "01000000",
        "entrypoint": "python t.py",
        "status": status,
        "message": "Job entrypoint command failed with exit code 1",
    }
    return {
        ("GET", f"/api/jobs/{JOB}"): lambda _: {**record, "driver_exit_code": 1},
        ("GET", f"/api/jobs/{JOB}/logs"): lambda _: {"logs": more.get("log", "step 3 loss 1.0\n")},
        ("GET", "/api/v0/actors"): more.get("actors", states()),
        ("GET", "/api/v0/tasks"): more.get("tasks", states()),
        ("GET", "/api/v0/nodes"): more.get("nodes", states()),
    }


def diagnose(found: dict[tuple[str, str], Any]):
    with answering(found) as server:
        report = runtriage.diagnose(f"ray:{server.url}/{JOB}")
    return report, server


def test_the_error_in_the_log_is_the_root_and_the_jobs_state_its_consequence() -> None:
    log = 'step 3 loss 1.0\nTraceback (most recent call last):\n  File "t.py", line 1, in <module>\nValueError: label 12 is bad\n'
    report, server = diagnose(routes(log=log))
    assert (report.run_status, report.primary_cause) == ("crashed", "data-pipeline")
    assert not server.refused
    asked = next(each for each in server.asked if each.path == "/api/v0/actors")
    assert asked.params["filter_values"] == "DEAD"


def test_an_actor_killed_for_memory_is_an_oom_and_one_that_was_ended_on_purpose_is_none() -> None:
    def dead(message: str) -> dict[str, Any]:
        return {
            "actor_id": "a",
            "state": "DEAD",
            "job_id": "01000000",
            "class_name": "W",
            "pid": 7,
            "death_cause": {"actor_died_error_context": {"error_message": message}},
        }

    killed = dead("The actor died because the node was running low on memory: OOM killer")
    ended = dead("The actor is dead because it was killed by `ray.kill()`.")
    report, _ = diagnose(routes(actors=states(ended, killed)))
    assert report.primary_cause == "oom"
    fine, _ = diagnose(routes("SUCCEEDED", actors=states(ended)))
    assert (fine.run_status, fine.primary_cause) == ("completed", None)


def test_actors_of_other_jobs_say_nothing() -> None:
    other = {"state": "DEAD", "job_id": "02000000", "death_cause": {"x": {"error_message": "OOM"}}}
    report, _ = diagnose(routes(actors=states(other)))
    assert report.primary_cause != "oom"


def test_a_state_api_that_is_away_leaves_the_job_alone() -> None:
    def refuse(_: Asked) -> None:
        raise Status(404)

    report, _ = diagnose(routes(actors=refuse, tasks=refuse, nodes=refuse))
    assert report.run_status == "crashed"
    assert any("404" in item for item in report.coverage.not_seen)


def test_a_job_that_is_not_there_and_a_word_that_is_none_have_their_exit_codes() -> None:
    with answering({}) as server, pytest.raises(TargetError) as missing:
        open_target(parse(f"ray:{server.url}/{JOB}"), {})
    with pytest.raises(TargetError) as wrong:
        open_target(parse("ray:a b"), {})
    assert (missing.value.code, wrong.value.code) == (3, 2)
