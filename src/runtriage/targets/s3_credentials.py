"""Endpoint, region and keys of S3 from the standard places: the environment, then the profile files. Nothing is ever written."""

from __future__ import annotations

import os
from collections.abc import Mapping
from configparser import ConfigParser, Error
from pathlib import Path
from typing import Final

_DEFAULT_REGION: Final = "us-east-1"


def s3_settings(
    endpoint: str | None = None, profile: str | None = None, environment: Mapping[str, str] | None = None
) -> dict[str, str]:
    """Return settings under the names obstore takes. Without keys in any file the library looks for those of the machine."""
    env = os.environ if environment is None else environment
    name = profile or env.get("AWS_PROFILE") or env.get("AWS_DEFAULT_PROFILE") or "default"
    keys, options = _section(_credentials_file(env), name), _section(_config_file(env), name, prefixed=True)
    use_env = profile is None and bool(env.get("AWS_ACCESS_KEY_ID"))
    found = {
        "endpoint": endpoint
        or env.get("AWS_ENDPOINT_URL_S3")
        or env.get("AWS_ENDPOINT_URL")
        or options.get("endpoint_url")
        or keys.get("endpoint_url")
        or "",
        "region": env.get("AWS_REGION")
        or env.get("AWS_DEFAULT_REGION")
        or options.get("region")
        or keys.get("region")
        or _DEFAULT_REGION,
    }
    for setting, variable in (
        ("access_key_id", "AWS_ACCESS_KEY_ID"),
        ("secret_access_key", "AWS_SECRET_ACCESS_KEY"),
        ("session_token", "AWS_SESSION_TOKEN"),
    ):
        stored = keys.get(f"aws_{setting}") or options.get(f"aws_{setting}") or ""
        found[setting] = env.get(variable, "") if use_env else stored
    return {setting: value for setting, value in found.items() if value}


def credential_files(environment: Mapping[str, str] | None = None) -> tuple[Path, ...]:
    """Return the files credentials are read from, whether they exist or not; none of them is written by the commands that read it."""
    env = os.environ if environment is None else environment
    kube = [Path(part) for part in env.get("KUBECONFIG", "").split(os.pathsep) if part]
    sky = _home(env) / ".sky" / "config.yaml"
    return (_credentials_file(env), _config_file(env), sky, *(kube or [_home(env) / ".kube" / "config"]))


def _credentials_file(env: Mapping[str, str]) -> Path:
    named = env.get("AWS_SHARED_CREDENTIALS_FILE")
    return Path(named).expanduser() if named else _home(env) / ".aws" / "credentials"


def _config_file(env: Mapping[str, str]) -> Path:
    named = env.get("AWS_CONFIG_FILE")
    return Path(named).expanduser() if named else _home(env) / ".aws" / "config"


def _home(env: Mapping[str, str]) -> Path:
    return Path(env["HOME"]) if env.get("HOME") else Path.home()


def _section(path: Path, name: str, *, prefixed: bool = False) -> dict[str, str]:
    parser = ConfigParser(interpolation=None, strict=False, default_section="\0")
    try:
        parser.read_string(path.read_text(encoding="utf-8"))
    except (OSError, Error, UnicodeDecodeError):
        return {}
    section = f"profile {name}" if prefixed and name != "default" else name
    return dict(parser[section]) if parser.has_section(section) else {}
