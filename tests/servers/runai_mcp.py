"""A Run:ai MCP server for tests, over standard streams or streamable HTTP: `python -m tests.servers.runai_mcp SCENARIO JOURNAL`."""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar

from tests.servers.runai_replay import READS, TEMPTATIONS, Refused, Replay

PROTOCOLS = ("2024-11-05", "2025-03-26", "2025-06-18")
METHOD_NOT_FOUND = -32601


def answer(replay: Replay, message: dict[str, Any], prefix: str = "") -> dict[str, Any] | None:
    """Return the answer to one JSON-RPC message; None for a notification. Tools are called `prefix` and their name."""
    identity = message.get("id")
    if identity is None:
        return None
    method, given = message.get("method"), message.get("params") or {}
    if method == "initialize":
        asked = given.get("protocolVersion")
        version = asked if asked in PROTOCOLS else PROTOCOLS[0]
        server = {"name": "runai-replay", "version": "1"}
        return _result(identity, {"protocolVersion": version, "capabilities": {"tools": {}}, "serverInfo": server})
    if method == "tools/list":
        schema = {"type": "object", "properties": {}}
        return _result(
            identity, {"tools": [{"name": prefix + name, "inputSchema": schema} for name in (*READS, *TEMPTATIONS)]}
        )
    if method == "tools/call":
        return _result(identity, _called(replay, str(given["name"]).removeprefix(prefix), given.get("arguments") or {}))
    if method == "ping":
        return _result(identity, {})
    return {
        "jsonrpc": "2.0",
        "id": identity,
        "error": {"code": METHOD_NOT_FOUND, "message": f"unknown method {method}"},
    }


def _called(replay: Replay, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
    try:
        body, failed = replay.call(tool, arguments), False
    except Refused as error:
        body, failed = {"error": str(error)}, True
    return {"content": [{"type": "text", "text": json.dumps(body)}], "isError": failed}


def _result(identity: Any, result: dict[str, Any]) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": identity, "result": result}


@contextmanager
def over_http(replay: Replay, token: str = "", prefix: str = "") -> Iterator[str]:
    """Serve a scenario on a free port and yield the URL; with a token, only requests that present it are answered."""
    handler = type("Handler", (_Handler,), {"replay": replay, "token": token, "prefix": prefix})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/mcp"
    finally:
        server.shutdown()
        server.server_close()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # or each answer waits 40 ms for the packet before it to be confirmed
    replay: ClassVar[Replay]
    token: ClassVar[str]
    prefix: ClassVar[str]

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""

    def do_POST(self) -> None:
        content = self.rfile.read(int(self.headers.get("content-length", 0)))
        if self.token and self.headers.get("authorization") != f"Bearer {self.token}":
            self._send(401, b"{}")
            return
        told = answer(self.replay, json.loads(content), self.prefix)
        if told is None:
            self._send(202, b"")
        else:
            self._send(200, json.dumps(told).encode())

    def do_GET(self) -> None:
        self._send(405, b"")

    do_DELETE = do_GET

    def _send(self, code: int, content: bytes) -> None:
        with suppress(BrokenPipeError):
            self._written(code, content)

    def _written(self, code: int, content: bytes) -> None:
        self.send_response(code)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)


def main(scenario: str, journal: Path) -> None:
    """Answer on standard streams until they close; the journal holds every call and fault, one a line."""
    from tests.servers.runai_scenarios import SCENARIOS

    replay = SCENARIOS[scenario].replay()
    for line in sys.stdin:
        message = json.loads(line)
        asked = message.get("params", {}).get("name")
        if replay.dies_at and asked == replay.dies_at:
            sys.exit(1)
        told = answer(replay, message)
        journal.write_text(json.dumps({"calls": replay.calls, "faults": replay.faults}), encoding="utf-8")
        if told is not None:
            sys.stdout.write(json.dumps(told) + "\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
