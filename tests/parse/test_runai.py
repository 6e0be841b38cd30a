"""Answers of the Run:ai tools as states."""

from __future__ import annotations

import json
from typing import Any

import pytest

from runtriage.model.raw import RawEvent
from tests.parse.documents import parsed
from tests.servers.runai_build import event, peak, pod, record, run, submitted

pytestmark = pytest.mark.usefixtures("untouched_world")


def read(document: dict[str, Any]) -> list[RawEvent]:
    return list(parsed("answer.json", "record", json.dumps(document).encode()).events)


def said(event_: RawEvent) -> dict[str, str]:
    return {name: text.raw for name, text in event_.captures.items()}


def test_a_status_tells_who_is_meant_and_why_it_ended() -> None:
    phase, condition, happened = read(run(1, "Failed", "OOMKilled", "killed with exit code 137").status)
    assert said(phase) | {"state": "Failed", "called": "job", "project": "vision"} == said(phase)
    assert (condition.name, said(condition)["reason"]) == ("runai/condition", "OOMKilled")
    assert (happened.name, happened.numbers["code"]) == ("runai/event", 137.0)


def test_events_that_were_not_fetched_are_a_state_of_their_own() -> None:
    assert [item.name for item in read(run(1, "Failed", events=None).status)] == ["runai/phase", "runai/events-missing"]
    assert [item.name for item in read(run(1, "Failed", events=[]).status)] == ["runai/phase"]


def test_a_condition_that_does_not_hold_says_nothing() -> None:
    off = {"type": "Ready", "status": "False", "reason": "OOMKilled", "message": "x"}
    assert [item.name for item in read(run(1, "Failed", events=[], conditions=[off]).status)] == ["runai/phase"]


@pytest.mark.parametrize(
    "spec",
    [
        submitted("16Gi", "8Gi", "OnFailure"),
        {
            "image": "registry.test/vision/fit:4",
            "compute": {"cpuMemoryRequest": "8Gi", "cpuMemoryLimit": "16Gi"},
            "restartPolicy": "OnFailure",
        },
    ],
)
def test_both_ways_to_write_a_setting_are_understood(spec: dict[str, Any]) -> None:
    (found,) = read({"workloadId": "w", "spec": spec})
    told = said(found)
    assert (told["request"], told["limit"], told["restart"]) == ("8Gi", "16Gi", "OnFailure")
    assert told["image"] == "registry.test/vision/fit:4"


def test_mounts_are_told_by_the_name_of_what_is_mounted() -> None:
    storage = {"pvc": {"items": {"data": {"value": {"claimName": "shards"}}}}, "nfs": [{"path": "/exports/a"}]}
    (found,) = read({"workloadId": "w", "spec": {"storage": storage}})
    assert said(found)["mounts"] == "shards, /exports/a"


def test_environment_values_of_a_spec_are_never_taken() -> None:
    (found,) = read({"workloadId": "w", "spec": {"environmentVariables": [{"name": "KEY", "value": "v-secret"}]}})
    assert "v-secret" not in str(said(found))


def test_a_pod_tells_its_memory_and_its_highest_sample() -> None:
    state, top = read({"workloadId": "w", "pods": [pod("Running") | {"measurements": peak(5, 9, 7)}]})
    assert said(state)["limit"] == "16Gi"
    assert (top.numbers["bytes"], top.numbers["samples"]) == (9.0, 3.0)


def test_text_of_the_program_itself_is_not_the_platform_speaking() -> None:
    records = [record("ApplicationLog", "preempted by nobody"), record("X", "was preempted", source="application")]
    assert read({"workloadId": "w", "records": records, "next": None}) == []


def test_a_word_after_pod_is_a_name_only_when_it_looks_like_one() -> None:
    status = run(1, "Failed", events=[event("A", "the pod of the workload"), event("B", "Pod job-0 failed")]).status
    assert [item.subject.pod for item in read(status)[1:]] == [None, "job-0"]


@pytest.mark.parametrize("document", [{}, {"pods": 7}, {"records": [1, None]}, {"phase": 3, "id": []}, {"spec": [[]]}])
def test_documents_of_another_shape_break_nothing(document: dict[str, Any]) -> None:
    read({"workloadId": "w", **document})
