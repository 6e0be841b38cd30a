"""Jobs of a real Slurm whose ends a real accounting database keeps."""

from __future__ import annotations

from collections.abc import Generator

import pytest

import runtriage
from tests.servers.slurmd import ACCOUNTING, Slurm, cgroups_missing, missing, slurm

pytestmark = [
    pytest.mark.server,
    pytest.mark.skipif(bool(missing(ACCOUNTING)), reason=f"not here: {', '.join(missing(ACCOUNTING))}"),
]
HOARD = "exec python3 -c 'import time\nheld = []\nfor i in range(60): held.append(bytearray(b\"x\" * (10 << 20))); time.sleep(0.1)'"


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Generator[Slurm]:
    with slurm(tmp_path_factory.mktemp("slurm"), accounting=True) as running:
        yield running


@pytest.fixture(scope="module")
def slow(cluster: Slurm) -> str:
    """A job that outlives its limit of one minute, whose end is moved close: the controller looks only every half minute."""
    job = cluster.submit("echo step 1 loss 2; exec sleep 300", "--time=1", "--mem=50")
    cluster.wait(job, "RUNNING")
    cluster.run("scontrol", "update", f"JobId={job}", "EndTime=now+2seconds")
    return job


@pytest.fixture(autouse=True)
def pointed(cluster: Slurm, slow: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SLURM_CONF", str(cluster.conf))


def test_an_exit_code_is_told_by_accounting_and_explained_by_the_output(cluster: Slurm) -> None:
    job = cluster.submit("echo step 3 loss 1.0\npython3 -c 'raise ValueError(\"label 12 is bad\")'\nexit 3", "--mem=50")
    table = cluster.recorded(job, "FAILED")
    assert "FAILED|3:0" in table
    report = runtriage.diagnose(f"slurm:{job}")
    assert (report.run_status, report.primary_cause) == ("crashed", "data-pipeline")
    read = {each.artifact for each in report.coverage.artifacts}
    assert read >= {"sacct.txt", "scontrol-job.txt", f"slurm-{job}.out"}
    assert not report.coverage.not_seen


def test_a_segmentation_fault_in_a_step_is_a_crash(cluster: Slurm) -> None:
    job = cluster.submit("srun python3 -c 'import os; os.kill(os.getpid(), 11)'", "--mem=50")
    cluster.recorded(job, "FAILED")
    report = runtriage.diagnose(f"slurm:{job}")
    assert (report.run_status, report.primary_cause) == ("crashed", "process-crash")
    assert report.failure_mode == "crash/segv"


def test_memory_that_polling_finds_exceeded_is_an_oom(cluster: Slurm) -> None:
    job = cluster.submit(HOARD, "--mem=80")
    cluster.recorded(job, "FAILED", "OUT_OF_MEMORY", "CANCELLED")
    assert runtriage.diagnose(f"slurm:{job}").primary_cause == "oom"


def test_a_cancelled_job_says_so(cluster: Slurm) -> None:
    job = cluster.submit("echo step 1 loss 2; exec sleep 60", "--mem=50")
    cluster.wait(job, "RUNNING")
    cluster.run("scancel", job)
    cluster.recorded(job, "CANCELLED")
    assert runtriage.diagnose(f"slurm:{job}").failure_mode == "orch/user-cancel"


def test_a_job_that_was_requeued_and_then_ended_well_is_no_failure(cluster: Slurm) -> None:
    job = cluster.submit(
        'if [ "$SLURM_RESTART_COUNT" ]; then echo step 2 loss 1.0; echo Training completed; exit 0; fi\necho step 1 loss 2; exec sleep 60',
        "--mem=50",
        "--requeue",
        "--open-mode=append",
    )
    cluster.wait(job, "RUNNING")
    cluster.run("scontrol", "requeue", job)
    table = cluster.recorded(job, "COMPLETED")
    assert "REQUEUED" in table
    report = runtriage.diagnose(f"slurm:{job}")
    assert report.run_status in ("completed", "recovered")
    assert report.primary_cause is None


def test_a_time_limit_is_told_with_its_length(cluster: Slurm, slow: str) -> None:
    cluster.recorded(slow, "TIMEOUT")
    report = runtriage.diagnose(f"slurm:{slow}")
    assert report.failure_mode == "orch/time-limit"
    assert any("00:01:00" in item.claim for item in report.evidence)


@pytest.mark.skipif(cgroups_missing(), reason="no memory group that may be written")
def test_memory_that_a_control_group_bounds_is_an_oom(cluster: Slurm) -> None:
    cluster.bound_by_cgroups()
    job = cluster.submit(HOARD, "--mem=80")
    table = cluster.recorded(job, "OUT_OF_MEMORY")
    assert "OUT_OF_MEMORY|0:125" in table
    report = runtriage.diagnose(f"slurm:{job}")
    assert (report.primary_cause, report.run_status) == ("oom", "crashed")
