"""The server as clients start and reach it."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import subprocess
import sys
import time
from collections.abc import Generator
from pathlib import Path

import httpx2
import pytest
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client

from mcp import Client, StdioServerParameters
from runtriage.api.exposure import ExposedError, check
from tests.cli.running import FAILED, environment, one_line, runtriage
from tests.mcp.asking import answer

TOKEN = "a-token-of-some-length"


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    (tmp_path / "failed.log").write_text(FAILED, "utf-8")
    return tmp_path


def test_over_standard_input_and_output(runs: Path) -> None:
    started = StdioServerParameters(
        command=sys.executable, args=["-m", "runtriage", "mcp", "--allow", "."], cwd=runs, env=environment(runs)
    )

    async def talk() -> tuple[str, str]:
        async with Client(stdio_client(started)) as client:
            found = answer(await client.call_tool("diagnose", {"target": "failed.log"}))
            return found["status"], client.protocol_version

    assert asyncio.run(talk()) == ("crashed", "2026-07-28")


def test_a_client_of_the_older_protocol_is_served_too(runs: Path) -> None:
    started = StdioServerParameters(
        command=sys.executable, args=["-m", "runtriage", "mcp", "--allow", "."], cwd=runs, env=environment(runs)
    )

    async def talk() -> tuple[str, str]:
        async with Client(stdio_client(started), mode="legacy") as client:
            found = answer(await client.call_tool("diagnose", {"target": "failed.log"}))
            return found["status"], client.protocol_version

    status, version = asyncio.run(talk())
    assert status == "crashed" and version < "2026"


@contextlib.contextmanager
def serving(runs: Path, **variables: str) -> Generator[str]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "runtriage", "mcp", "--http", "--port", str(port), "--allow", "."]
    served = subprocess.Popen(command, cwd=runs, env=environment(runs) | variables)
    try:
        for _ in range(600):
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
                break
            time.sleep(0.05)
        yield f"http://127.0.0.1:{port}/mcp"
    finally:
        served.terminate()
        served.wait(20)


def test_over_http_on_loopback(runs: Path) -> None:
    async def talk(address: str) -> str:
        async with Client(address) as client:
            return answer(await client.call_tool("diagnose", {"target": "failed.log"}))["status"]

    with serving(runs) as address:
        assert asyncio.run(talk(address)) == "crashed"
        foreign = httpx2.post(address, json={}, headers={"Host": "evil.example", "Origin": "http://evil.example"})
    assert foreign.status_code in (400, 403, 421)


def test_a_token_is_asked_for_where_one_is_set(runs: Path) -> None:
    async def talk(address: str) -> str:
        async with (
            httpx2.AsyncClient(headers={"Authorization": f"Bearer {TOKEN}"}) as http,
            Client(streamable_http_client(address, http_client=http)) as client,
        ):
            return answer(await client.call_tool("diagnose", {"target": "failed.log"}))["status"]

    with serving(runs, RUNTRIAGE_MCP_TOKEN=TOKEN) as address:
        without = httpx2.post(address, json={})
        wrong = httpx2.post(address, json={}, headers={"Authorization": f"Bearer {TOKEN}x"})
        assert asyncio.run(talk(address)) == "crashed"
    assert (without.status_code, wrong.status_code) == (401, 401)


def test_beyond_loopback_nothing_starts_without_a_token(runs: Path) -> None:
    for host in ("0.0.0.0", "::", "192.0.2.1", "trainer.example"):
        with pytest.raises(ExposedError):
            check(host, None)
        check(host, TOKEN)
    with pytest.raises(ExposedError, match="shorter"):
        check("127.0.0.1", "secret")
    check("127.0.0.1", None)

    refused = runtriage("mcp", "--http", "--host", "0.0.0.0", cwd=runs)
    assert refused.returncode == 2 and "--token-env" in one_line(refused)


def test_an_address_that_cannot_be_taken_is_one_line(runs: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        refused = runtriage("mcp", "--http", "--port", port, cwd=runs)
    assert refused.returncode == 3
    assert f"127.0.0.1:{port}: address already in use" in one_line(refused)
