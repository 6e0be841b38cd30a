"""A folder with one small file for each of many ranks, read with few open files at a time."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from pathlib import Path

from tests.cli.running import environment

RANKS = 1024
CULPRIT = 741
DESCRIPTORS = 64

WATCHDOG = (
    "2026-05-14 02:13:40 [rank{rank}] [E ProcessGroupNCCL.cpp:616] [Rank {rank}] Watchdog caught collective operation timeout: "
    "WorkNCCL(SeqNum=40, OpType=ALLREDUCE, NumelIn=1, NumelOut=1, Timeout(ms)=600000) ran for 600012 milliseconds before timing out.\n"
)
MEMORY = """\
Traceback (most recent call last):
  File "/workspace/train.py", line 88, in <module>
    loss.backward()
torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.50 GiB. GPU 5 has a total capacity of 79.15 GiB of which 1.12 GiB is free.
"""


def log(rank: int) -> str:
    steps = "".join(
        f"2026-05-14 02:03:{step:02d} [rank{rank}] INFO step {step} loss {3 - step / 100:.4f}\n" for step in range(40)
    )
    return steps + (MEMORY if rank == CULPRIT else WATCHDOG.format(rank=rank))


def test_the_one_rank_of_many_that_failed_is_found_though_few_files_may_be_open(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    folder.mkdir()
    for rank in range(RANKS):
        (folder / f"rank{rank}.log").write_text(log(rank), "utf-8")

    done = subprocess.run(
        [sys.executable, "-m", "runtriage", "diagnose", "run", "--format", "json", "--no-history"],
        cwd=tmp_path,
        env=environment(tmp_path),
        capture_output=True,
        timeout=240,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (DESCRIPTORS, DESCRIPTORS)),
    )

    assert done.returncode == 1, done.stderr
    report = json.loads(done.stdout)
    assert report["primary_cause"] == "oom"
    assert report["culprit"]["rank"] == CULPRIT
    assert report["root_evidence"]["artifact"] == f"rank{CULPRIT}.log"
    assert report["coverage"]["files"] == RANKS
