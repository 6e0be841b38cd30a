"""The six reads over the REST API of a Run:ai control plane: GET only, but for the exchange of an application's secret for a token."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import Any, Final, Self, cast
from urllib.parse import quote, urlsplit

from runtriage.model.runai import HISTORY, LIST, METRICS, PODS, SPEC, STATUS, TOOLS
from runtriage.targets.errors import NO_ACCESS, USAGE, TargetError
from runtriage.targets.runai_reads import Arguments, ReadError, absent

TIMEOUT: Final = 20.0
_TRIES: Final = 4
_PAUSE: Final = 0.3
_LONGEST_WAIT: Final = 5.0
_PASSING: Final = frozenset({429, 500, 502, 503, 504})
_PAGE: Final = 50
_EVENTS: Final = 5
_ID: Final = "RUNAI_CLIENT_ID"
_SECRET: Final = "RUNAI_CLIENT_SECRET"

Document = dict[str, Any]


class RestReads:
    """Answers each tool with one or two GETs, in the shape the tool has over MCP.

    With a `token` nothing is exchanged; otherwise `RUNAI_CLIENT_ID` and `RUNAI_CLIENT_SECRET` of the environment are. Neither is ever
    printed, and redirects are not followed.
    """

    def __init__(
        self,
        base: str,
        *,
        token: str | None,
        environment: Mapping[str, str],
        timeout: float = TIMEOUT,
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        if urlsplit(base).scheme not in ("http", "https"):
            raise TargetError("--api: give the URL of the control plane, as https://ORG.run.ai", USAGE)
        self._base = base.rstrip("/")
        self._token = token
        self._environment = environment
        self._timeout = timeout
        self._pause = pause
        self._http: Any = None

    def __enter__(self) -> Self:
        try:
            import httpx2
        except ImportError:
            raise TargetError("the REST API needs an extra: pip install 'runtriage[remote]'", USAGE) from None
        self._http = httpx2.Client(timeout=self._timeout, follow_redirects=False)
        if not self._token:
            try:
                self._token = self._exchanged()
            except ReadError as error:
                self._http.close()
                raise TargetError(f"no token from Run:ai: {error.reason}", NO_ACCESS) from None
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None:
        self._http.close()

    def call(self, tool: str, arguments: Arguments) -> bytes:
        """Return the answer in the tool's shape. Raises `ReadError`, and ValueError for a tool that is not on the list."""
        if tool not in TOOLS:
            raise ValueError(f"{tool} is not on the list of reads")
        read = {
            LIST: self._list,
            STATUS: self._status,
            SPEC: self._spec,
            PODS: self._pods,
            HISTORY: self._history,
            METRICS: self._metrics,
        }[tool]
        return json.dumps(read(arguments)).encode()

    def _list(self, args: Arguments) -> Document:
        project = cast("Mapping[str, str]", args["projectName"])["value"]
        filters = [f"name=={args['name']}", f"clusterId=={args['clusterId']}", f"projectName=={project}"]
        offset = cast(int, args.get("offset", 0))
        query = {
            "filterBy": ",".join(filters),
            "sortBy": str(args["sortBy"]),
            "sortOrder": str(args["sortOrder"]),
            "offset": offset,
            "limit": _PAGE,
        }
        page = self._get("/api/v1/workloads", query)
        following = page.get("next")
        more = {"nextOffset": following} if following else {}
        return {"workloads": page.get("workloads") or [], "hasMore": bool(following), **more}

    def _status(self, args: Arguments) -> Document:
        path = _path(args)
        found = self._get(path)
        try:
            events: object = self._get(f"{path}/events", {"limit": _EVENTS, "sortOrder": "desc"}).get("events") or []
        except ReadError:
            events = None
        return {**found, "events": events}

    def _spec(self, args: Arguments) -> Document:
        found = self._get(_path(args))
        kind = str(found.get("type", "workload")).lower()
        plural = {"training": "trainings", "distributed": "distributed", "inference": "inferences"}.get(
            kind, f"{kind}s"
        )
        wanted = quote(str(args["workloadId"]), safe="")
        try:
            return {
                **self._get(f"/api/v1/workloads/{quote(plural, safe='')}/{wanted}"),
                "workloadId": args["workloadId"],
            }
        except ReadError:
            return {"workloadId": args["workloadId"], "type": found.get("type")}

    def _pods(self, args: Arguments) -> Document:
        return {"workloadId": args["workloadId"], "pods": self._get(f"{_path(args)}/pods").get("pods") or []}

    def _history(self, args: Arguments) -> Document:
        page = self._get(
            f"{_path(args)}/history", {"limit": cast(int, args["limit"]), "offset": cast(int, args["offset"])}
        )
        records: list[Any] = page.get("records") or page.get("history") or []
        return {"workloadId": args["workloadId"], "records": records, "next": page.get("next")}

    def _metrics(self, args: Arguments) -> Document:
        query = {"metricType": "CPU_MEMORY_USAGE_BYTES", "start": str(args["start"]), "end": str(args["end"])}
        found = self._get(f"{_path(args)}/metrics", {**query, "numberOfSamples": cast(int, args["numberOfSamples"])})
        return {"workloadId": args["workloadId"], "measurements": found.get("measurements") or []}

    def _get(self, path: str, query: Mapping[str, str | int] | None = None) -> Document:
        headers = {"Authorization": f"Bearer {self._token}", "Accept": "application/json"}
        return self._asked("GET", path, headers=headers, params=dict(query or {}))

    def _exchanged(self) -> str:
        """Return the access token an application gets for its id and secret."""
        identity, secret = self._environment.get(_ID), self._environment.get(_SECRET)
        if not identity or not secret:
            raise ReadError(f"set RUNAI_TOKEN, or {_ID} and {_SECRET}")
        try:
            body = {"grantType": "client_credentials", "clientId": identity, "clientSecret": secret}
            found = self._asked("POST", "/api/v1/token", json=body).get("accessToken")
        except ReadError as error:
            if error.reason != "HTTP 400":
                raise
            older = {"grantType": "app_token", "AppId": identity, "AppSecret": secret}
            found = self._asked("POST", "/api/v1/token", json=older).get("accessToken")
        if not isinstance(found, str) or not found:
            raise ReadError("the answer holds no accessToken")
        return found

    def _asked(self, method: str, path: str, **request: Any) -> Document:
        import httpx2

        failure = "not asked"
        for attempt in range(_TRIES):
            wait = _PAUSE * 2**attempt * random.uniform(0.5, 1.5)
            try:
                answer = self._http.request(method, self._base + path, **request)
            except httpx2.TimeoutException:
                raise ReadError(f"no answer from {urlsplit(self._base).hostname} within {self._timeout:g} s") from None
            except httpx2.TransportError as error:
                failure = f"no connection to {urlsplit(self._base).hostname} ({type(error).__name__})"
            else:
                if answer.status_code not in _PASSING:
                    return _document(answer.status_code, answer.content)
                failure = f"HTTP {answer.status_code}, also when asked again"
                told = str(answer.headers.get("retry-after", ""))
                wait = min(float(told), _LONGEST_WAIT) if told.isdecimal() else wait
            if attempt < _TRIES - 1:
                self._pause(wait)
        raise ReadError(failure)


def _path(args: Arguments) -> str:
    return f"/api/v1/workloads/{quote(str(args['workloadId']), safe='')}"


def _document(status: int, content: bytes) -> Document:
    if status == 404:
        raise absent("HTTP 404")
    if status in (401, 403):
        what = "the token is not valid" if status == 401 else "the token may not read this"
        raise ReadError(f"HTTP {status}: {what}")
    if status != 200:
        raise ReadError(f"HTTP {status}")
    try:
        found = json.loads(content)
    except ValueError:
        raise ReadError("the answer is no JSON") from None
    if not isinstance(found, dict):
        raise ReadError("the answer is no JSON object")
    return cast("Document", found)
