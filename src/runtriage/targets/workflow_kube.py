"""Pods, events, nodes and one named secret of a cluster, as workflow runs and registries ask for them."""

from __future__ import annotations

from typing import Final
from urllib.parse import quote

from msgspec import Struct

from runtriage.targets.errors import TargetError
from runtriage.targets.kube_context import namespace_of
from runtriage.targets.kube_reader import KubeError, reader

LABEL: Final = "skypilot-cluster-name"
_SECONDS: Final = 30
"""What one answer may take: lists are of the whole cluster."""
_FORBIDDEN: Final = "KUBERNETES_RBAC"
_UNAVAILABLE: Final = "KUBERNETES_DIAGNOSTICS_UNAVAILABLE"
_BY_STATUS: Final = {401: "KUBERNETES_AUTHENTICATION", 403: _FORBIDDEN}
_BY_WORD: Final = (
    ("forbidden", _FORBIDDEN),
    ("unauthorized", "KUBERNETES_AUTHENTICATION"),
    ("must be logged in", "KUBERNETES_AUTHENTICATION"),
    ("timed out", "KUBERNETES_TIMEOUT"),
    ("timeout", "KUBERNETES_TIMEOUT"),
    ("no such host", "KUBERNETES_DNS"),
)
"""What is said of a refusal that comes without a status, and the code it stands for."""


class KubeAnswer(Struct, frozen=True):
    """One answer: the document, or a code in `refused` for why there is none and the line that says so.

    `absent` tells that the server knows no such object.
    """

    out: bytes = b""
    refused: str = ""
    err: str = ""
    absent: bool = False


class Kube:
    """One context of the user's configuration."""

    def __init__(self, context: str | None = None) -> None:
        self._context = context

    def pods(self) -> KubeAnswer:
        """Return the pods that belong to jobs: of all namespaces, or where that is forbidden of the context's own."""
        answer = self._get(f"/api/v1/pods?labelSelector={quote(LABEL)}")
        if answer.refused != _FORBIDDEN:
            return answer
        own = self._get(f"/api/v1/namespaces/{quote(self._namespace(), safe='')}/pods?labelSelector={quote(LABEL)}")
        return answer if own.refused else own

    def active_pods(self) -> KubeAnswer:
        """Return all pods that have not ended: what those on a node hold is not free, what the others ask for may not stay so."""
        return self._get("/api/v1/pods?fieldSelector=status.phase%21%3DSucceeded,status.phase%21%3DFailed")

    def events(self, namespace: str) -> KubeAnswer:
        """Return the events of a namespace."""
        return self._get(f"/api/v1/namespaces/{quote(namespace, safe='')}/events")

    def nodes(self) -> KubeAnswer:
        """Return the nodes."""
        return self._get("/api/v1/nodes")

    def secret(self, namespace: str, name: str) -> KubeAnswer:
        """Return one secret; asked only for the one the user names."""
        return self._get(f"/api/v1/namespaces/{quote(namespace, safe='')}/secrets/{quote(name, safe='')}")

    def _namespace(self) -> str:
        """Return the namespace of the context."""
        try:
            return namespace_of(self._context)
        except TargetError:
            return "default"

    def _get(self, path: str) -> KubeAnswer:
        try:
            return KubeAnswer(reader(self._context, _SECONDS).get(path))
        except TargetError as error:
            return KubeAnswer(refused=_UNAVAILABLE, err=str(error))
        except KubeError as error:
            return KubeAnswer(refused=_code(error), err=error.reason, absent=error.status == 404)


def _code(error: KubeError) -> str:
    if error.waited:
        return "KUBERNETES_TIMEOUT"
    text = error.reason.lower()
    said = next((code for word, code in _BY_WORD if word in text), _UNAVAILABLE)
    return _BY_STATUS.get(error.status or 0, said)
