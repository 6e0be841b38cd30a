"""The namespace that kubectl would use: what the context says, else that of the pod this program runs in, else `default`."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Final, cast

from runtriage.targets.errors import USAGE, TargetError

MOUNT = Path("/var/run/secrets/kubernetes.io/serviceaccount")
"""Where a pod finds the token, the authority and the namespace of its service account."""
_HOST: Final = "KUBERNETES_SERVICE_HOST"
_DEFAULT: Final = "default"


def namespace_of(context: str | None) -> str:
    """Return the namespace of a context, or of the current one. Raises `TargetError` for a context that no config file has."""
    current, named = "", dict[str, str]()
    for path in _files():
        config = _read(path)
        current = current or str(config.get("current-context") or "")
        for entry in cast("list[dict[str, Any]]", config.get("contexts") or []):
            inner: dict[str, Any] = entry.get("context") or {}
            named.setdefault(str(entry.get("name")), str(inner.get("namespace") or _DEFAULT))
    if context is not None and named and context not in named:
        raise TargetError(f"no context {context} in the kubectl config; known are {', '.join(sorted(named))}", USAGE)
    return named.get(context or current) or _own()


def in_cluster() -> bool:
    """Tell whether this program runs in a pod that has no config file of its own: then its service account is who asks."""
    return bool(os.environ.get(_HOST)) and not any(path.exists() for path in _files())


def _files() -> list[Path]:
    named = [Path(name) for name in os.environ.get("KUBECONFIG", "").split(os.pathsep) if name]
    return named or [Path.home() / ".kube" / "config"]


def _read(path: Path) -> dict[str, Any]:
    import yaml

    try:
        found = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError):
        return {}
    return cast("dict[str, Any]", found) if isinstance(found, dict) else {}


def _own() -> str:
    try:
        return (MOUNT / "namespace").read_text(encoding="utf-8").strip() or _DEFAULT
    except OSError:
        return _DEFAULT
