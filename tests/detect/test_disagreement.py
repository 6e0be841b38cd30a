from __future__ import annotations

import json
from pathlib import Path

import pytest

import runtriage

SACCT = "JobIDRaw|JobID|JobName|State|ExitCode|Elapsed|NodeList\n7|7|fit|{state}|{code}|00:10:00|vm1\n"
MLFLOW = {
    "run": {
        "info": {
            "run_id": "a" * 32,
            "run_name": "bold-owl",
            "status": "FINISHED",
            "lifecycle_stage": "active",
            "end_time": 1_767_225_600_000,
        },
        "data": {"metrics": [], "params": []},
    }
}
TRACE = 'step 3 loss 1.0\nTraceback (most recent call last):\n  File "t.py", line 1, in <module>\nValueError: label 12 is bad\n'


@pytest.fixture
def records(tmp_path: Path):
    """Lay down what the systems recorded, and what the run printed."""

    def lay(status: str, state: str, code: str, log: str = "") -> str:
        MLFLOW["run"]["info"]["status"] = status
        (tmp_path / "run.json").write_text(json.dumps(MLFLOW))
        (tmp_path / "sacct.txt").write_text(SACCT.format(state=state, code=code))
        if log:
            (tmp_path / "train.log").write_text(log)
        return str(tmp_path)

    return lay


def test_a_tracker_that_says_finished_where_the_scheduler_says_failed_lowers_the_confidence_and_is_said(
    records,
) -> None:
    alone = runtriage.diagnose(records("FAILED", "FAILED", "1:0"))
    report = runtriage.diagnose(records("FINISHED", "FAILED", "1:0"))
    assert (report.run_status, alone.run_status) == ("crashed", "crashed")
    assert report.confidence_score < alone.confidence_score
    assert any("contradicted" in text for item in report.hypotheses for text in item.contradicts)
    assert report.platform_lines == [
        "Records disagree: MLflow says FINISHED; Slurm says FAILED; what was read shows the run crashed"
    ]
    cited = {item.citation.artifact for item in report.evidence}
    assert cited == {"run.json", "sacct.txt"}


def test_what_the_run_itself_printed_stands_firmer_against_a_tracker_than_a_record_does(records) -> None:
    report = runtriage.diagnose(records("FINISHED", "FAILED", "1:0", TRACE))
    assert (report.run_status, report.primary_cause) == ("crashed", "data-pipeline")
    assert report.confidence_score > 0.5
    assert any("contradicted" in text for text in report.hypotheses[0].contradicts)


def test_a_run_that_completed_in_every_record_but_one_is_doubted_and_both_are_cited(records) -> None:
    log = "step 3 loss 1.0\nstep 4 loss 0.9\nTraining completed successfully\n"
    sure = runtriage.diagnose(records("FINISHED", "COMPLETED", "0:0", log))
    doubted = runtriage.diagnose(records("FINISHED", "FAILED", "1:0", log))
    assert (sure.run_status, doubted.run_status) == ("completed", "completed")
    assert doubted.confidence_score < sure.confidence_score
    assert any("sacct.txt" in item.citation.artifact for item in doubted.evidence)
    assert doubted.platform_lines[0].startswith("Records disagree: MLflow says FINISHED; Slurm says FAILED")


def test_records_that_agree_say_nothing_of_it(records) -> None:
    report = runtriage.diagnose(records("FAILED", "FAILED", "1:0"))
    assert report.platform_lines == []
    assert not any("contradicted" in text for item in report.hypotheses for text in item.contradicts)


def test_an_exit_code_other_than_zero_denies_a_tracker(tmp_path: Path) -> None:
    MLFLOW["run"]["info"]["status"] = "FINISHED"
    (tmp_path / "run.json").write_text(json.dumps(MLFLOW))
    (tmp_path / "run-record.json").write_text(
        json.dumps({"schema": "runtriage.run/1", "command": "python t.py", "exit_code": 3})
    )
    report = runtriage.diagnose(str(tmp_path))
    assert report.run_status == "crashed"
    assert any("contradicted" in text for item in report.hypotheses for text in item.contradicts)
