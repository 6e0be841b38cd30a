"""The read-only MCP client: which tools it calls, what it accepts as an answer, and what it says when there is none."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from runtriage.model.runai import TOOLS
from runtriage.targets.errors import TargetError
from runtriage.targets.mcp_client import McpReads, offered_names
from runtriage.targets.runai_reads import ReadError
from tests.servers.runai_build import identity, one, run
from tests.servers.runai_mcp import over_http
from tests.servers.runai_replay import TEMPTATIONS, Replay

pytest.importorskip("mcp")
pytestmark = pytest.mark.server
SDK = Path(__file__).parent.parent / "servers" / "runai_sdk.py"
WANTED = {"workloadId": identity(1)}


@pytest.fixture
def replay() -> Iterator[Replay]:
    yield one(run(1, "Failed", "OOMKilled", "x"))()


@pytest.mark.parametrize("tool", TEMPTATIONS)
def test_a_tool_that_is_not_on_the_list_is_never_called(tool: str, replay: Replay) -> None:
    with over_http(replay) as url, McpReads(url) as reads, pytest.raises(ValueError, match="not on the list"):
        reads.call(tool, WANTED)
    assert replay.calls == []


@pytest.mark.parametrize("prefix", ["runai__", "runai_", "mcp-gateway/", "org.runai."])
def test_the_prefix_a_gateway_puts_before_all_six_names_is_used(prefix: str, replay: Replay) -> None:
    with over_http(replay, prefix=prefix) as url, McpReads(url) as reads:
        assert b"OOMKilled" in reads.call("get_workload_status", WANTED)
        with pytest.raises(ValueError, match="not on the list"):
            reads.call("delete_workload", WANTED)


@pytest.mark.parametrize(
    "offered",
    [
        TOOLS,
        [*TOOLS, *(f"x_{tool}" for tool in TOOLS)],
        [f"purge_{tool}" for tool in TOOLS[:5]],
        [f"{prefix}_{tool}" for prefix in ("a", "b") for tool in TOOLS],
        [f"rm -rf; {tool}" for tool in TOOLS],
        [],
    ],
)
def test_only_one_prefix_before_all_six_is_believed(offered: list[str]) -> None:
    assert offered_names(offered, TOOLS) == {}


def test_a_command_that_is_no_command_is_wrong_usage() -> None:
    with pytest.raises(TargetError, match="a quote is not closed") as refused, McpReads("'x"):
        pass
    assert refused.value.code == 2


def test_a_slow_tool_is_given_up(replay: Replay) -> None:
    replay.slow["get_workload_status"] = 3.0
    with (
        over_http(replay) as url,
        McpReads(url, timeout=0.4) as reads,
        pytest.raises(ReadError, match=r"within 0\.4 s"),
    ):
        reads.call("get_workload_status", WANTED)


def test_the_refusal_of_a_tool_is_told_in_its_own_words(replay: Replay) -> None:
    replay.broken["get_workload_status"] = "quota of calls used up"
    with over_http(replay) as url, McpReads(url) as reads, pytest.raises(ReadError, match="quota of calls used up"):
        reads.call("get_workload_status", WANTED)


def test_a_token_is_presented_and_not_told(replay: Replay) -> None:
    with over_http(replay, token="runai-token-5d1") as url:
        with McpReads(url, token="runai-token-5d1") as reads:
            assert b"OOMKilled" in reads.call("get_workload_status", WANTED)
        with pytest.raises(TargetError) as refused, McpReads(url, token="another-token-5d1"):
            pass
    assert "another-token-5d1" not in str(refused.value)


def test_nobody_at_the_address_is_one_clear_error() -> None:
    with pytest.raises(TargetError, match="cannot be reached"), McpReads("http://127.0.0.1:9/mcp", timeout=2.0):
        pass


def test_a_command_that_is_not_there_is_one_clear_error() -> None:
    with (
        pytest.raises(TargetError, match="there is no program no-such-command-anywhere"),
        McpReads("no-such-command-anywhere --x"),
    ):
        pass


def test_a_server_of_the_current_protocol_is_read_too() -> None:
    with McpReads(f"{sys.executable} {SDK}") as reads:
        assert b'"phase": "Failed"' in reads.call("get_workload_status", WANTED).replace(b'":"', b'": "')
        with pytest.raises(ReadError, match="the tool refused"):
            reads.call("get_workload_status", {"workloadId": "none"})
