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
