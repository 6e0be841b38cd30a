"""Challenges of a registry, and how each kind of credential answers one. What is secret is only ever put into a request."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from typing import Final, cast
from urllib.parse import urlencode, urlsplit

from msgspec import Struct, field

from runtriage.model.pattern import deferred
from runtriage.targets.registry_reference import Credential

_CHALLENGE: Final = deferred(r"([\w-]+)(?:\s+(.*))?")
_FIELD: Final = deferred(r'([\w-]+)="([^"]{0,2000})"')
_CLIENT: Final = "runtriage"


class Question(Struct, frozen=True):
    """One request for a token: by GET, with the password where there is one, or by POST with an identity token in its body."""

    method: str
    params: Mapping[str, str] = field(default_factory=dict[str, str])
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    content: bytes | None = None

    def __repr__(self) -> str:
        return f"Question({self.method!r})"


def challenge(header: str) -> tuple[str, dict[str, str]]:
    """Return the scheme of a challenge in lower case and its fields."""
    found = _CHALLENGE.match(header[:8192])
    if not found:
        return "", {}
    return found[1].lower(), {name.lower(): value for name, value in _FIELD.findall(found[2] or "")}


def safe_realm(realm: str, base: str) -> bool:
    """Tell whether a credential may be taken to the token server that a registry names."""
    parts = urlsplit(realm)
    clear = parts.scheme == "http" and base.startswith("https")
    return parts.scheme in ("http", "https") and bool(parts.netloc) and "@" not in parts.netloc and not clear


def question(credential: Credential | None, repository: str, service: str) -> Question:
    """Return how to ask for a token that allows pulling this repository and nothing else; having one proves nothing yet."""
    asked = {"scope": f"repository:{repository}:pull"} | ({"service": service} if service else {})
    if credential is not None and credential.kind == "identity":
        form = {
            "grant_type": "refresh_token",
            "client_id": _CLIENT,
            "access_type": "online",
            "refresh_token": credential.secret,
        }
        kind = {"Content-Type": "application/x-www-form-urlencoded"}
        return Question("POST", headers=kind, content=urlencode(form | asked).encode())
    return Question("GET", asked, {"Authorization": basic(credential)} if credential else {})


def basic(credential: Credential) -> str:
    """Return the header of a user and a password."""
    return f"Basic {base64.b64encode(f'{credential.user}:{credential.secret}'.encode()).decode()}"


def token_of(content: bytes) -> str:
    """Return the token an answer holds, or an empty string."""
    try:
        found: object = json.loads(content)
    except (ValueError, RecursionError):
        return ""
    held = cast("dict[str, object]", found) if isinstance(found, dict) else {}
    token = held.get("token") or held.get("access_token")
    return token if isinstance(token, str) else ""
