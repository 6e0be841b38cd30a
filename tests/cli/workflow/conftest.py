"""A real S3 server that only reads, with a few runs, and a machine that asks it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.api.workflow_runs import BUCKET, Run, wave
from tests.cli.workflow.asked import TRACEBACK, Asked, failed
from tests.servers.s3 import S3Server
from tests.servers.workflow_proxy import Proxy


@pytest.fixture(scope="session")
def storage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[S3Server]:
    root = tmp_path_factory.mktemp("s3")
    failed("bad", extra={"npa-workflow/logs/train/run.log": TRACEBACK}).write(root)
    failed("quiet").write(root)
    Run(
        name="good",
        manifest="completed",
        ledger="succeeded",
        waves=[wave("train", 1, "succeeded", "SUCCEEDED", "12", run="good")],
        outputs={"train": 9},
        extra={"metrics.json": b'{"success_rate": 0.91}'},
    ).write(root)
    Run(name="live", waves=[wave("train", 1, "running", "STARTING", "12", run="live")]).write(root)
    logs = root / BUCKET / "plain"
    logs.mkdir()
    (logs / "rank0.log").write_bytes(TRACEBACK)
    many = root / "many"
    for number in range(60):
        base = many / "runs" / f"run-{number:02}"
        (base / "npa-workflow").mkdir(parents=True)
        stamp = f"2026-11-20T10:{number:02}:00Z"
        manifest = {
            "schema_version": "npa.workflow.run.v1",
            "workflow": "w",
            "run_id": base.name,
            "status": "failed",
            "steps": [],
            "updated_at": stamp,
        }
        (base / "npa-workflow" / "manifest.json").write_text(json.dumps(manifest), "utf-8")
    with S3Server(root) as server:
        yield server


@pytest.fixture
def ask(tmp_path: Path, storage: S3Server) -> Iterator[Asked]:
    with Proxy(storage.port) as proxy:
        yield Asked(tmp_path, storage, proxy)
