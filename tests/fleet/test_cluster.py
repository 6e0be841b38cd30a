"""A real Dask scheduler with worker processes of its own."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Generator
from pathlib import Path

import pytest

from tests.cli.running import environment, one_line, runtriage
from tests.fleet.runs_of import make_runs, misbehaving, rows

pytestmark = pytest.mark.slow


@contextlib.contextmanager
def cluster(folder: Path, workers: int, **variables: str) -> Generator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """Start a scheduler on loopback and workers with one thread each; yield its address and the workers' processes."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    address = f"tcp://127.0.0.1:{port}"
    common = ["--host", "127.0.0.1", "--no-dashboard"]
    variables = {"DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "1", **variables}
    options = {
        "cwd": folder,
        "env": environment(folder) | variables,
        "stdout": subprocess.DEVNULL,
        "stderr": subprocess.DEVNULL,
    }

    def start(*words: str) -> subprocess.Popen[bytes]:
        return subprocess.Popen([sys.executable, "-m", *words], **options)  # pyright: ignore[reportCallIssue, reportArgumentType]

    scheduler = start("distributed.cli.dask_scheduler", *common, "--port", str(port))
    processes = [
        start("distributed.cli.dask_worker", address, *common, "--nthreads", "1", "--nworkers", "1")
        for _ in range(workers)
    ]
    try:
        yield address, processes
    finally:
        for process in [*processes, scheduler]:
            for child in _children(process.pid):
                _kill(child)
            process.kill()
            process.wait(30)


def test_two_workers_do_a_fleet_and_a_killed_one_loses_nothing(tmp_path: Path) -> None:
    make_runs(tmp_path / "runs", 100)
    out = tmp_path / "out" / "runs.jsonl"
    with cluster(tmp_path, 2) as (address, workers):
        killer = threading.Thread(target=_kill_at, args=(out, 20, workers[0].pid))
        killer.start()
        done = runtriage("fleet", "runs", "--cluster", address, "--out", "out", "--format", "json", cwd=tmp_path)
        killer.join()

    found = rows(tmp_path / "out")
    assert done.returncode == 1, done.stderr
    assert json.loads(done.stdout)["failed"] == 50
    assert len({row["key"] for row in found}) == len(found) == 100
    assert {row["outcome"] for row in found} == {"judged"}


def test_a_run_that_kills_every_worker_it_meets_is_the_tools_failure(tmp_path: Path) -> None:
    make_runs(tmp_path / "runs", 4, "this-kills")
    path = misbehaving(tmp_path / "plug")
    with cluster(tmp_path, 2, PYTHONPATH=path) as (address, _):
        runtriage("fleet", "runs", "--cluster", address, "--out", "out", cwd=tmp_path)

    outcomes = {Path(row["target"]).stem: row["outcome"] for row in rows(tmp_path / "out")}
    assert outcomes.pop("this-kills") == "tool-failure"
    assert set(outcomes.values()) == {"judged"}


IMPATIENT = """
import sys
from runtriage.cli.main import main
from runtriage.fleet import cluster
cluster._CONNECT = 1
main(sys.argv[1:])
"""


def test_a_scheduler_that_does_not_answer_ends_in_one_line(tmp_path: Path) -> None:
    make_runs(tmp_path / "runs", 1)
    command = ("fleet", "runs", "--no-history", "--cluster", "tcp://127.0.0.1:9")

    done = subprocess.run(
        [sys.executable, "-c", IMPATIENT, *command],
        cwd=tmp_path,
        env=environment(tmp_path),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )

    assert done.returncode == 2
    assert "no scheduler" in one_line(done)


def _kill_at(out: Path, lines: int, pid: int) -> None:
    """Kill the process that works once so many rows are written."""
    for _ in range(1500):
        if out.exists() and len(out.read_bytes().splitlines()) >= lines:
            for child in _children(pid):
                _kill(child)
            return
        time.sleep(0.01)


def _children(pid: int) -> list[int]:
    with contextlib.suppress(OSError):
        return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    return []


def _kill(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)
