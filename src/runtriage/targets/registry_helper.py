"""Credentials that a helper of the user's container tools keeps: asked to `get` the one of a host, and nothing else is ever asked of it."""

from __future__ import annotations

import json
import shutil
import subprocess
from typing import Final, cast

from runtriage.model.pattern import deferred
from runtriage.targets.registry_reference import HUB, Credential, of_config, operator_configs

_NAME: Final = deferred(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_SECONDS: Final = 20
_LIMIT: Final = 1 << 20
_HUB_KEY: Final = "https://index.docker.io/v1/"
_IDENTITY: Final = "<token>"
"""The user name under which a helper gives an identity token, which is no password."""


def operator_credential(host: str) -> tuple[Credential | None, str]:
    """Return the credential the user's container tools hold for a host, or None and what a helper said that holds none."""
    said = ""
    for config in operator_configs():
        helper = helper_of(config, host)
        answer = ask(helper, host) if helper else ""
        found = answer if isinstance(answer, Credential) else of_config(config, host, "operator")
        if found is not None:
            return found, ""
        said = said or (answer if isinstance(answer, str) else "")
    return None, said


def helper_of(config: object, host: str) -> str | None:
    """Return the name of the helper that a configuration names for a host, or for all hosts; None where it names none."""
    held = cast("dict[str, object]", config) if isinstance(config, dict) else {}
    named = held.get("credHelpers")
    chosen = cast("dict[str, object]", named).get(host) if isinstance(named, dict) else None
    found = chosen or held.get("credsStore")
    return found if isinstance(found, str) and found else None


def ask(name: str, host: str) -> Credential | str:
    """Return the credential of a host out of a helper, or in a few words why there is none."""
    program = shutil.which(f"docker-credential-{name}") if _NAME.fullmatch(name) else None
    if program is None:
        return f"docker-credential-{name[:64]} is not installed"
    key = _HUB_KEY if host in HUB else host
    try:
        done = subprocess.run([program, "get"], input=key.encode(), capture_output=True, timeout=_SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return f"docker-credential-{name} gave no answer within {_SECONDS} s"
    except OSError:
        return f"docker-credential-{name} cannot be started"
    if done.returncode != 0:
        return f"docker-credential-{name} holds no credential for {host}"
    return _read(name, done.stdout[:_LIMIT])


def _read(name: str, content: bytes) -> Credential | str:
    try:
        found = json.loads(content)
        user, secret = str(found["Username"]), str(found["Secret"])
    except (ValueError, TypeError, KeyError):
        return f"docker-credential-{name} gave no user and secret"
    if not secret:
        return f"docker-credential-{name} gave an empty secret"
    return Credential("operator", user, secret, "identity" if user == _IDENTITY else "password")
