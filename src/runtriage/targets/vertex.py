"""A pipeline job or custom job on Vertex AI, with the logs of what failed in it."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from runtriage.model.artifact import Artifact, Request
from runtriage.model.pattern import deferred
from runtriage.targets.errors import USAGE, TargetError
from runtriage.targets.fetched import Shelf
from runtriage.targets.fetching import Fetching, Got
from runtriage.targets.grammar import Spec
from runtriage.targets.http_client import Allowed, HttpClient, Refused
from runtriage.targets.json_values import entries
from runtriage.targets.vertex_login import endpoint, project_of, token_source

REGION: Final = "us-central1"
_FULL: Final = deferred(r"projects/([\w.:-]+)/locations/([a-z0-9-]+)/(pipelineJobs|customJobs)/([\w.-]+)")
_PLACED: Final = deferred(r"locations/([a-z0-9-]+)/pipelineJobs/([\w.-]+)")
_JOB: Final = deferred(r"[A-Za-z0-9][\w.-]{0,127}")
_PATH: Final = r"/v1/projects/[\w.:-]+/locations/[a-z0-9-]+/(?:pipelineJobs|customJobs)/[\w.-]+"
_ENTRIES: Final = "/v2/entries:list"
_PAGE: Final = 1_000
_PAGES: Final = 20
_CUT: Final = "only the newest {} entries of the log were read"
_LOGIN: Final = "log in with `gcloud auth application-default login`"


def open_target(spec: Spec, environment: Mapping[str, str] | None = None) -> Fetching:
    """Return the target of `vertex:JOB` or of a full resource name. Raises `TargetError` where the job cannot be had."""
    variables = os.environ if environment is None else environment
    name = full_name(spec.rest, variables)
    region = name.split("/")[3]
    job = VertexJob(name, region, variables)
    try:
        job.fetch()
    except Refused as refusal:
        job.close()
        raise refusal.fatal() from None
    return job.target(spec.text)


def full_name(rest: str, variables: Mapping[str, str]) -> str:
    """Return the resource name of a job; project and region come from the environment where they are not told. Raises `TargetError`."""
    if _FULL.fullmatch(rest):
        return rest
    placed = _PLACED.fullmatch(rest)
    region = placed[1] if placed else variables.get("CLOUDSDK_AI_REGION") or REGION
    job = placed[2] if placed else rest
    if not _JOB.fullmatch(job):
        raise TargetError(
            "vertex: names no job; give its id or projects/PROJECT/locations/REGION/pipelineJobs/ID", USAGE
        )
    project = project_of(variables)
    if project is None:
        raise TargetError("which Google Cloud project? give --project PROJECT, or set GOOGLE_CLOUD_PROJECT", USAGE)
    return f"projects/{project}/locations/{region}/pipelineJobs/{job}"


class VertexJob:
    """One job: its record, jobs nested in it, and entries of the log. It only reads."""

    def __init__(self, name: str, region: str, variables: Mapping[str, str]) -> None:
        self._name = name
        self._shelf = Shelf()
        self._first: Artifact | None = None
        base = endpoint("aiplatform", variables) or f"https://{region}-aiplatform.googleapis.com"
        logging = endpoint("logging", variables) or "https://logging.googleapis.com"
        headers = token_source(variables, (base, logging))
        self._jobs = HttpClient("Vertex AI", base, [Allowed("GET", _PATH)], headers=headers, login=_LOGIN)
        self._logs = HttpClient("Cloud Logging", logging, [Allowed("POST", _ENTRIES)], headers=headers, login=_LOGIN)

    def close(self) -> None:
        """Let go of connections."""
        self._jobs.close()
        self._logs.close()

    def fetch(self) -> None:
        """Fetch the record of the job. Raises `Refused`."""
        self._first = self._record(self._name, "vertex-job")

    def target(self, label: str) -> Fetching:
        """Return the job as a target."""
        fetchers = {"vertex-job": self._whole, "vertex-custom-job": self._nested, "vertex-logs": self._entries}
        first = [Request(kind="vertex-job", args={"name": self._name}, reason="state, tasks and errors of the job")]
        return Fetching(label, self._shelf, fetchers, first, close=self.close)

    def _whole(self, request: Request) -> Got:
        return Got([self._first] if self._first else [])

    def _nested(self, request: Request) -> Got:
        return Got([self._record(request.args["name"], request.kind)])

    def _record(self, name: str, source: str) -> Artifact:
        answer = self._jobs.get(f"/v1/{name}")
        kind, job = name.split("/")[-2:]
        if not answer.members().get("name"):
            raise Refused(f"{answer.who} answers with something that is no job: another service is at this address")
        return self._shelf.keep(f"{kind}/{job}.json", answer.content, kind="record", source=source)

    def _entries(self, request: Request) -> Got:
        """Fetch entries between explicit times, the newest first: without a time the service would look back one day only."""
        args = request.args
        query = f'resource.type="{args["resource"]}" AND resource.labels.{args["label"]}="{args["id"]}"'
        query += f' AND timestamp>="{args["start"]}"' if args.get("start") else ' AND timestamp>="2000-01-01T00:00:00Z"'
        query += f' AND timestamp<="{_later(args["end"])}"' if args.get("end") else ""
        body: dict[str, object] = {
            "resourceNames": [f"projects/{self._name.split('/')[1]}"],
            "filter": query,
            "orderBy": "timestamp desc",
            "pageSize": _PAGE,
        }
        found: list[dict[str, Any]] = []
        for _ in range(_PAGES):
            answer = self._logs.post(_ENTRIES, body).members()
            found += entries(answer, "entries")
            if not answer.get("nextPageToken"):
                break
            body = {**body, "pageToken": answer["nextPageToken"]}
        else:
            return self._kept(request, found, _CUT.format(len(found)))
        return self._kept(request, found, None)

    def _kept(self, request: Request, found: list[dict[str, Any]], cut: str | None) -> Got:
        if not found:
            return Got([], cut)
        content = json.dumps({"entries": found}, indent=1).encode()
        return Got(
            [self._shelf.keep(f"logs/{request.args['id']}.json", content, kind="record", source=request.kind)], cut
        )


def _later(stamp: str) -> str:
    """Return a time a little after the one told: last lines arrive late. What is no time stays as it is."""
    try:
        when = datetime.fromisoformat(stamp) + timedelta(minutes=15)
    except ValueError:
        return stamp
    return when.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
