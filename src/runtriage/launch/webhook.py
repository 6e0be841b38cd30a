"""Posts a report to a place the user named."""

from __future__ import annotations

import json
import time
from typing import Final
from urllib.error import URLError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

_PATIENCE: Final = 10.0
_TRIES: Final = 3
_PAUSE: Final = 1.0


class _NoRedirect(HTTPRedirectHandler):
    """A report goes where the user said and nowhere else."""

    def redirect_request(self, *arguments: object, **named: object) -> None:
        """Follow no redirect."""


def usable(url: str) -> bool:
    """Tell whether a URL can be posted to."""
    parts = urlsplit(url)
    return parts.scheme in ("http", "https") and bool(parts.hostname)


def post(url: str, document: dict[str, object]) -> str | None:
    """Post a document as JSON; return why that failed, without the URL, which often holds a secret."""
    body = json.dumps(document, ensure_ascii=True).encode()
    request = Request(url, body, {"Content-Type": "application/json", "User-Agent": "runtriage"}, method="POST")
    opener, problem = build_opener(_NoRedirect()), ""
    for turn in range(_TRIES):
        if turn:
            time.sleep(_PAUSE * turn)
        try:
            with opener.open(request, timeout=_PATIENCE):
                return None
        except (URLError, OSError, ValueError) as error:
            code = getattr(error, "code", None)
            problem = f"HTTP {code}" if code else type(getattr(error, "reason", error)).__name__
            if code is not None and code < 500:
                break
    return f"the notification was not delivered ({problem})"
