"""Buckets that are not S3: Google's through a server that speaks the same XML, Azure's through the vendor's own emulator where it is installed."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.api.workflow_runs import BUCKET
from tests.cli.running import inside
from tests.cli.workflow.asked import TRACEBACK, failed
from tests.servers.azurite import PROGRAM, SECRET, Azurite
from tests.servers.s3 import S3Server
from tests.servers.workflow_proxy import Proxy

pytestmark = pytest.mark.server


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A failed run and a plain folder of logs."""
    root = tmp_path_factory.mktemp("clouds")
    failed("bad", extra={"npa-workflow/logs/train/run.log": TRACEBACK}).write(root)
    (root / BUCKET / "plain").mkdir()
    (root / BUCKET / "plain" / "rank0.log").write_bytes(TRACEBACK)
    return root


@pytest.fixture(scope="module")
def google(folder: Path) -> Iterator[S3Server]:
    with S3Server(folder, keys=False) as server:
        yield server


@pytest.fixture(scope="module")
def azure(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Azurite]:
    if shutil.which(PROGRAM) is None:
        pytest.skip(f"{PROGRAM} is not installed")
    with Azurite(tmp_path_factory.mktemp("azurite")) as server:
        server.create(BUCKET)
        for path in filter(Path.is_file, folder.rglob("*")):
            server.put(path.relative_to(folder).as_posix(), path.read_bytes())
        yield server


def asked(folder: Path, variables: dict[str, str], *words: str) -> tuple[int, str]:
    with pytest.MonkeyPatch.context() as patch:
        for name, value in ({"HOME": str(folder), "PATH": os.environ["PATH"]} | variables).items():
            patch.setenv(name, value)
        done = inside(*words, "--no-history" if "://" in words[0] else "--json", cwd=folder)
    assert SECRET not in done.stdout + done.stderr
    return done.returncode, done.stdout + done.stderr


def check(scheme: str, folder: Path, variables: dict[str, str], proxy: Proxy) -> None:
    """Ask for logs, a run, and what is not there or may not be read."""
    code, out = asked(folder, variables, f"{scheme}://{BUCKET}/plain")
    assert (code, "no colour" in out) == (1, True), out
    code, out = asked(folder, variables, "workflow", "status", f"{scheme}://{BUCKET}/runs/bad")
    found = json.loads(out)
    assert (code, found["status"], found["failing_stage"]) == (1, "FAILED", "train")
    code, out = asked(folder, variables, "workflow", "list", f"{scheme}://{BUCKET}/runs")
    assert [each["run_id"] for each in json.loads(out)["runs"]] == ["bad"]
    code, out = asked(folder, variables, f"{scheme}://nowhere-9/plain")
    assert (code, "no such bucket" in out) == (3, True), out
    code, out = asked(folder, variables, f"{scheme}://{BUCKET}/none")
    assert (code, "no object and no prefix" in out) == (3, True), out
    proxy.denied = ("plain",)
    code, out = asked(folder, variables, f"{scheme}://{BUCKET}/plain")
    assert (code, "access denied" in out) == (4, True), out
    assert proxy.writes == []


def test_a_bucket_of_google_is_read(folder: Path, google: S3Server, tmp_path: Path) -> None:
    with Proxy(google.port) as proxy:
        check("gs", tmp_path, {"STORAGE_EMULATOR_HOST": f"127.0.0.1:{proxy.own_port}"}, proxy)


def test_a_container_of_azure_is_read(azure: Azurite, tmp_path: Path) -> None:
    with Proxy(azure.port) as proxy:
        check("az", tmp_path, azure.environment(proxy.own_port), proxy)
        proxy.denied = ()
        wrong = azure.environment(proxy.own_port) | {"AZURE_STORAGE_ACCOUNT_KEY": "AAAA"}
        assert asked(tmp_path, wrong, f"az://{BUCKET}/plain")[0] == 4
