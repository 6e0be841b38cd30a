"""Pods, events and nodes of a cluster through `kubectl get --raw`, which carries the user's own login and can only read, or the official client."""

from __future__ import annotations

import shutil
import subprocess
from typing import Final
from urllib.parse import quote

from msgspec import Struct

from runtriage.targets.errors import TargetError
from runtriage.targets.kube_context import namespace_of
from runtriage.targets.kube_reader import KubeError, OfficialClient

LABEL: Final = "skypilot-cluster-name"
_SECONDS: Final = 30
_LIMIT: Final = 64 << 20
_REFUSALS: Final = {401: "Unauthorized: ", 403: "Forbidden: ", 404: "NotFound: "}
"""Words with which kubectl begins the same refusals."""


class KubeAnswer(Struct, frozen=True):
    """One answer: the return code decides before the document does, since a refused list may still print an empty one."""

    code: int
    out: bytes
    err: str

    @property
    def refused(self) -> str:
        """A code for why there is no answer, or an empty string."""
        text = self.err.lower()
        if self.code == 0:
            return ""
        for word, code in (
            ("not installed", "KUBERNETES_DIAGNOSTICS_UNAVAILABLE"),
            ("forbidden", "KUBERNETES_RBAC"),
            ("unauthorized", "KUBERNETES_AUTHENTICATION"),
            ("must be logged in", "KUBERNETES_AUTHENTICATION"),
            ("timed out", "KUBERNETES_TIMEOUT"),
            ("timeout", "KUBERNETES_TIMEOUT"),
            ("no such host", "KUBERNETES_DNS"),
        ):
            if word in text:
                return code
        return "KUBERNETES_DIAGNOSTICS_UNAVAILABLE"


class Kube:
    """One context of the user's configuration."""

    def __init__(self, context: str | None = None) -> None:
        self._binary = shutil.which("kubectl")
        self._context = context

    def pods(self) -> KubeAnswer:
        """Return the pods that belong to jobs: of all namespaces, or where that is forbidden of the context's own."""
        answer = self._get(f"/api/v1/pods?labelSelector={quote(LABEL)}")
        if answer.refused != "KUBERNETES_RBAC":
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
        if self._binary is None:
            return self._without_kubectl(path)
        return self._ask(self._binary, f"--request-timeout={_SECONDS}s", "get", "--raw", path)

    def _without_kubectl(self, path: str) -> KubeAnswer:
        """Return what the official client reads, as the service account of the pod this runs in or as the config file says."""
        try:
            return KubeAnswer(0, OfficialClient(self._context).get(path), "")
        except TargetError:
            return KubeAnswer(127, b"", "kubectl is not installed")
        except KubeError as error:
            return KubeAnswer(1, b"", f"{_REFUSALS.get(error.status or 0, '')}{error.reason}")

    def _ask(self, binary: str, *arguments: str) -> KubeAnswer:
        context = [f"--context={self._context}"] if self._context else []
        command = [binary, *context, *arguments]
        try:
            done = subprocess.run(
                command, stdin=subprocess.DEVNULL, capture_output=True, timeout=_SECONDS + 5, check=False
            )
        except subprocess.TimeoutExpired:
            return KubeAnswer(1, b"", "timed out")
        except OSError as error:
            return KubeAnswer(126, b"", f"kubectl is not installed: {error.strerror}")
        return KubeAnswer(done.returncode, done.stdout[:_LIMIT], done.stderr.decode("utf-8", "replace")[:2000])
