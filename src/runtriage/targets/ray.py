"""A job submitted to Ray: its record, log and dead actors from the dashboard's REST API, or the log folder of a session."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from runtriage.model.artifact import Request
from runtriage.model.pattern import deferred
from runtriage.targets.errors import USAGE, TargetError
from runtriage.targets.fetched import Shelf
from runtriage.targets.fetching import Fetch, Fetching, Got
from runtriage.targets.grammar import Spec
from runtriage.targets.http_client import Allowed, HttpClient, Refused, secure
from runtriage.targets.json_values import entries, mapping
from runtriage.targets.names import shown
from runtriage.targets.together import OpenTarget

ADDRESS: Final = "RAY_API_SERVER_ADDRESS"
_OTHER: Final = "RAY_ADDRESS"
_HEADERS: Final = "RAY_JOB_HEADERS"
_DEFAULT: Final = "http://127.0.0.1:8265"
_JOB: Final = deferred(r"[A-Za-z0-9][\w.-]{0,127}")
_URL: Final = deferred(r"(https?://[^\s]+)/([A-Za-z0-9][\w.-]{0,127})")
_ALLOWED: Final = (
    Allowed("GET", r"/api/jobs/[\w.-]+"),
    Allowed("GET", r"/api/jobs/[\w.-]+/logs"),
    Allowed("GET", r"/api/v0/(?:actors|tasks|nodes)"),
)
_LIMIT: Final = 1_000


def open_target(spec: Spec, environment: Mapping[str, str] | None = None) -> OpenTarget:
    """Return the target of `ray:JOB`, `ray:http://dashboard:8265/JOB`, or `ray:FOLDER` of a session. Raises `TargetError`."""
    variables = os.environ if environment is None else environment
    url = _URL.fullmatch(spec.rest)
    job = url[2] if url else spec.rest
    if not url and Path(job).is_dir():
        from runtriage.targets.local import LocalTarget
        from runtriage.targets.survey import survey

        return LocalTarget(shown(spec.text), survey([Path(job)]), [Path(job)])
    if not _JOB.fullmatch(job):
        raise TargetError(f"ray: {shown(job)!r} is no job; give the submission id, e.g. ray:raysubmit_abc", USAGE)
    base = url[1] if url else _address(variables)
    headers = _headers(variables)
    if headers and not secure(base):
        raise TargetError(f"{ADDRESS} is not encrypted (http): {_HEADERS} is not sent there", USAGE)
    client = HttpClient("Ray's dashboard", base, _ALLOWED, headers=lambda: headers, login=f"set {_HEADERS}")
    found = RayJob(client, job)
    try:
        found.fetch()
    except Refused as refusal:
        client.close()
        raise refusal.fatal() from None
    return found.target(spec.text)


def _address(variables: Mapping[str, str]) -> str:
    told = variables.get(ADDRESS) or variables.get(_OTHER) or ""
    return told if told.startswith(("http://", "https://")) else _DEFAULT


def _headers(variables: Mapping[str, str]) -> dict[str, str]:
    try:
        held = mapping(json.loads(variables.get(_HEADERS) or "{}"))
    except ValueError:
        raise TargetError(f"{_HEADERS} is no JSON object", USAGE) from None
    return {name: str(value) for name, value in held.items()}


class RayJob:
    """One job on one cluster. It only reads."""

    def __init__(self, client: HttpClient, job: str) -> None:
        self._client = client
        self._job = job
        self._shelf = Shelf()
        self._record: dict[str, Any] = {}

    def fetch(self) -> None:
        """Fetch the record of the job. Raises `Refused`."""
        self._record = self._client.get(f"/api/jobs/{self._job}").members()

    def target(self, label: str) -> Fetching:
        """Return the job as a target."""
        args = {"job": self._job}
        first = [
            Request(kind="ray-job", args=args, reason="state and message of the job"),
            Request(kind="ray-log", args=args, reason="what the driver and the workers printed"),
            Request(kind="ray-actors", args=args, reason="actors that died, and why"),
            Request(kind="ray-tasks", args=args, reason="tasks that failed, and why"),
            Request(kind="ray-nodes", args=args, reason="nodes that are gone"),
        ]
        fetchers: dict[str, Fetch] = {
            "ray-job": self._whole,
            "ray-log": self._log,
            "ray-actors": lambda request: self._states(request, "actors", "DEAD"),
            "ray-tasks": lambda request: self._states(request, "tasks", "FAILED"),
            "ray-nodes": lambda request: self._states(request, "nodes", "DEAD"),
        }
        return Fetching(label, self._shelf, fetchers, first, close=self._client.close)

    def _whole(self, request: Request) -> Got:
        content = json.dumps(self._record, indent=1).encode()
        return Got([self._shelf.keep("job.json", content, kind="record", source=request.kind)])

    def _log(self, request: Request) -> Got:
        answer = self._client.get(f"/api/jobs/{self._job}/logs")
        log = mapping(answer.data()).get("logs") if not answer.cut else None
        if not log:
            return Got([], "the log is longer than 64 MiB" if answer.cut else None)
        content = str(log).encode("utf-8", "replace")
        return Got([self._shelf.keep(f"job-driver-{self._job}.log", content, kind="log", source=request.kind)])

    def _states(self, request: Request, what: str, state: str) -> Got:
        """Ask the state API for what ended badly; of actors and tasks only those of this job."""
        asked: dict[str, str | int] = {
            "limit": _LIMIT,
            "detail": 1,
            "filter_keys": "state",
            "filter_predicates": "=",
            "filter_values": state,
        }
        result = entries(self._client.get(f"/api/v0/{what}", asked).data(), "data", "result", "result")
        own = [each for each in result if what == "nodes" or each.get("job_id") == self._record.get("job_id")]
        if not own:
            return Got([])
        content = json.dumps({f"ray_{what}": own}, indent=1).encode()
        return Got([self._shelf.keep(f"{what}.json", content, kind="record", source=request.kind)])
