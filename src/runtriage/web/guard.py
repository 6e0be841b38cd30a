"""Who may ask, and what every answer says to the browser."""

from __future__ import annotations

import hmac
from http.cookies import CookieError, SimpleCookie
from typing import Final
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from runtriage.web.site import UPLOAD_LIMIT, Site

COOKIE: Final = "runtriage_token"
API: Final = "/api/"
_OPEN: Final = frozenset({"/login", "/static/site.css", "/favicon.ico"})
_SAFE: Final = frozenset({"GET", "HEAD"})
POLICY: Final = (
    "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
_HEADERS: Final = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cache-control": "no-store",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "x-frame-options": "DENY",
}


class Guard:
    """Refuses hosts that are not this site's, forms that other sites send, and whoever has no token."""

    def __init__(self, app: ASGIApp, site: Site) -> None:
        self._app = app
        self._site = site

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a refusal, or pass the request on and add the headers."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(raw=message["headers"])
                headers.setdefault("content-security-policy", POLICY)
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
                message["headers"] = headers.raw
            await send(message)

        refusal = self._refusal(scope)
        await (refusal or self._app)(scope, _bounded(receive), sending)

    def _refusal(self, scope: Scope) -> Response | None:
        headers, path, method = Headers(scope=scope), str(scope["path"]), str(scope["method"])
        host = headers.get("host", "")
        if self._site.hosts is not None and _name(host) not in self._site.hosts:
            return PlainTextResponse("this name does not lead here; ask for http://127.0.0.1 or localhost\n", 421)
        if method not in _SAFE and _foreign(headers, host):
            return PlainTextResponse("another site sent this; it was refused\n", 403)
        if self._site.token is None or path in _OPEN or may(headers, self._site.token):
            return None
        if path.startswith(API):
            return JSONResponse(
                {"error": "give the token as Authorization: Bearer"}, 401, {"www-authenticate": "Bearer"}
            )
        return RedirectResponse("/login", 303)


def _bounded(receive: Receive) -> Receive:
    """Return a receiver that ends a request whose body is too long, whatever its header says."""
    taken = 0

    async def receiving() -> Message:
        nonlocal taken
        message = await receive()
        taken += len(message.get("body", b""))
        if taken > UPLOAD_LIMIT:
            raise HTTPException(413, f"an upload may have {UPLOAD_LIMIT >> 20} MB")
        return message

    return receiving


def may(headers: Headers, token: str) -> bool:
    """Tell whether a request carries the token, as a bearer or in the cookie of the login page."""
    scheme, _, given = headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer" and same(given.strip(), token):
        return True
    try:
        cookie = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
    except CookieError:
        return False
    return cookie is not None and same(cookie.value, token)


def same(given: str, token: str) -> bool:
    """Compare two tokens in a time that tells nothing."""
    return hmac.compare_digest(given.encode("utf-8", "replace"), token.encode())


def _foreign(headers: Headers, host: str) -> bool:
    """Tell whether a browser says that the request comes from another site; programs say nothing and are no danger."""
    if headers.get("sec-fetch-site", "same-origin") not in {"same-origin", "none"}:
        return True
    origin = headers.get("origin")
    return origin is not None and urlsplit(origin).netloc != host


def _name(host: str) -> str:
    return host.rpartition(":")[0] if ":" in host.rpartition("]")[2] else host
