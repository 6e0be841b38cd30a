"""A SkyPilot API server for tests: it answers what was recorded, under the ids of requests, and refuses and records everything that changes something."""

from __future__ import annotations

import json
import threading
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar, Self
from urllib.parse import parse_qs, urlsplit

TOKEN = "sky_token-51f0c2aa"
CONTROL = b'<sky-payload type=rich>{"msg": "<rich_init>Fetching logs</rich_init>"}</sky-payload>\n'


@dataclass
class SkyServer:
    """Serves `rows` as the queue and `log` and `controller` as logs. `token` is what a caller must present; `error` is the class and message
    with which the queue fails."""

    rows: Sequence[dict[str, Any]] = ()
    log: bytes = b""
    controller: bytes = b""
    token: str = ""
    error: tuple[str, str] | None = None
    asked: list[tuple[str, dict[str, Any]]] = field(default_factory=list[tuple[str, dict[str, Any]]])
    writes: list[str] = field(default_factory=list[str])

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

    def payload(self) -> dict[str, Any]:
        """Return the request of the queue as the server tells it when it is done."""
        jobs = {
            "jobs": list(self.rows),
            "total": len(self.rows),
            "total_no_filter": len(self.rows),
            "status_counts": {},
        }
        failed = self.error and {"type": self.error[0], "message": self.error[1], "object": "gASV"}
        return {
            "request_id": "7d1b", "name": "jobs/queue_v2", "entrypoint": "gASV", "request_body": "gASV",
            "status": "FAILED" if failed else "SUCCEEDED", "created_at": 1.0, "user_id": "ab12", "pid": 1,
            "return_value": "null" if failed else json.dumps(jobs), "error": json.dumps(failed), "schedule_type": "short",
        }  # fmt: skip


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
        payload = self.sky.payload()
        failed = payload["status"] == "FAILED"
        known = parts.path == "/api/get"
        content = json.dumps({"detail": payload} if failed else payload).encode()
        self._send(404 if not known else 500 if failed else 200, content if known else b"{}")

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers.get("content-length", 0))) or b"{}")
        self.sky.asked.append((f"POST {self.path}", body))
        if self._stranger():
            return
        if self.path == "/jobs/queue/v2" and not body.get("refresh"):
            self._send(200, b"null")
        elif self.path == "/jobs/logs" and not body.get("refresh"):
            self._send(200, CONTROL + (self.sky.controller if body.get("controller") else self.sky.log))
        else:
            self.sky.writes.append(self.path)
            self._send(405, b"{}")

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
