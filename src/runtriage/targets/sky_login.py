"""Which SkyPilot API server is asked and as whom: from the environment and the files the `sky` command itself reads."""

from __future__ import annotations

import getpass
import os
from collections.abc import Mapping
from http.cookiejar import LoadError, MozillaCookieJar
from pathlib import Path
from typing import Any, Final, cast
from urllib.parse import urlsplit

from msgspec import Struct, field

from runtriage.model.pattern import deferred
from runtriage.targets.errors import USAGE, TargetError
from runtriage.targets.http_client import secure

_ENDPOINT: Final = "SKYPILOT_API_SERVER_ENDPOINT"
_TOKEN: Final = "SKYPILOT_SERVICE_ACCOUNT_TOKEN"
_COOKIES: Final = "SKYPILOT_API_COOKIE_FILE"
_USER: Final = deferred(r"[0-9a-f]{1,64}")
_LIMIT: Final = 1 << 20


class Login(Struct, frozen=True):
    """The address of a server, the headers that say who asks (never shown), and the variables by which it knows whose jobs are meant."""

    endpoint: str
    secret: Mapping[str, str] = field(default_factory=dict[str, str])
    variables: Mapping[str, str] = field(default_factory=dict[str, str])

    def __repr__(self) -> str:
        return f"Login({self.endpoint!r})"

    def headers(self) -> Mapping[str, str]:
        """Return the headers of a request."""
        return self.secret


def login(endpoint: str | None = None, environment: Mapping[str, str] | None = None) -> Login | None:
    """Return the login for a server, or for the one the `sky` command is set up for; None where there is none.

    Raises `TargetError` for an address that is none, and where credentials would travel in the clear.
    """
    env = os.environ if environment is None else environment
    folder = Path(env.get("HOME") or Path.home()) / ".sky"
    table = _table(folder / "config.yaml")
    address = (endpoint or env.get(_ENDPOINT) or str(table.get("endpoint") or "")).rstrip("/")
    if not address:
        return None
    parts = urlsplit(address)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise TargetError("the address of the SkyPilot API server is to be written as https://HOST", USAGE)
    secret = _secret(address, env.get(_TOKEN) or str(table.get("service_account_token") or ""), env, folder)
    if (secret or parts.username) and not secure(address):
        raise TargetError(f"SkyPilot: credentials do not travel unencrypted to {parts.hostname}; use https", USAGE)
    return Login(address, secret, _variables(env, folder))


def _secret(address: str, token: str, env: Mapping[str, str], folder: Path) -> dict[str, str]:
    if token:
        return {"Authorization": f"Bearer {token}"}
    jar = MozillaCookieJar(env.get(_COOKIES) or str(folder / "cookies.txt"))
    try:
        jar.load(ignore_discard=True)
    except (OSError, LoadError):
        return {}
    host = urlsplit(address).hostname or ""
    kept = [f"{each.name}={each.value}" for each in jar if each.domain.lstrip(".") == host]
    return {"Cookie": "; ".join(kept)} if kept else {}


def _variables(env: Mapping[str, str], folder: Path) -> dict[str, str]:
    """Return who asks, as the command itself tells it: a server without sign-in refuses a question that lacks either of the two."""
    user = env.get("SKYPILOT_USER_ID") or _read(folder / "user_hash").strip()
    return {"SKYPILOT_USER_ID": user, "SKYPILOT_USER": _name(env)} if _USER.fullmatch(user) else {}


def _name(env: Mapping[str, str]) -> str:
    try:
        return env.get("SKYPILOT_USER") or getpass.getuser()
    except (KeyError, OSError):
        return "unknown"


def _table(path: Path) -> Mapping[str, Any]:
    import yaml

    try:
        found = yaml.safe_load(_read(path))
    except yaml.YAMLError:
        return {}
    held = cast("dict[str, Any]", found).get("api_server") if isinstance(found, dict) else None
    return cast("dict[str, Any]", held) if isinstance(held, dict) else {}


def _read(path: Path) -> str:
    try:
        return path.read_bytes()[:_LIMIT].decode("utf-8", "replace")
    except OSError:
        return ""
