from __future__ import annotations

import json

import pytest

from runtriage.model.artifact import Artifact
from runtriage.model.raw import RawEvent
from runtriage.parse import recognise
from tests.parse.documents import parsed

pytestmark = pytest.mark.usefixtures("untouched_world")

SACCT = b"""JobID|JobName|State|ExitCode|DerivedExitCode|Reason|Elapsed|Timelimit|MaxRSS|ReqMem|NodeList|WorkDir
7|fit|FAILED|3:0|0:0|None|00:00:01|01:00:00||300M|vm1|/srv
7.batch|batch|OUT_OF_MEMORY|0:125|||00:00:01||||vm1|
"""
ALIGNED = b"""JobID           JobName      State ExitCode        NodeList
------------ ---------- ---------- -------- ---------------
9                   fit  NODE_FAIL      1:0       x[101-104]
"""
SCONTROL = b"""NodeName=x103 Arch=x86_64 CoresPerSocket=48
   State=DOWN*+NOT_RESPONDING ThreadsPerCore=1 TmpDisk=0
   Reason=Not responding [slurm@2026-01-01T00:00:00]
"""


def texts(event: RawEvent) -> dict[str, str]:
    return {key: value.raw for key, value in event.captures.items()}


def read(path: str, value: object) -> list[RawEvent]:
    return parsed(path, "record", json.dumps(value).encode()).events


def test_text_a_program_wrote_is_not_the_platform_speaking() -> None:
    record = {
        "spec": {"event": {"reason": "ApplicationLog", "message": "category is OOM_KILLED", "source": "application"}}
    }
    assert read("history.json", {"workloadId": "w", "records": [record]}) == []


def test_an_exit_code_and_a_pod_in_a_sentence_are_taken_from_it() -> None:
    event = {"reason": "ExitedWithCode", "message": "Pod: team.fit-worker-0 exited with code 137", "source": "kubelet"}
    (found,) = read("history.json", {"workloadId": "w", "records": [{"spec": {"event": event}}]})
    assert (found.subject.pod, dict(found.numbers)) == ("fit-worker-0", {"code": 137.0})


def test_a_workload_pod_has_its_phase_its_node_and_its_largest_memory_sample() -> None:
    values = [
        {"value": "10", "timestamp": "2026-01-01T00:00:00Z"},
        {"value": "30", "timestamp": "2026-01-01T00:01:00Z"},
    ]
    pod = {
        "name": "a-0",
        "nodeName": "n1",
        "k8sPhase": "OOMKilled",
        "requestedResources": {"cpuMemory": {"request": "1Gi", "limit": "2Gi"}},
        "measurements": [{"type": "CPU_MEMORY_USAGE_BYTES", "values": values}],
    }
    phase, peak = read("pods.json", {"workloadId": "w", "pods": [pod]})
    assert phase.citation.pointer == "/pods/0/k8sPhase"
    assert (peak.numbers["bytes"], texts(peak)["limit"]) == (30.0, "2Gi")


def test_no_memory_sample_is_no_peak() -> None:
    empty = b'{"workloadId": "w", "measurements": [{"type": "CPU_MEMORY_USAGE_BYTES", "values": []}]}'
    assert parsed("metrics.json", "record", empty).events == []


def test_a_list_of_workloads_says_nothing_of_the_one_that_is_meant() -> None:
    (candidate,) = read("list.json", {"workloads": [{"id": "w", "phase": "Failed", "phaseUpdatedAt": "x"}]})
    assert candidate.name == "runai/candidate"


def test_jobs_and_steps_of_an_accounting_table_are_told_apart() -> None:
    job, step = parsed("sacct.txt", "slurm", SACCT).events
    assert (job.name, job.numbers["code"], job.subject.node) == ("slurm/job", 3.0, "vm1")
    assert (step.name, texts(step)["state"]) == ("slurm/step", "OUT_OF_MEMORY")
    assert step.citation.first_line == 3


def test_an_aligned_accounting_table_is_read_by_its_rule() -> None:
    (job,) = parsed("sacct.txt", "slurm", ALIGNED).events
    assert (texts(job)["state"], texts(job)["job"], job.subject.node) == ("NODE_FAIL", "9", None)


def test_exit_codes_are_not_taken_from_accounting_json() -> None:
    job = {
        "job_id": 1,
        "state": {"current": ["FAILED"], "reason": "None"},
        "exit_code": {"return_code": 0},
        "nodes": "n1",
    }
    (found,) = read("sacct.json", {"meta": {"Slurm": {"release": "23"}}, "jobs": [job]})
    assert (texts(found)["state"], dict(found.numbers)) == ("FAILED", {})
    assert found.citation.pointer == "/jobs/0/state/current/0"


def test_a_node_that_is_down_is_named() -> None:
    (node,) = parsed("scontrol.txt", "slurm", SCONTROL).events
    assert (node.subject.node, texts(node)["state"]) == ("x103", "DOWN*+NOT_RESPONDING")
    assert node.citation.first_line == 2


def test_a_queue_of_several_jobs_does_not_say_which_is_meant() -> None:
    def row(job: int) -> dict[str, object]:
        return {"job_id": job, "status": "FAILED", "schedule_state": "DONE", "failure_reason": "x"}

    assert len(read("queue.json", [row(1)])) == 1
    assert read("queue.json", [row(1), row(2)]) == []


def test_a_task_that_was_retried_and_ended_well_has_no_error() -> None:
    attempts = [{"state": "FAILED", "error": {"code": 9, "message": "exited"}}, {"state": "SUCCEEDED"}]
    task = {"taskId": "1", "taskName": "t", "state": "SUCCEEDED", "pipelineTaskStatus": attempts}
    job = {"state": "PIPELINE_STATE_SUCCEEDED", "jobDetail": {"taskDetails": [task]}}
    assert [event.name for event in read("job.json", job)] == ["vertex/job"]


def test_entries_of_a_log_come_in_order_of_time() -> None:
    def entry(when: str, text: str) -> dict[str, object]:
        return {"insertId": "i", "logName": "l", "timestamp": when, "severity": "ERROR", "textPayload": text}

    later, sooner = entry("2026-01-01T00:00:02Z", "b"), entry("2026-01-01T00:00:01Z", "a")
    assert [texts(event)["message"] for event in read("entries.json", [later, sooner])] == ["a", "b"]


def test_lines_with_an_object_each_stay_a_log() -> None:
    line = json.dumps({"insertId": "i", "logName": "l", "textPayload": "x"}).encode()
    claimed = recognise(Artifact(path="log.jsonl", kind="log"), line + b"\n" + line + b"\n")
    assert claimed is None or not claimed.id.startswith("vertex")


def test_a_search_with_several_runs_does_not_say_which_is_meant() -> None:
    run = {"info": {"run_uuid": "a", "status": "FAILED", "lifecycle_stage": "active"}}
    assert [texts(event)["state"] for event in read("runs.json", {"runs": [run]})] == ["FAILED"]
    assert read("runs.json", {"runs": [run, run]}) == []


def test_a_file_system_in_memory_is_told_from_a_disk() -> None:
    table = b"Filesystem Size Used Avail Use% Mounted on\n/dev/sda 9G 9G 0 100% /\ntmpfs 1G 1G 0 100% /scratch\n"
    assert [texts(event)["type"] for event in parsed("df.txt", "log", table).events] == ["disk", "pseudo"]
