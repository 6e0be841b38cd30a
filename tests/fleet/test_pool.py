"""What breaks a worker costs one run at most."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.cli.running import environment, runtriage
from tests.fleet.runs_of import make_runs, misbehaving, rows

COUNT = 300


def test_a_run_that_kills_its_worker_is_a_failure_of_the_tool_and_the_rest_goes_on(tmp_path: Path) -> None:
    make_runs(tmp_path / "runs", 6, "this-kills")

    done = runtriage(
        "fleet", "runs", "--workers", "2", "--out", "out", cwd=tmp_path, PYTHONPATH=misbehaving(tmp_path / "plug")
    )

    found = {Path(row["target"]).stem: row for row in rows(tmp_path / "out")}
    assert found["this-kills"]["outcome"] == "tool-failure"
    assert "signal 9" in found["this-kills"]["error"]
    assert sorted(row["outcome"] for row in found.values()) == ["judged"] * 6 + ["tool-failure"]
    assert done.returncode == 1
    assert "the tool itself failed: 1" in done.stdout


def test_a_run_that_takes_longer_than_its_budget_is_given_up(tmp_path: Path) -> None:
    make_runs(tmp_path / "runs", 4, "this-waits")

    runtriage(
        *("fleet", "runs", "--workers", "2", "--limit", "4", "--out", "out"),
        cwd=tmp_path,
        PYTHONPATH=misbehaving(tmp_path / "plug"),
    )

    found = {Path(row["target"]).stem: row for row in rows(tmp_path / "out")}
    assert found["this-waits"]["error"] == "took longer than 4 s"
    assert sum(row["outcome"] == "judged" for row in found.values()) == 4


def test_a_worker_that_leaves_counts_as_the_tools_failure(tmp_path: Path) -> None:
    make_runs(tmp_path / "runs", 2, "this-leaves")

    runtriage("fleet", "runs", "--out", "out", cwd=tmp_path, PYTHONPATH=misbehaving(tmp_path / "plug"))

    (row,) = (row for row in rows(tmp_path / "out") if row["outcome"] == "tool-failure")
    assert "exit code 3" in row["error"]


@pytest.mark.skipif(sys.platform != "linux", reason="finds the workers in /proc")
def test_a_worker_that_is_killed_from_outside_loses_nothing(tmp_path: Path) -> None:
    make_runs(tmp_path / "runs", COUNT)
    command = [sys.executable, "-m", "runtriage", "fleet", "runs", "--workers", "2", "--out", "out"]
    fleet = subprocess.Popen(command, cwd=tmp_path, env=environment(tmp_path), stdout=subprocess.PIPE, text=True)
    killed = set[int]()
    out = tmp_path / "out" / "runs.jsonl"
    while fleet.poll() is None and len(killed) < 2:
        if out.exists() and len(out.read_bytes().splitlines()) > 10 * (1 + len(killed)):
            victim = next((pid for pid in _children(fleet.pid) if pid not in killed), None)
            if victim is not None:
                os.kill(victim, signal.SIGKILL)
                killed.add(victim)
        time.sleep(0.005)
    fleet.communicate(timeout=120)

    found = rows(tmp_path / "out")
    assert len(killed) == 2
    assert len({row["key"] for row in found}) == len(found) == COUNT
    assert {row["outcome"] for row in found} == {"judged"}
    assert fleet.returncode == 1


def _children(pid: int) -> list[int]:
    return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
