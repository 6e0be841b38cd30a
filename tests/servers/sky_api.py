"""A SkyPilot API server for tests: it answers what was recorded, under the ids of requests, and refuses and records everything that changes something."""

from __future__ import annotations

import json
import threading
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar, Self
from urllib.parse import parse_qs, urlsplit

_RECORDED = Path(__file__).with_name("sky_recorded.json")
TOKEN = "sky_token-51f0c2aa"
CONTROL = b'<sky-payload type=rich>{"msg": "<rich_init>Fetching logs</rich_init>"}</sky-payload>\n'


@dataclass
class SkyServer:
    """Serves `rows` as the queue, `gpus` as accelerators, and `log` and `controller` as logs. `token` is what a caller must present; `error`
    is the class and message with which the queue fails, `log_end` the number a log's request returns or how it fails. With `recorded` it
    answers what a real server once did: `without a controller` or `with three jobs`."""

    rows: Sequence[dict[str, Any]] = ()
    log: bytes = b""
    controller: bytes = b""
    token: str = ""
    error: tuple[str, str] | None = None
    log_end: int | tuple[str, str] = 0
    gpus: Sequence[Any] = ()
    recorded: str = ""
    asked: list[tuple[str, dict[str, Any]]] = field(default_factory=list[tuple[str, dict[str, Any]]])
    writes: list[str] = field(default_factory=list[str])
    requests: dict[str, tuple[int, dict[str, Any]]] = field(default_factory=dict[str, tuple[int, dict[str, Any]]])

    def __enter__(self) -> Self:
        handler = type("Handler", (_Handler,), {"sky": self})
        self._server = _Server(("127.0.0.1", 0), handler)
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    @property
    def url(self) -> str:
        """Its address."""
        return f"http://127.0.0.1:{self._server.server_port}"

    def answer(self, path: str, body: dict[str, Any]) -> tuple[bytes, int, dict[str, Any]] | None:
        """Return what a question is answered with at once, and status and document of its request; None for what only reads not."""
        if self.recorded:
            known = json.loads(_RECORDED.read_text("utf-8"))[self.recorded]
            asked = {key: body[key] for key in ("job_id", "follow", "controller") if key in body}
            told = [each for each in known if each["path"] == path and each["body"] == asked]
            return (told[0]["content"].encode(), told[0]["status"], told[0]["request"]) if told else None
        rows = list(self.rows)
        jobs: dict[str, Any] = {"jobs": rows, "total": len(rows), "total_no_filter": len(rows), "status_counts": {}}
        kinds: dict[str, tuple[bytes, Any, int | tuple[str, str] | None]] = {
            "/jobs/queue/v2": (b"null", jobs, self.error),
            "/jobs/logs": (CONTROL + (self.controller if body.get("controller") else self.log), 0, self.log_end),
            "/realtime_kubernetes_gpu_availability": (b"null", list(self.gpus), self.error),
        }
        if path not in kinds or body.get("refresh"):
            return None
        content, value, end = kinds[path]
        failed = {"type": end[0], "message": end[1], "object": "gASV"} if isinstance(end, tuple) else None
        told = {
            "request_id": "7d1b", "name": path, "entrypoint": "gASV", "request_body": "gASV",
            "status": "FAILED" if failed else "SUCCEEDED", "created_at": 1.0, "user_id": "ab12", "pid": 1,
            "return_value": "null" if failed else json.dumps(value if end is None else end), "error": json.dumps(failed),
            "schedule_type": "short",
        }  # fmt: skip
        return content, 500 if failed else 200, {"detail": told} if failed else told


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing of a caller who went away."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # or each answer waits 40 ms for the packet before it to be confirmed
    sky: ClassVar[SkyServer]

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        self.sky.asked.append((f"GET {parts.path}", {key: value[0] for key, value in parse_qs(parts.query).items()}))
        if self._stranger():
            return
        found = self.sky.requests.get(parse_qs(parts.query).get("request_id", [""])[0])
        if parts.path != "/api/get" or found is None:
            self._send(404, b'{"detail": "not found"}')
            return
        self._send(found[0], json.dumps(found[1]).encode())

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers.get("content-length", 0))) or b"{}")
        self.sky.asked.append((f"POST {self.path}", body))
        if self._stranger():
            return
        found = self.sky.answer(self.path, body)
        if found is None:
            self.sky.writes.append(self.path)
            self._send(405, b"{}")
            return
        self.sky.requests["7d1b"] = found[1:]
        self._send(200, found[0])

    def _stranger(self) -> bool:
        if not self.sky.token or self.headers.get("authorization") == f"Bearer {self.sky.token}":
            return False
        self._send(401, b'{"detail": "Authentication required"}')
        return True

    def _send(self, code: int, content: bytes) -> None:
        self.send_response(code)
        self.send_header("X-Skypilot-Request-ID", "7d1b")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        with suppress(ConnectionError):
            self.wfile.write(content)
