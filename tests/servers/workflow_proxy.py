"""A proxy in front of a real server that spoils chosen answers, and refuses and records every request that is not a read."""

from __future__ import annotations

import http.client
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import ClassVar, Self

READS = frozenset({"GET", "HEAD"})


@dataclass
class Proxy:
    """Passes requests to `port`. `denied` are pieces of paths answered with 403, `cut` with half a body, `slow` after `delay` seconds.

    `redirected` maps pieces of paths to addresses. `requests` records each request with its headers, `writes` each that is no read.
    """

    port: int
    denied: tuple[str, ...] = ()
    cut: tuple[str, ...] = ()
    slow: tuple[str, ...] = ()
    delay: float = 0.0
    redirected: dict[str, str] = field(default_factory=dict[str, str])
    denial: bytes = b"<Error><Code>AccessDenied</Code></Error>"
    requests: list[tuple[str, str, dict[str, str]]] = field(default_factory=list[tuple[str, str, dict[str, str]]])
    writes: list[str] = field(default_factory=list[str])

    def __enter__(self) -> Self:
        handler = type("Handler", (_Handler,), {"proxy": self})
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    @property
    def own_port(self) -> int:
        """The port it listens at."""
        return self._server.server_port

    @property
    def url(self) -> str:
        """Its address."""
        return f"http://127.0.0.1:{self.own_port}"


class _Handler(BaseHTTPRequestHandler):
    proxy: ClassVar[Proxy]
    protocol_version = "HTTP/1.1"

    def _answer(self) -> None:
        proxy = self.proxy
        proxy.requests.append((self.command, self.path, dict(self.headers)))
        if self.command not in READS:
            proxy.writes.append(f"{self.command} {self.path}")
            return self._send(405, b"", {})
        if any(piece in self.path for piece in proxy.slow):
            time.sleep(proxy.delay)
        if any(piece in self.path for piece in proxy.denied):
            return self._send(403, proxy.denial, {"Content-Type": "application/json"})
        for piece, target in proxy.redirected.items():
            if piece in self.path:
                return self._send(307, b"", {"Location": target})
        return self._pass_on()

    def _pass_on(self) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", self.proxy.port, timeout=30)
        connection.request(self.command, self.path, headers=dict(self.headers))
        response = connection.getresponse()
        body = response.read()
        headers = {
            name: value
            for name, value in response.getheaders()
            if name.lower() not in ("transfer-encoding", "connection", "content-length", "date", "server")
        }
        length = int(response.getheader("Content-Length") or len(body))
        connection.close()
        if self.command == "GET" and any(piece in self.path for piece in self.proxy.cut):
            self._send(response.status, body[: len(body) // 2], headers, length=length)
            self.close_connection = True
            return
        self._send(response.status, body, headers, length=length)

    def _send(self, status: int, body: bytes, headers: dict[str, str], *, length: int | None = None) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body) if length is None else length))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    do_GET: Callable[[_Handler], None] = _answer
    do_HEAD = do_POST = do_PUT = do_DELETE = do_PATCH = _answer

    def log_message(self, format: str, *args: object) -> None:
        """Print nothing."""
