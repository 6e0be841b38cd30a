"""The server over HTTP: on loopback for anyone on it, elsewhere for those who hold the token."""

from __future__ import annotations

import hmac
import ipaddress
import socket
from typing import Any, Final

from mcp.server.mcpserver import MCPServer
from mcp.server.transport_security import TransportSecuritySettings
from starlette.types import ASGIApp, Receive, Scope, Send

TOKEN_LENGTH: Final = 16
_BODY: Final = 1 << 20
_LOCAL: Final = ["127.0.0.1:*", "localhost:*", "[::1]:*"]


class ExposedError(Exception):
    """The server would answer strangers; one line that says what it needs."""


def check(host: str, token: str | None) -> None:
    """Raise `ExposedError` for an address beyond loopback without a token, and for a token that can be guessed."""
    if token is None and not loopback(host):
        raise ExposedError(
            f"{host} can be reached from other machines; set the token that clients must send, see --token-env"
        )
    if token is not None and len(token) < TOKEN_LENGTH:
        raise ExposedError(f"the token is shorter than {TOKEN_LENGTH} characters")


def loopback(host: str) -> bool:
    """Tell whether an address is reached from this machine alone."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def application(made: MCPServer, host: str, token: str | None, names: list[str]) -> ASGIApp:
    """Return the application; `names` are further names under which clients may reach it. Raises `ExposedError`."""
    check(host, token)
    allowed = [*_LOCAL, f"{host}:*", *(f"{name}:*" for name in names), *names]
    origins = [f"{scheme}://{each}" for each in allowed for scheme in ("http", "https")]
    security = TransportSecuritySettings(allowed_hosts=allowed, allowed_origins=origins)
    inner = made.streamable_http_app(host=host, max_request_body_size=_BODY, transport_security=security)
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
