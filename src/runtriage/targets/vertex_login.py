"""Where Google Cloud's services are, which project is meant, and who asks: the same settings gcloud itself reads."""

from __future__ import annotations

import configparser
import shutil
import subprocess
from collections.abc import Callable, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from runtriage.targets.errors import NO_ACCESS, USAGE, TargetError
from runtriage.targets.http_client import secure

_PROJECTS: Final = ("GOOGLE_CLOUD_PROJECT", "CLOUDSDK_CORE_PROJECT", "GCLOUD_PROJECT")
_SCOPE: Final = "https://www.googleapis.com/auth/cloud-platform"
_SECONDS: Final = 30
_SAID: Final = 200


def endpoint(service: str, variables: Mapping[str, str]) -> str | None:
    """Return the address that stands in for a service, None for the usual one."""
    found = variables.get(f"CLOUDSDK_API_ENDPOINT_OVERRIDES_{service.upper()}")
    return found.rstrip("/") if found else None


def project_of(variables: Mapping[str, str]) -> str | None:
    """Return the project of the environment, or of gcloud's active configuration."""
    for name in _PROJECTS:
        if variables.get(name):
            return variables[name]
    home = variables.get("CLOUDSDK_CONFIG")
    folder = Path(home) if home else Path(variables.get("HOME", "/")) / ".config" / "gcloud"
    try:
        active = (folder / "active_config").read_text(encoding="utf-8").strip() or "default"
    except OSError:
        active = "default"
    parser = configparser.ConfigParser(interpolation=None)
    try:
        parser.read(folder / "configurations" / f"config_{active.replace('/', '')}", encoding="utf-8")
    except (configparser.Error, UnicodeDecodeError):
        return None
    return parser.get("core", "project", fallback=None)


def token_source(variables: Mapping[str, str], addresses: Sequence[str]) -> Callable[[], Mapping[str, str]]:
    """Return what gives the headers of each question. Raises `TargetError` where nobody is logged in.

    A token of the environment comes first, then the application-default login, then that of gcloud. None goes out unencrypted.
    """
    local = all(secure(address) and address.startswith("http://") for address in addresses)
    token = variables.get("CLOUDSDK_AUTH_ACCESS_TOKEN") or variables.get("GOOGLE_OAUTH_ACCESS_TOKEN")
    if not all(map(secure, addresses)):
        raise TargetError("an address of Google Cloud is not encrypted (http): credentials are not sent there", USAGE)
    if token:
        headers = {"authorization": f"Bearer {token}"}
        return lambda: headers
    if local:
        return dict[str, str]
    own = _default_login()
    if not isinstance(own, str):
        return own
    found = _gcloud_login()
    if found is None:
        package = "" if find_spec("google") and find_spec("google.auth") else "pip install 'runtriage[gcp]' and "
        raise TargetError(
            f"no login for Google Cloud ({own}): {package}gcloud auth application-default login", NO_ACCESS
        )
    return found


def _default_login() -> Callable[[], Mapping[str, str]] | str:
    """Return the application-default login; why there is none, in the words of its package, where it is not set up or that is missing."""
    from importlib import import_module

    try:
        auth: Any = import_module("google.auth")
        transport: Any = import_module("google.auth.transport.requests")
    except ImportError as error:
        return str(error)
    try:
        credentials: Any = auth.default(scopes=[_SCOPE])[0]
        asking: Any = transport.Request()
    except Exception as error:  # noqa: BLE001 - whatever is wrong with this login, another may be there
        return _reason(error)

    def headers() -> Mapping[str, str]:
        if not credentials.valid:
            credentials.refresh(asking)
        return {"authorization": f"Bearer {credentials.token}"}

    return headers


def _reason(error: Exception) -> str:
    """Return the first line of what a package says of a login that it cannot use; that names files and settings, and quotes none."""
    said = str(error.args[0]) if error.args else type(error).__name__
    return said.strip().split("\n")[0][:_SAID].rstrip(".")


def _gcloud_login() -> Callable[[], Mapping[str, str]] | None:
    """Return the token that gcloud prints for its user; None where gcloud is not installed or nobody is logged in."""
    binary = shutil.which("gcloud")
    if binary is None:
        return None
    try:
        done = subprocess.run(
            [binary, "auth", "print-access-token", "--quiet"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    token = done.stdout.decode("ascii", "ignore").strip()
    if done.returncode != 0 or not token:
        return None
    headers = {"authorization": f"Bearer {token}"}
    return lambda: headers
