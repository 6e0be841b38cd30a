"""Runs below a prefix of a bucket."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.running import one_line, runtriage
from tests.fleet.runs_of import COMPLETED, FAILED
from tests.servers.s3 import S3Server

pytestmark = pytest.mark.server


def test_each_prefix_and_each_log_below_it_is_a_run(tmp_path: Path) -> None:
    root = tmp_path / "s3"
    for name, text in {
        "run-2/train.log": FAILED.format(size=2),
        "run-10/rank0.log": COMPLETED,
        "alone.log": COMPLETED,
    }.items():
        path = root / "lab" / "runs" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    (root / "lab" / "runs" / "notes.md").write_text("nothing", "utf-8")

    with S3Server(root) as server:
        done = runtriage(
            "fleet", "s3://lab/runs/*", "--format", "json", "--workers", "2", cwd=tmp_path, **server.environment()
        )
        absent = runtriage("fleet", "s3://lab/nothing/*", cwd=tmp_path, **server.environment())

    told = json.loads(done.stdout)
    assert (told["runs"], told["failed"]) == (3, 1), done.stderr
    assert told["by"]["cause"][0]["example"] == "s3://lab/runs/run-2"
    assert absent.returncode == 3 and "nothing" in one_line(absent)
