"""The namespace that kubectl would use: what the context says, else that of the pod this program runs in, else `default`."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Final, cast

from runtriage.targets.errors import USAGE, TargetError

_IN_CLUSTER: Final = Path("/var/run/secrets/kubernetes.io/serviceaccount/namespace")
_DEFAULT: Final = "default"


def namespace_of(context: str | None) -> str:
    """Return the namespace of a context, or of the current one. Raises `TargetError` for a context that no config file has."""
    files = [Path(name) for name in os.environ.get("KUBECONFIG", "").split(os.pathsep) if name]
    current, named = "", dict[str, str]()
    for path in files or [Path.home() / ".kube" / "config"]:
        config = _read(path)
        current = current or str(config.get("current-context") or "")
        for entry in cast("list[dict[str, Any]]", config.get("contexts") or []):
            inner: dict[str, Any] = entry.get("context") or {}
            named.setdefault(str(entry.get("name")), str(inner.get("namespace") or _DEFAULT))
    if context is not None and named and context not in named:
        raise TargetError(f"no context {context} in the kubectl config; known are {', '.join(sorted(named))}", USAGE)
    return named.get(context or current) or _own()


def _read(path: Path) -> dict[str, Any]:
    import yaml

    try:
        found = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError):
        return {}
    return cast("dict[str, Any]", found) if isinstance(found, dict) else {}


def _own() -> str:
    try:
        return _IN_CLUSTER.read_text(encoding="utf-8").strip() or _DEFAULT
    except OSError:
        return _DEFAULT
