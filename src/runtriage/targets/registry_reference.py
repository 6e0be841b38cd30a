"""References to images, and the credential that belongs to a registry's host."""

from __future__ import annotations

import base64
import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final, Literal, cast

from msgspec import Struct

from runtriage.model.pattern import deferred
from runtriage.model.registry import Authority, ImageReference

_HOST: Final = deferred(r"[A-Za-z0-9](?:[A-Za-z0-9.-]{0,252}[A-Za-z0-9])?(?::\d{1,5})?|\[[0-9A-Fa-f:]+\](?::\d{1,5})?")
_REPOSITORY: Final = deferred(r"[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*(?:/[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*)*")
_TAG: Final = deferred(r"\w[\w.-]{0,127}")
_DIGEST: Final = deferred(r"sha256:[0-9a-f]{64}")
HUB: Final = ("docker.io", "index.docker.io", "registry-1.docker.io")
"""Names of one registry."""
_DEFAULT_USER: Final = "iam"


Kind = Literal["password", "identity", "registry"]


class Credential(Struct, frozen=True):
    """What is kept for one host; printing it shows nothing of it.

    Its `kind`: a user and a password, an identity token that a token server exchanges, or a token that the registry itself takes.
    """

    authority: Authority
    user: str
    secret: str
    kind: Kind = "password"

    def __repr__(self) -> str:
        return f"<credential of {self.authority}>"


_TOKENS: Final[tuple[tuple[str, Kind], ...]] = (("registrytoken", "registry"), ("identitytoken", "identity"))
"""Members that count before user and password, as container tools take them."""


def reference(text: str) -> ImageReference | str:
    """Return the reference a text holds, or why it is none."""
    name, _, digest = text.strip().partition("@")
    host, slash, rest = name.partition("/")
    if not slash or not ("." in host or ":" in host or host == "localhost"):
        return "the image does not name its registry; write it whole, such as docker.io/library/python:3.12"
    repository, colon, tag = rest.partition(":")
    if host in HUB and "/" not in repository:
        repository = f"library/{repository}"
    if not _HOST.fullmatch(host):
        return "the name of the registry is malformed"
    if not _REPOSITORY.fullmatch(repository) or len(repository) > 255:
        return "the repository is malformed: lower-case letters, digits, and single . _ - between them"
    if digest and not _DIGEST.fullmatch(digest):
        return "the digest is malformed: sha256: and 64 hexadecimal digits"
    if (colon and not _TAG.fullmatch(tag)) or ("@" in text and not digest):
        return "the tag or digest is malformed"
    return ImageReference(host=host, repository=repository, reference=digest or tag or "latest")


def api_host(host: str) -> str:
    """Return the host that speaks the registry's protocol."""
    return "registry-1.docker.io" if host in HUB else host


def operator_configs(environment: Mapping[str, str] | None = None) -> Iterator[object]:
    """Yield what the user's own container tools keep: each of their configurations that can be read, in the order in which they count."""
    env = os.environ if environment is None else environment
    home = Path(env.get("HOME") or Path.home())
    files = (
        [Path(env["DOCKER_CONFIG"]) / "config.json"] if env.get("DOCKER_CONFIG") else [home / ".docker" / "config.json"]
    )
    files += [Path(env["REGISTRY_AUTH_FILE"])] if env.get("REGISTRY_AUTH_FILE") else []
    files += [Path(env["XDG_RUNTIME_DIR"]) / "containers" / "auth.json"] if env.get("XDG_RUNTIME_DIR") else []
    for file in files:
        try:
            yield json.loads(file.read_bytes())
        except (OSError, ValueError):
            continue


def of_config(config: object, host: str, authority: Authority) -> Credential | None:
    """Return the credential for exactly this host from a document as container tools keep it, or None."""
    auths = cast("dict[str, Any]", config).get("auths") if isinstance(config, dict) else None
    if not isinstance(auths, dict):
        return None
    for name, entry in cast("dict[str, object]", auths).items():
        bare = name.removeprefix("https://").removeprefix("http://").partition("/")[0]
        if bare != host and not (bare in HUB and host in HUB):
            continue
        found = _entry(entry, authority)
        if found is not None:
            return found
    return None


def of_secret(document: bytes, host: str) -> Credential | str:
    """Return the credential for a host from a pull secret as the cluster gives it, or what is wrong with it. Nothing of it is kept."""
    try:
        secret: Any = json.loads(document)
        kind, data = secret.get("type"), cast("dict[str, str]", secret.get("data") or {})
        if kind != "kubernetes.io/dockerconfigjson":
            return f"the secret is of type {str(kind)[:80]}, not kubernetes.io/dockerconfigjson"
        config = json.loads(base64.b64decode(data[".dockerconfigjson"], validate=True))
    except (ValueError, KeyError, AttributeError, TypeError):
        return "the secret holds no registry configuration that can be read"
    found = of_config(config, host, "kubernetes_image_pull_secret")
    return found or f"the secret holds no usable credential for {host}"


def _entry(entry: object, authority: Authority) -> Credential | None:
    if not isinstance(entry, dict):
        return None
    held = cast("dict[str, object]", entry)
    for name, kind in _TOKENS:
        if held.get(name):
            return Credential(authority, "", str(held[name]), kind)
    user, secret = str(held.get("username") or ""), str(held.get("password") or "")
    if held.get("auth"):
        try:
            user, _, secret = base64.b64decode(str(held["auth"]), validate=True).decode("utf-8").partition(":")
        except (ValueError, UnicodeDecodeError):
            return None
    return Credential(authority, user or _DEFAULT_USER, secret) if secret else None
