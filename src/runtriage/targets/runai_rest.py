"""The six reads over the REST API of a Run:ai control plane: GET only, but for the exchange of an application's secret for a token."""

from __future__ import annotations

import json
from collections.abc import Mapping
from types import TracebackType
from typing import Any, Final, Self, cast
from urllib.parse import quote, urlsplit

from runtriage.model.runai import HISTORY, LIST, METRICS, PODS, SPEC, STATUS, TOOLS
from runtriage.targets.errors import NO_ACCESS, USAGE, TargetError
from runtriage.targets.http_client import AGAIN, Allowed, HttpClient, Refused, secure
from runtriage.targets.runai_reads import Arguments, ReadError, absent

_PAGE: Final = 50
_EVENTS: Final = 5
_ID: Final = "RUNAI_CLIENT_ID"
_SECRET: Final = "RUNAI_CLIENT_SECRET"
_TOKENS: Final = "/api/v1/token"
_UNKNOWN_GRANT: Final = 400
"""How older control planes, which know only `app_token`, answer the newer grant."""
_ALLOWED: Final = (Allowed("GET", r"/api/v1/workloads(?:/[^/?#]+){0,3}"), Allowed("POST", _TOKENS))

Document = dict[str, Any]


class RestReads:
    """Answers each tool with one or two GETs, in the shape the tool has over MCP.

    With a `token` nothing is exchanged; otherwise `RUNAI_CLIENT_ID` and `RUNAI_CLIENT_SECRET` of the environment are. Neither is ever
    printed, and redirects are not followed.
    """

    def __init__(self, base: str, *, token: str | None, environment: Mapping[str, str]) -> None:
        if urlsplit(base).scheme not in ("http", "https"):
            raise TargetError("--api: give the URL of the control plane, as https://ORG.run.ai", USAGE)
        if not secure(base):
            raise TargetError(
                "--api: the address is not encrypted (http), so no token is sent there; give https", USAGE
            )
        self._base = base
        self._token = token
        self._environment = environment

    def __enter__(self) -> Self:
        self._http = HttpClient("Run:ai", self._base, _ALLOWED, headers=self._headers)
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
        try:
            return self._http.get(path, query).members()
        except Refused as refused:
            raise _error(refused) from None

    def _exchanged(self) -> str:
        """Return the access token an application gets for its id and secret."""
        identity, secret = self._environment.get(_ID), self._environment.get(_SECRET)
        if not identity or not secret:
            raise ReadError(f"set RUNAI_TOKEN, or {_ID} and {_SECRET}")
        try:
            found = self._granted({"grantType": "client_credentials", "clientId": identity, "clientSecret": secret})
        except Refused as refused:
            if refused.status != _UNKNOWN_GRANT:
                raise _error(refused) from None
            try:
                found = self._granted({"grantType": "app_token", "AppId": identity, "AppSecret": secret})
            except Refused as again:
                raise _error(again) from None
        if not isinstance(found, str) or not found:
            raise ReadError("the answer holds no accessToken")
        return found

    def _granted(self, body: Mapping[str, str]) -> object:
        return self._http.post(_TOKENS, body).members().get("accessToken")

    def _headers(self) -> dict[str, str]:
        return {"Accept": "application/json"} | ({"Authorization": f"Bearer {self._token}"} if self._token else {})


def _path(args: Arguments) -> str:
    return f"/api/v1/workloads/{quote(str(args['workloadId']), safe='')}"


def _error(refused: Refused) -> ReadError:
    """Return what is cited of a read that got no answer: its status, without what the server said, which may quote a secret."""
    status = refused.status
    if status == 404:
        return absent("HTTP 404")
    if status in (401, 403):
        what = "the token is not valid" if status == 401 else "the token may not read this"
        return ReadError(f"HTTP {status}: {what}")
    if status:
        return ReadError(f"HTTP {status}{', also when asked again' if status in AGAIN else ''}")
    return ReadError(str(refused))
