"""Jobs of a real Slurm that fail, crash, outgrow their memory or are cancelled."""

from __future__ import annotations

import shlex
from collections.abc import Generator
from pathlib import Path

import pytest

import runtriage
from runtriage.targets.errors import TargetError
from tests.launch.running import PYTHON, wrapped
from tests.servers.slurmd import Slurm, missing, slurm

pytestmark = [
    pytest.mark.server,
    pytest.mark.skipif(bool(missing()), reason=f"not here: {', '.join(missing())}"),
]


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Generator[Slurm]:
    with slurm(tmp_path_factory.mktemp("slurm")) as running:
        yield running


@pytest.fixture(autouse=True)
def pointed(cluster: Slurm, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SLURM_CONF", str(cluster.conf))


def test_a_job_that_printed_its_error_is_diagnosed_from_it(cluster: Slurm) -> None:
    job = cluster.submit("echo step 3 loss 1.0\npython3 -c 'raise ValueError(\"label 12 is bad\")'")
    cluster.wait(job, "FAILED")
    report = runtriage.diagnose(f"slurm:{job}")
    assert (report.run_status, report.primary_cause) == ("crashed", "data-pipeline")
    assert report.root_evidence is not None and report.root_evidence.artifact == f"slurm-{job}.out"
    assert "scontrol-job.txt" in {read.artifact for read in report.coverage.artifacts}
    assert any("accounting" in item for item in report.coverage.not_seen)


def test_a_crash_without_a_word_and_a_cancelled_job_are_told_apart(cluster: Slurm) -> None:
    crashed = cluster.submit("exec python3 -c 'import os; os.kill(os.getpid(), 11)'")
    cancelled = cluster.submit("echo step 1 loss 2; sleep 60")
    cluster.wait(crashed, "FAILED")
    cluster.wait(cancelled, "RUNNING")
    assert runtriage.diagnose(f"slurm:{cancelled}").run_status == "running"
    cluster.run("scancel", cancelled)
    cluster.wait(cancelled, "CANCELLED")
    assert runtriage.diagnose(f"slurm:{crashed}").primary_cause == "process-crash"
    assert runtriage.diagnose(f"slurm:{cancelled}").failure_mode == "orch/user-cancel"


def test_a_job_that_outgrew_its_memory_is_an_oom(cluster: Slurm) -> None:
    job = cluster.submit(
        "exec python3 -c 'x = bytearray(400 << 20)\nimport time\nfor i in range(0, len(x), 4096): x[i] = 1\ntime.sleep(30)'",
        "--mem=100",
    )
    cluster.wait(job, "FAILED", "OUT_OF_MEMORY", "CANCELLED")
    assert runtriage.diagnose(f"slurm:{job}").primary_cause == "oom"


def test_a_job_that_completed_is_no_failure_and_one_that_never_was_is_not_found(cluster: Slurm) -> None:
    job = cluster.submit("echo step 1 loss 1; echo Training completed")
    cluster.wait(job, "COMPLETED")
    report = runtriage.diagnose(f"slurm:{job}")
    assert (report.run_status, report.primary_cause) == ("completed", None)
    with pytest.raises(TargetError) as unknown:
        runtriage.diagnose("slurm:999999")
    assert unknown.value.code == 3


RANKS = """
import os, sys, time
rank = int(os.environ["SLURM_PROCID"])
for step in range(1, 4): print(f"rank {rank} step {step}/900 loss={3 - step / 10}", flush=True)
if rank == FAILING: raise ValueError("no colour")
time.sleep(WAITS)
"""


def stepped(cluster: Slurm, folder: Path, *, failing: int = 9, waits: float = 0.0) -> str:
    """Run three wrapped ranks under srun within a job and return all that the job printed."""
    (folder / "train.py").write_text(RANKS.replace("FAILING", str(failing)).replace("WAITS", str(waits)), "utf-8")
    words = shlex.join(wrapped(PYTHON, str(folder / "train.py")))
    home = f"export HOME={folder} RUNTRIAGE_RUNS={folder}/runs PYTHONPATH={Path.cwd()}"
    script = f"{home}\nsrun --ntasks=3 --overcommit --mem=0 {words}"
    job = cluster.submit(script, "--ntasks=2", "--mem=600")
    cluster.wait(job, "COMPLETED", "FAILED", "CANCELLED")
    return (cluster.folder / "work" / f"slurm-{job}.out").read_text("utf-8")


def test_of_the_wrapped_ranks_of_a_step_one_tells_of_the_failure_in_one_line(cluster: Slurm, tmp_path: Path) -> None:
    said = stepped(cluster, tmp_path, failing=1, waits=2.0)
    told = [line for line in said.splitlines() if line.startswith("runtriage: ")]
    assert len(told) == 1, said
    assert "rank 1 of 3 failed first here: " in told[0] and "no colour" in told[0]
    assert "Status:" not in said and said.count("step 3/900") == 3


def test_wrapped_ranks_that_all_end_well_say_nothing(cluster: Slurm, tmp_path: Path) -> None:
    said = stepped(cluster, tmp_path)
    assert "runtriage" not in said and said.count("step 3/900") == 3
