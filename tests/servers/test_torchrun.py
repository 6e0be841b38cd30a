"""Jobs of two ranks under a real torchrun, wrapped: one line a job when a rank fails, and the rank that stands apart when it hangs.

PyTorch comes from an environment of the zoo, which is large: `make test-trainers` makes it first; elsewhere these tests are skipped.
"""

from __future__ import annotations

import os
import signal
import subprocess
from pathlib import Path

import pytest
from zoo.layout import venvs_folder

from tests.launch.running import surroundings, wrapped
from tests.servers.slurmd import free_port

pytestmark = pytest.mark.server

START = """
import sys, torch, torch.distributed as dist
dist.init_process_group("gloo")
rank = dist.get_rank()
def load_batch():
    import queue
    queue.Queue().get()
for step in range(1, 6):
    dist.all_reduce(torch.ones(4))
    if rank == 0: print(f"step {step}/900 loss={3 - step / 10}", flush=True)
"""
FAILS = START + "if rank == 1: raise ValueError('no colour')\ndist.all_reduce(torch.ones(4))\n"
HANGS = START + "if rank == 1: load_batch()\ndist.all_reduce(torch.ones(4))\n"


@pytest.fixture
def torchrun() -> list[str]:
    program = venvs_folder() / "torch" / "bin" / "torchrun"
    if not program.exists():
        pytest.skip(f"there is no environment {program.parent.parent}; make test-trainers makes it")
    return [str(program), "--nproc-per-node", "2", "--master-port", str(free_port())]


def test_of_two_wrapped_ranks_one_tells_of_the_failure_in_one_line(tmp_path: Path, torchrun: list[str]) -> None:
    (tmp_path / "train.py").write_text(FAILS, "utf-8")
    python = str(Path(torchrun[0]).with_name("python"))
    done = subprocess.run(
        [*torchrun, "--no-python", *wrapped(python, "train.py")],
        cwd=tmp_path,
        env=os.environ | surroundings(tmp_path),
        capture_output=True,
        text=True,
        timeout=180,
        check=False,
    )
    told = [line for line in done.stderr.splitlines() if line.startswith("runtriage: ")]
    assert len(told) == 1, done.stderr
    assert "failed first here: " in told[0]
    assert "ValueError: no colour" in told[0]


def test_a_job_that_hangs_is_explained_when_it_is_interrupted(tmp_path: Path, torchrun: list[str]) -> None:
    (tmp_path / "train.py").write_text(HANGS, "utf-8")
    command = wrapped(*torchrun, "train.py", options=("--hang-timeout", "15s"))
    with subprocess.Popen(
        command,
        cwd=tmp_path,
        env=os.environ | surroundings(tmp_path),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    ) as going:
        assert going.stderr is not None
        seen = ""
        while "stacks of 3 processes kept" not in seen:
            line = going.stderr.readline()
            assert line, seen
            seen += line
        going.send_signal(signal.SIGINT)
        said = going.communicate(timeout=120)[1]
    assert "Status: hung" in said
    assert "Culprit: rank 1" in said
    assert "waits for data, while rank 0 waits for a collective" in said
