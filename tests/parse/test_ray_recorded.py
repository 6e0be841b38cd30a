"""What a real Ray 2.60 recorded of jobs that failed: the driver's log, in which workers' lines arrive after the driver's own last words."""

from __future__ import annotations

import json
from pathlib import Path

import runtriage

RECORDED = Path(__file__).parent / "ray"
ACTOR = {
    "ray_actors": [
        {
            "class_name": "Trainer",
            "state": "DEAD",
            "pid": 22132,
            "death_cause": {
                "actor_died_error_context": {
                    "error_message": "The actor is dead because its worker process has died. Worker exit type: SYSTEM_ERROR Worker exit "
                    "detail: Worker unexpectedly exits with a connection error code 2. End of file. Some common causes include: (1) the "
                    "process was killed by the OOM killer due to high memory usage, (2) ray stop --force was called, or (3) the worker "
                    "crashed unexpectedly due to SIGSEGV or another unexpected error.",
                    "reason": "WORKER_DIED",
                }
            },
        }
    ]
}


def test_lines_of_workers_that_arrive_after_the_drivers_exception_are_no_progress_after_it() -> None:
    report = runtriage.diagnose(str(RECORDED / "job-driver-raises.log"))
    assert (report.run_status, report.primary_cause, report.last_progress.step) == ("crashed", "data-pipeline", 3)
    assert report.root_evidence is not None and report.root_evidence.first_line == 24


def test_an_exception_that_the_driver_lived_through_is_progress_after_it(tmp_path: Path) -> None:
    lines = (RECORDED / "job-driver-raises.log").read_text().splitlines(keepends=True)
    more = [f"(fit pid=22133) step {step} loss 0.4\n" for step in range(4, 40)]
    log = tmp_path / "driver.log"
    log.write_text("".join([*lines, "trial 1 failed, going on with trial 2\n", *more, "trial 2 ended\n"]))
    assert runtriage.diagnose(str(log)).primary_cause != "data-pipeline"


def test_what_might_have_ended_an_actor_is_no_cause(tmp_path: Path) -> None:
    (tmp_path / "actors.json").write_text(json.dumps(ACTOR))
    (tmp_path / "driver.log").write_text((RECORDED / "job-driver-dies.log").read_text())
    report = runtriage.diagnose(str(tmp_path))
    assert (report.run_status, report.failure_mode) == ("crashed", "orch/ray-actor-died")


def test_the_end_of_the_log_that_a_saved_record_quotes_is_read(tmp_path: Path) -> None:
    log = (RECORDED / "job-driver-raises.log").read_text()
    record = {
        "submission_id": "raises",
        "entrypoint": "python t.py",
        "status": "FAILED",
        "message": f"Job entrypoint command failed with exit code 1, last available logs (truncated to 20,000 chars):\n{log}",
    }
    (tmp_path / "job.json").write_text(json.dumps(record))
    report = runtriage.diagnose(str(tmp_path / "job.json"))
    assert (report.run_status, report.primary_cause) == ("crashed", "data-pipeline")
    assert report.root_evidence is not None and report.root_evidence.artifact == "job.json!log"
