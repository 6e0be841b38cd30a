"""Clients that this project did not write and does not depend on: the inspector from npm, and the SDK as it was."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.cli.running import FAILED, environment
from tests.mcp.test_tools import READING

INSPECTOR = "@modelcontextprotocol/inspector@2.12.0"
OLDER = ("mcp==1.6.0", "pydantic==2.10.6")
"""The SDK of March 2025 with the pydantic of its time; it speaks the protocol of 2024-11-05."""
NPX = shutil.which("npx")
UV = Path(sys.executable).with_name("uv")


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    (tmp_path / "failed.log").write_text(FAILED, "utf-8")
    return tmp_path


def ran(command: list[str], cwd: Path) -> str:
    """Return what a client printed. Where a registry that it comes from cannot be reached, the test is skipped, except under CI."""
    done = subprocess.run(command, cwd=cwd, env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}, capture_output=True, timeout=240, check=False)  # fmt: skip
    said = done.stderr.decode()
    if any(word in said for word in ("EAI_AGAIN", "ENOTFOUND", "dns error", "error sending request")):
        assert os.environ.get("CI") != "true", said
        pytest.skip("a registry cannot be reached")
    assert done.returncode == 0, said + done.stdout.decode()
    return done.stdout.decode()


def inspected(runs: Path, *method: str) -> Any:
    variables = [word for name, value in environment(runs).items() for word in ("-e", f"{name}={value}")]
    server = [sys.executable, "-m", "runtriage", "mcp", "--allow", "."]
    assert NPX is not None
    return json.loads(ran([NPX, "-y", INSPECTOR, "--cli", *variables, *server, *method], runs))


@pytest.mark.server
@pytest.mark.skipif(NPX is None, reason="needs npx")
def test_the_inspector_lists_the_tools_and_calls_one(runs: Path) -> None:
    tools = inspected(runs, "--method", "tools/list")["tools"]
    assert {tool["name"] for tool in tools} == READING
    assert all(tool["annotations"]["readOnlyHint"] and tool["outputSchema"] for tool in tools)

    call = ("--method", "tools/call", "--tool-name", "diagnose", "--tool-arg", "target=failed.log")
    found = inspected(runs, *call)
    assert found["structuredContent"]["status"] == "crashed"


@pytest.mark.server
@pytest.mark.skipif(not UV.exists(), reason="needs uv beside the interpreter")
def test_a_client_of_an_sdk_of_years_ago_is_served(runs: Path) -> None:
    packages = [word for each in OLDER for word in ("--with", each)]
    alone = [str(UV), "run", "--quiet", "--no-project", "--isolated", "--python", sys.executable, *packages]
    client = Path(__file__).with_name("older_client.py")

    said = json.loads(ran([*alone, "python", str(client), sys.executable, json.dumps(environment(runs))], runs))

    assert said["protocol"] == "2024-11-05"
    assert set(said["tools"]) == READING
    (found, refused) = said["said"]
    assert not found[0] and "crashed" in found[1].lower()
    assert refused[0] and refused[1].startswith("diagnose: no such file")
