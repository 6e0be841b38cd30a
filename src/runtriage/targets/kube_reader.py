"""Two ways to GET from a Kubernetes API server: the user's own `kubectl get --raw`, and the official Python client."""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Final, Protocol

from runtriage.model.pattern import deferred
from runtriage.targets import kube_context
from runtriage.targets.errors import NO_ACCESS, TargetError

TIMEOUT: Final = 20
"""Seconds one answer may take."""
_SAID: Final = deferred(r"Error from server \((\w+)\): ([^\n]*)")
_CODES: Final = {"NotFound": 404, "Forbidden": 403, "Unauthorized": 401, "BadRequest": 400, "TooManyRequests": 429}
_LATE: Final = deferred(r"deadline exceeded|[Tt]imeout exceeded|timed out|i/o timeout")
_TEXT: Final = 300
_OK: Final = 200


@dataclass
class KubeError(Exception):
    """An answer that could not be had: the HTTP status where there was one, one line that says why, and whether it was waited for in vain."""

    status: int | None
    reason: str
    waited: bool = False


class KubeReader(Protocol):
    """Reads one path; there is no other verb."""

    def get(self, path: str) -> bytes:
        """Return the body of a GET. Raises `KubeError`."""
        ...


class Kubectl:
    """Reads through `kubectl get --raw`, which carries the user's login and cannot write."""

    def __init__(self, context: str | None, seconds: int = TIMEOUT) -> None:
        self._seconds = seconds
        self._command = ["kubectl", *(["--context", context] if context else []), f"--request-timeout={seconds}s"]

    def get(self, path: str) -> bytes:
        """Return the body of a GET. Raises `KubeError`."""
        try:
            done = subprocess.run(
                [*self._command, "get", "--raw", path],
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=self._seconds + 5,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise KubeError(None, f"kubectl gave no answer within {self._seconds + 5} s", waited=True) from None
        except OSError as error:
            raise KubeError(None, f"kubectl cannot be started: {(error.strerror or '').lower()}") from None
        if done.returncode == 0:
            return done.stdout
        raise _told(done.stderr.decode("utf-8", "replace"))


def _told(stderr: str) -> KubeError:
    found = _SAID.search(stderr)
    if found:
        return KubeError(_CODES.get(found[1]), found[2][:_TEXT] or found[1])
    lines = [line for line in stderr.splitlines() if line.strip() and not line.startswith(("E", "I", "W"))]
    last = (lines or stderr.splitlines() or ["kubectl failed without a message"])[-1]
    return KubeError(None, last[:_TEXT], waited=bool(_LATE.search(last)))


class OfficialClient:
    """Reads through the Python client: where there is no kubectl, and inside a cluster."""

    def __init__(self, context: str | None, seconds: int = TIMEOUT) -> None:
        self._seconds = seconds
        try:
            client: Any = import_module("kubernetes.client")
            config: Any = import_module("kubernetes.config")
        except ImportError:
            text = "Kubernetes needs kubectl on the PATH, or the Python client: pip install 'runtriage[k8s]'"
            raise TargetError(text, NO_ACCESS) from None
        self._api: Any = _configured(client, config, context)

    def get(self, path: str) -> bytes:
        """Return the body of a GET. Raises `KubeError`."""
        broken: Any = import_module("urllib3.exceptions").HTTPError
        settings = self._api.configuration
        headers = {"Accept": "application/json, */*"}
        # The pool of connections and the settings have stayed the same from version to version, the calls above them have not.
        for auth in settings.auth_settings().values():
            if auth["in"] == "header" and auth["value"]:
                headers[auth["key"]] = auth["value"]
        try:
            answer = self._api.rest_client.pool_manager.request(
                "GET", settings.host + path, headers=headers, timeout=self._seconds, redirect=False, retries=False
            )
        except broken as error:
            name = type(error).__name__
            raise KubeError(None, f"no connection ({name})", waited="Timeout" in name) from None
        if answer.status != _OK:
            raise KubeError(answer.status, _message(answer.data) or f"HTTP {answer.status}")
        return bytes(answer.data)


def _configured(client: Any, config: Any, context: str | None) -> Any:
    try:
        if context is None and kube_context.in_cluster():
            settings = client.Configuration()
            account = import_module("kubernetes.config.incluster_config").InClusterConfigLoader(
                token_filename=str(kube_context.MOUNT / "token"), cert_filename=str(kube_context.MOUNT / "ca.crt")
            )
            account.load_and_set(settings)
            return client.ApiClient(settings)
        return config.new_client_from_config(config_file=os.environ.get("KUBECONFIG") or None, context=context)
    except (config.ConfigException, OSError) as error:
        raise TargetError(f"no usable Kubernetes config: {str(error)[:_TEXT]}", NO_ACCESS) from None


def _message(body: Any) -> str:
    import json

    try:
        return str(json.loads(body)["message"])[:_TEXT]
    except (TypeError, ValueError, KeyError):
        return ""


def reader(context: str | None, seconds: int = TIMEOUT) -> KubeReader:
    """Return kubectl where it is installed, else the Python client; one answer may take `seconds`. Raises `TargetError` where there is neither."""
    return Kubectl(context, seconds) if shutil.which("kubectl") else OfficialClient(context, seconds)
