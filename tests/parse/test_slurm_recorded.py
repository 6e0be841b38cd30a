"""What a real Slurm 22.05 with accounting recorded of jobs that ended in seven ways: its tables, its job records and the jobs' output."""

from __future__ import annotations

from pathlib import Path

import pytest

import runtriage

RECORDED = Path(__file__).parent / "slurm"


@pytest.mark.parametrize(
    ("case", "status", "mode"),
    [
        ("exit-code", "crashed", "data/unhandled-exception"),
        ("segmentation-fault", "crashed", "crash/segv"),
        ("memory-by-polling", "crashed", "oom/slurm-step"),
        ("memory-by-cgroup", "crashed", "oom/slurm-step"),
        ("time-limit", "crashed", "orch/time-limit"),
        ("cancelled", "crashed", "orch/user-cancel"),
    ],
)
def test_each_end_is_told_from_what_was_recorded_of_it(case: str, status: str, mode: str) -> None:
    report = runtriage.diagnose(str(RECORDED / case))
    assert (report.run_status, report.failure_mode) == (status, mode)


def test_a_job_that_was_requeued_and_ended_well_is_no_failure() -> None:
    report = runtriage.diagnose(str(RECORDED / "requeued"))
    assert report.run_status in ("completed", "recovered")
    assert report.primary_cause is None


@pytest.mark.parametrize("case", ["time-limit", "cancelled", "memory-by-cgroup", "memory-by-polling"])
def test_accounting_alone_tells_the_end(case: str) -> None:
    whole = runtriage.diagnose(str(RECORDED / case))
    alone = runtriage.diagnose(str(RECORDED / case / "sacct.txt"))
    assert alone.primary_cause == whole.primary_cause
