"""The server over HTTP: on loopback for anyone on it, elsewhere for those who hold the token."""

from __future__ import annotations

import hmac
import socket
from typing import Any

from mcp.server.mcpserver import MCPServer
from mcp.server.transport_security import TransportSecuritySettings
from starlette.types import ASGIApp, Receive, Scope, Send

from runtriage.api.exposure import LOCAL, check
from runtriage.mcp.wire import LONGEST


def application(made: MCPServer, host: str, token: str | None, names: list[str]) -> ASGIApp:
    """Return the application; `names` are further names under which clients may reach it. Raises `ExposedError`."""
    check(host, token)
    own = f"[{host}]" if ":" in host else host
    allowed = [*(f"{name}:*" for name in LOCAL), f"{own}:*", *(f"{name}:*" for name in names), *names]
    origins = [f"{scheme}://{each}" for each in allowed for scheme in ("http", "https")]
    security = TransportSecuritySettings(allowed_hosts=allowed, allowed_origins=origins)
    inner = made.streamable_http_app(host=host, max_request_body_size=LONGEST, transport_security=security)
    return inner if token is None else _Guarded(inner, token)


def serve(app: ASGIApp, host: str, port: int) -> None:
    """Answer until the process is told to stop. Raises OSError where the address cannot be taken."""
    import uvicorn

    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.create_server((host, port), family=family) as listening:
        config = uvicorn.Config(app, log_level="warning", access_log=False, server_header=False)
        uvicorn.Server(config).run(sockets=[listening])


class _Guarded:
    """Answers requests that carry the token and refuses all others."""

    def __init__(self, inner: ASGIApp, token: str) -> None:
        self._inner = inner
        self._expected = f"Bearer {token}".encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and not self._admits(scope):
            headers = [(b"content-type", b"text/plain"), (b"www-authenticate", b"Bearer")]
            await send({"type": "http.response.start", "status": 401, "headers": headers})
            await send({"type": "http.response.body", "body": b"a token is needed\n"})
            return
        await self._inner(scope, receive, send)

    def _admits(self, scope: Scope) -> bool:
        headers: list[tuple[bytes, bytes]] = scope["headers"]
        given: Any = next((value for name, value in headers if name == b"authorization"), b"")
        return hmac.compare_digest(given, self._expected)
