"""Clients that are clumsy or hostile: what they send is answered in one line, and they cannot hold the server up."""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Generator
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp.shared.exceptions import MCPError

from mcp import Client
from runtriage.api.config import Config
from runtriage.mcp.answers import CheckpointPage
from runtriage.mcp.http import application
from runtriage.mcp.policy import policy
from runtriage.mcp.reading import Reading
from runtriage.mcp.server import server
from runtriage.mcp.wire import LONGEST
from tests.cli.running import FAILED, environment
from tests.mcp.asking import answer, call, reading, session, text

HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}},
}


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    (tmp_path / "failed.log").write_text(FAILED, "utf-8")
    return tmp_path


class Pipes:
    """A server behind pipes, for lines that no client of an SDK would send."""

    def __init__(self, runs: Path) -> None:
        command = [sys.executable, "-m", "runtriage", "mcp", "--allow", "."]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(
            command, cwd=runs, env=environment(runs), stdin=pipe, stdout=pipe, stderr=pipe, bufsize=0
        )
        assert self.process.stdin and self.process.stdout and self.process.stderr
        self.stdin, self.stdout, self.stderr = self.process.stdin, self.process.stdout, self.process.stderr
        assert self.ask(json.dumps(HELLO).encode())["id"] == 1

    def ask(self, line: bytes) -> dict[str, Any]:
        self.stdin.write(line + b"\n")
        return json.loads(self.stdout.readline())


@pytest.fixture
def pipes(runs: Path) -> Generator[Pipes]:
    started = Pipes(runs)
    try:
        yield started
    finally:
        started.process.kill()
        started.process.wait(20)
        for stream in (started.stdin, started.stdout, started.stderr):
            stream.close()


def test_lines_that_are_no_messages_are_answered_and_the_next_one_is_heard(pipes: Pipes) -> None:
    for line, identity, code in [
        (b"{", None, -32700),
        (b"[" * 100_000, None, -32700),
        (b"\xff\xfe", None, -32700),
        (b"[]", None, -32600),
        (b'{"jsonrpc":"2.0","id":7,"method":5}', 7, -32600),
        (b'{"jsonrpc":"2.0","id":"a","method":"tools/call","params":[]}', "a", -32600),
        (b'{"jsonrpc":"2.0","id":null,"method":"ping"}', None, -32600),
        (b'{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":"\\ud800"}}', 8, -32600),
        (b'{"jsonrpc":"2.0","id":9,"method":"ping","x":"' + b"x" * LONGEST + b'"}', None, -32600),
        (b"x" * (3 * LONGEST), None, -32600),
    ]:
        found = pipes.ask(line)
        assert (found["id"], found["error"]["code"]) == (identity, code), line[:60]
        assert len(found["error"]["message"]) < 100
    assert pipes.ask(b'{"jsonrpc":"2.0","id":10,"method":"ping"}')["result"] == {}


def test_a_client_that_goes_away_ends_the_server_without_a_word(pipes: Pipes) -> None:
    pipes.stdout.close()
    pipes.stdin.write(b'{"jsonrpc":"2.0","id":2,"method":"ping"}\n')

    assert pipes.process.wait(30) == 0
    assert pipes.stderr.read() == b""


@pytest.mark.skipif(sys.platform == "win32", reason="sends a signal")
def test_an_interrupt_ends_the_server_though_no_further_line_comes(pipes: Pipes) -> None:
    pipes.process.send_signal(signal.SIGINT)

    assert pipes.process.wait(30) == 130
    assert pipes.stderr.read() == b""


def test_a_prompt_refuses_in_one_line_what_it_does_not_take(runs: Path) -> None:
    for name, arguments, said in [
        ("no", {}, "there is no prompt 'no'"),
        ("triage", {}, "target: field required"),
        ("triage", {"target": "a", "targets": "b"}, "did you mean target"),
        ("triage", {"target": "a" * 2001}, "2000 characters"),
    ]:

        async def ask(client: Client, name: str = name, arguments: dict[str, str] = arguments) -> str:
            with pytest.raises(MCPError) as refused:
                await client.get_prompt(name, arguments)
            assert refused.value.code == -32602
            return refused.value.message

        assert said in session(ask, runs)


def test_a_fault_of_the_program_is_one_line_without_what_it_met(
    runs: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*given: object, **named: object) -> None:
        raise KeyError("hunter2 \x1b[31m")

    monkeypatch.setattr(Reading, "diagnose", broken)

    result = call("diagnose", {"target": "failed.log"}, runs)

    assert result.is_error and text(result) == "diagnose: an error of runtriage, not of the run (KeyError)"
    assert "hunter2" not in caplog.text


def test_what_an_answer_repeats_of_a_question_is_short_and_plain(runs: Path) -> None:
    async def ask(client: Client) -> list[str]:
        found = answer(await client.call_tool("diagnose", {"target": "failed.log"}))
        ids = ("x" * 100_000, "e1\x1b[31m\u202e")
        asked = [{"report_id": found["report_id"], "evidence_id": each} for each in ids]
        return [text(await client.call_tool("get_evidence", arguments)) for arguments in asked]

    for said in session(ask, runs):
        assert len(said) < 200 and said.isprintable()


def test_names_of_files_tell_no_secret_and_control_nothing_also_in_comparisons_and_faults(runs: Path) -> None:
    failed, other = runs / "a\u202e\x1bc", runs / "b"
    (failed / "checkpoints").mkdir(parents=True)
    (failed / "checkpoints" / "step_6_password=hunter2hunter2.pt").write_bytes(b"PK\x03\x04")
    other.mkdir()
    for folder, value in ((failed, "one1one1one1"), (other, "two2two2two2")):
        (folder / "train.log").write_text(FAILED, "utf-8")
        (folder / "config.yaml").write_text(f"lr: 0.1\npassword: {value}\n", "utf-8")

    compared = call("compare_runs", {"a": str(failed), "b": str(other)}, runs)
    refused = call("workflow_status", {"run": f"{failed.name}/train.log"}, runs)

    assert "left incomplete" in text(compared) and answer(compared)["same_settings"] == 1
    assert refused.is_error and "no such folder" in text(refused)
    for said in (text(compared), text(refused)):
        assert "hunter2" not in said and not set(said) & {"\u202e", "\x1b"}


def test_a_few_calls_are_worked_on_at_a_time_and_the_others_wait_their_turn(tmp_path: Path) -> None:
    at_once: list[int] = []
    lock, free = threading.Lock(), threading.Event()

    class Counted(Reading):
        def checkpoints(self, target: str, cursor: str | None) -> CheckpointPage:
            with lock:
                at_once.append(threading.active_count())
            free.wait(60)
            return CheckpointPage(checkpoints=[], total=0, last_good=None)

    async def ask() -> tuple[int, Any, list[Any]]:
        async with Client(server(Counted(policy([tmp_path]), Config(), None), seconds=60)) as client:
            asked = [asyncio.create_task(client.call_tool("list_checkpoints", {"target": "."})) for _ in range(20)]
            await asyncio.sleep(0.5)
            begun = len(at_once)
            explained = await client.call_tool("explain_failure_mode", {"mode": "oom/gpu-alloc"})
            free.set()
            return begun, explained, await asyncio.gather(*asked)

    begun, explained, answers = asyncio.run(ask())

    assert begun == 4 and not explained.is_error
    assert len(at_once) == 20 and not any(each.is_error for each in answers)


def test_a_call_that_finds_no_place_in_its_time_says_so(tmp_path: Path) -> None:
    free = threading.Event()

    class Stuck(Reading):
        def checkpoints(self, target: str, cursor: str | None) -> CheckpointPage:
            free.wait(60)
            return CheckpointPage(checkpoints=[], total=0, last_good=None)

    async def ask() -> list[str]:
        async with Client(server(Stuck(policy([tmp_path]), Config(), None), seconds=0.3)) as client:
            calls = [client.call_tool("list_checkpoints", {"target": "."}) for _ in range(5)]
            try:
                return [text(each) for each in await asyncio.gather(*calls)]
            finally:
                free.set()

    said = asyncio.run(ask())
    assert sum("took longer" in each for each in said) == 4 and sum("other calls" in each for each in said) == 1


def test_evidence_of_the_last_lines_is_read_again_from_the_last_lines(tmp_path: Path) -> None:
    first = "RuntimeError: CUDA error: device-side assert triggered\n"
    (tmp_path / "train.log").write_text(first + "step 1 loss=2\n" * 200 + FAILED, "utf-8")

    async def ask(client: Client) -> tuple[Any, Any]:
        found = answer(await client.call_tool("diagnose", {"target": "train.log", "last_lines": 20}))
        page = await client.call_tool("get_evidence", {"report_id": found["report_id"], "context_lines": 2})
        return found, answer(page)

    found, page = session(ask, tmp_path)

    assert [item["cite"] for item in page["items"]] == [item["cite"] for item in found["evidence"]]
    assert [item["claim"] for item in page["items"]] == [item["claim"] for item in found["evidence"]]
    assert "widget" in page["items"][0]["untrusted_text"] and "\n" in page["items"][0]["untrusted_text"]


def test_evidence_stays_what_was_cited_when_the_log_changes(tmp_path: Path) -> None:
    log = tmp_path / "train.log"
    log.write_text(FAILED, "utf-8")

    async def ask(client: Client) -> tuple[Any, Any, Any]:
        found = answer(await client.call_tool("diagnose", {"target": "train.log"}))
        asked = {"report_id": found["report_id"], "context_lines": 1}
        with log.open("a", encoding="utf-8") as file:
            file.write("torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB.\n")
        grown = answer(await client.call_tool("get_evidence", asked))
        log.write_text("step 1 loss=2\n", "utf-8")
        return found, grown, answer(await client.call_tool("get_evidence", asked))

    found, grown, shrunk = session(ask, tmp_path)

    claims = [item["claim"] for item in found["evidence"]]
    assert [item["claim"] for item in grown["items"]] == claims == [item["claim"] for item in shrunk["items"]]
    assert "\n" in grown["items"][0]["untrusted_text"]
    assert shrunk["items"][0]["untrusted_text"].startswith("ValueError: the widget")


def test_an_address_of_the_sixth_version_is_answered_under_its_own_name(runs: Path) -> None:
    token = "a-token-of-some-length"
    app: Any = application(server(reading(runs), seconds=60), "fd00::1", token, [])
    inner = app._inner
    headers = {"Authorization": f"Bearer {token}", "Accept": "application/json, text/event-stream"}

    async def ask(host: str) -> int:
        async with httpx2.AsyncClient(transport=httpx2.ASGITransport(app=app), base_url="http://server") as client:
            return (await client.post("/mcp", json=HELLO, headers={**headers, "Host": host})).status_code

    async def both() -> tuple[int, int]:
        async with inner.router.lifespan_context(inner):
            return await ask("[fd00::1]:8711"), await ask("[fd00::2]:8711")

    assert asyncio.run(both()) == (200, 421)


def test_a_diagnosis_in_a_thread_does_not_hold_a_server_up_whose_client_left(runs: Path, pipes: Pipes) -> None:
    (runs / "large.log").write_text("INFO nothing happens in this line of the log\n" * 3_000_000, "utf-8")
    asked = {"name": "diagnose", "arguments": {"target": "large.log"}}
    for number in range(2, 22):
        message = {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": asked}
        pipes.stdin.write(json.dumps(message).encode() + b"\n")
    time.sleep(0.5)
    pipes.stdin.close()

    assert pipes.process.wait(30) == 0
    assert b"Traceback" not in pipes.stderr.read()
