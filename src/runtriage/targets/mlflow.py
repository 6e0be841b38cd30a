"""An MLflow run: through the REST API of a tracking server, or from the folder or database of a local store."""

from __future__ import annotations

import base64
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

from runtriage.model.pattern import deferred
from runtriage.targets.errors import NOT_FOUND, USAGE, TargetError
from runtriage.targets.fetching import Fetching
from runtriage.targets.grammar import Spec
from runtriage.targets.http_client import Allowed, HttpClient, Refused, secure
from runtriage.targets.mlflow_rest import PATHS, MlflowRun
from runtriage.targets.mlflow_store import from_database, from_folder
from runtriage.targets.together import OpenTarget

URI: Final = "MLFLOW_TRACKING_URI"
_LOGIN: Final = "set MLFLOW_TRACKING_USERNAME and MLFLOW_TRACKING_PASSWORD, or MLFLOW_TRACKING_TOKEN"
_PAGE: Final = deferred(r"(https?://[^#]*?)/?(?:#/.*?|ajax-api/.*?)?/?runs/([0-9a-f]{32})(?:[/?].*)?")
_DATABASE: Final = "sqlite:///"
_HOSTED: Final = ("databricks", "databricks-uc")


def open_target(spec: Spec, environment: Mapping[str, str] | None = None) -> OpenTarget:
    """Return the target of `mlflow:RUN`, RUN being an id, a name, or the address of the run's page. Raises `TargetError`."""
    variables = os.environ if environment is None else environment
    page = _PAGE.fullmatch(spec.rest)
    run = page[2] if page else spec.rest
    uri = page[1] if page else variables.get(URI, "") or _local()
    if not run or "\n" in run:
        raise TargetError("mlflow: names no run; give mlflow:RUN_ID or the run's name", USAGE)
    if uri.startswith(("http://", "https://")):
        return _remote(spec.text, uri, run, variables)
    if uri.startswith(_DATABASE):
        return from_database(spec.text, Path(uri.removeprefix(_DATABASE)), run)
    if uri.startswith("file:") or ("://" not in uri and uri.partition(":")[0] not in _HOSTED):
        path = unquote(urlsplit(uri).path) if uri.startswith("file:") else uri
        return from_folder(spec.text, Path(path), run)
    raise TargetError(f"{URI} has a scheme that is not read here; http, https, file and sqlite are", USAGE)


def _local() -> str:
    for name, prefix in (("mlflow.db", _DATABASE), ("mlruns", "")):
        if Path(name).exists():
            return prefix + name
    raise TargetError(f"no MLflow store: set {URI} to the server's address, or go where mlruns or mlflow.db is", USAGE)


def _remote(label: str, uri: str, run: str, variables: Mapping[str, str]) -> Fetching:
    headers = _headers(variables)
    if headers and not secure(uri):
        raise TargetError(f"{URI} is not encrypted (http): credentials are not sent there; use https", USAGE)
    verify = variables.get("MLFLOW_TRACKING_INSECURE_TLS", "").lower() not in ("true", "1")
    allowed = [Allowed(method, path) for method, path in PATHS]
    client = HttpClient("MLflow", uri, allowed, headers=lambda: headers, login=_LOGIN, verify=verify)
    try:
        found = MlflowRun(client, run)
    except Refused as refusal:
        client.close()
        raise refusal.fatal() from None
    if found.missing:
        client.close()
        raise TargetError(f"MLflow at {client.place} has no run {run!r}", NOT_FOUND)
    return Fetching(label, found.shelf, found.fetchers, found.first, close=client.close)


def _headers(variables: Mapping[str, str]) -> dict[str, str]:
    user, password = variables.get("MLFLOW_TRACKING_USERNAME"), variables.get("MLFLOW_TRACKING_PASSWORD")
    token = variables.get("MLFLOW_TRACKING_TOKEN")
    if user and password:
        return {"authorization": "Basic " + base64.b64encode(f"{user}:{password}".encode()).decode()}
    return {"authorization": f"Bearer {token}"} if token else {}
