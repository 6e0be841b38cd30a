"""A small HTTP server on loopback that answers from a table, refuses everything else, and remembers what it was asked."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlsplit

Reply = Callable[["Asked"], Any]


@dataclass
class Asked:
    """One request."""

    method: str
    path: str
    params: dict[str, str]
    headers: Mapping[str, str]
    body: Any = None


class Status(Exception):
    """An answer other than 200."""

    def __init__(self, code: int, body: Any = None, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(code)
        self.code = code
        self.body = body if body is not None else {"message": f"status {code}"}
        self.headers = headers or {}


@dataclass
class Answering:
    """The server; `asked` are its requests in order, `refused` those it had no answer to."""

    routes: dict[tuple[str, str], Reply]
    url: str = ""
    asked: list[Asked] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)

    def answer(self, request: Asked) -> tuple[int, bytes, Mapping[str, str]]:
        self.asked.append(request)
        reply = self.routes.get((request.method, request.path))
        if reply is None:
            self.refused.append(f"{request.method} {request.path}")
            code = 404 if request.method == "GET" else 405
            return code, json.dumps({"message": "no such thing"}).encode(), {}
        try:
            found = reply(request)
        except Status as status:
            return status.code, json.dumps(status.body).encode(), status.headers
        return 200, found if isinstance(found, bytes) else json.dumps(found).encode(), {}


@contextmanager
def answering(routes: dict[tuple[str, str], Reply]) -> Generator[Answering]:
    """Run the server on a free port for as long as the `with` lasts."""
    server = Answering(routes)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def _do(self) -> None:
            parts = urlsplit(self.path)
            content = self.rfile.read(int(self.headers.get("content-length") or 0))
            asked = Asked(
                self.command,
                parts.path,
                dict(parse_qsl(parts.query)),
                {name.lower(): value for name, value in self.headers.items()},
                json.loads(content) if content else None,
            )
            code, body, headers = server.answer(asked)
            self.send_response(code)
            for name, value in {
                "content-type": "application/json",
                "content-length": str(len(body)),
                **headers,
            }.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = _do

        def log_message(self, format: str, *args: object) -> None:
            return

    listening = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    listening.daemon_threads = True
    server.url = f"http://127.0.0.1:{listening.server_address[1]}"
    thread = threading.Thread(target=listening.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        listening.shutdown()
        listening.server_close()
        thread.join()
