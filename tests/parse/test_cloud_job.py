"""Records of training jobs that cloud services keep."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from runtriage.api.diagnosis import diagnose


def said(tmp_path: Path, document: object) -> tuple[str | None, str | None, str]:
    path = tmp_path / "describe-jobs.json"
    path.write_text(json.dumps(document, indent=2), encoding="utf-8")
    report = diagnose(str(path))
    return report.primary_cause, report.failure_mode, report.run_status


def batch(reason: str, attempts: list[object] | None = None, status: str = "FAILED") -> object:
    job = {"jobName": "tok", "jobId": "a1", "jobQueue": "q", "status": status, "statusReason": reason}
    return {"jobs": [{**job, "attempts": attempts or []}]}


@pytest.mark.parametrize(
    ("document", "mode"),
    [
        (batch("Host EC2 (instance i-0ab) terminated."), "crash/spot-reclaim"),
        (
            batch(
                "Essential container in task exited",
                [{"container": {"exitCode": 137, "reason": "OutOfMemoryError: Container killed due to memory usage"}}],
            ),
            "oom/managed-replica",
        ),
        (batch("Job attempt duration exceeded timeout"), "orch/time-limit"),
        (
            {"TrainingJobName": "ft", "TrainingJobStatus": "Stopped", "SecondaryStatus": "MaxRuntimeExceeded"},
            "orch/time-limit",
        ),
        (
            {
                "TrainingJobName": "ft",
                "TrainingJobStatus": "Failed",
                "SecondaryStatus": "Failed",
                "FailureReason": "CapacityError: Unable to provision requested ML compute capacity. Please retry using a different ML instance type.",
            },
            "quota/aws-capacity",
        ),
    ],
)
def test_what_a_service_says_of_a_job_is_its_cause(tmp_path: Path, document: object, mode: str) -> None:
    assert said(tmp_path, document)[1:] == (mode, "crashed")


def test_a_job_that_succeeded_has_no_cause(tmp_path: Path) -> None:
    assert said(tmp_path, batch("Essential container in task exited", status="SUCCEEDED")) == (None, None, "completed")


def test_a_list_of_several_jobs_says_of_none_how_it_ended(tmp_path: Path) -> None:
    jobs = {"jobs": [{"jobId": "a", "status": "FAILED", "jobQueue": "q"}, {"jobId": "b", "status": "SUCCEEDED"}]}
    assert said(tmp_path, jobs) == (None, None, "unknown")


AZURE = {
    "$schema": "https://azuremlschemas.azureedge.net/latest/commandJob.schema.json",
    "display_name": "sft",
    "name": "brave_fox_7",
    "type": "command",
}


@pytest.mark.parametrize(
    ("code", "message", "mode"),
    [
        ("UserError", "Process exited with status code 1. KeyError: 'pixel_values'", "crash/exit-no-error"),
        ("UserError", "The job was killed: the node ran out of memory, OOM", "oom/managed-replica"),
        (
            "UserError",
            "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 79.10 GiB of which 1.00 GiB is free.",
            "oom/gpu-alloc",
        ),
    ],
)
def test_an_azure_job_that_failed_is_read_by_its_error(tmp_path: Path, code: str, message: str, mode: str) -> None:
    error = {"code": code, "message": message}
    for document in (
        {**AZURE, "status": "Failed", "error": error},
        {**AZURE, "status": "Failed", "error": {"error": error}},
        {
            "id": "/providers/Microsoft.MachineLearningServices/workspaces/w/jobs/j",
            "properties": {"status": "Failed", "error": error},
        },
    ):
        assert said(tmp_path, document)[1:] == (mode, "crashed")


@pytest.mark.parametrize(("status", "run_status"), [("Running", "running"), ("Completed", "completed")])
def test_an_azure_job_that_did_not_fail_has_no_cause(tmp_path: Path, status: str, run_status: str) -> None:
    assert said(tmp_path, {**AZURE, "status": status}) == (None, None, run_status)


def test_an_azure_job_that_was_cancelled_is_no_crash_of_its_own(tmp_path: Path) -> None:
    assert said(tmp_path, {**AZURE, "status": "Canceled"})[1] in (None, "orch/user-cancel")
