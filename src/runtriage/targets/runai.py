"""A Run:ai workload as a target: read requests become calls of the six tools, or reads of its pods from Kubernetes."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from types import TracebackType
from typing import Any, Final, Self, cast

from msgspec import Struct

from runtriage.model.artifact import Artifact, Collected, Outcome, Request, Skipped, Unavailable
from runtriage.model.runai import HISTORY, KIND, LIST, METRICS, STATUS, TERMINAL, TOOLS, kind
from runtriage.model.target import ByteStream
from runtriage.targets.errors import USAGE, TargetError
from runtriage.targets.fetched import Shelf
from runtriage.targets.grammar import Spec
from runtriage.targets.kube import Cluster
from runtriage.targets.kube_reader import reader
from runtriage.targets.runai_pages import over
from runtriage.targets.runai_reads import ReadError, RunAiReads

_PAGES: Final = 400
_DAY: Final = 86_400.0


class Wanted(Struct, frozen=True, kw_only=True):
    """Which workload is meant: by id, or by name and project; times in seconds, `as_of` since the epoch."""

    cluster: str
    workload: str = ""
    name: str = ""
    project: str = ""
    intent: str = TERMINAL
    lookback: float = _DAY
    as_of: float
    context: str = ""


class RunAiTarget:
    """Reads one workload through `reads`, and its pods from the kubectl context of `wanted` where one is named."""

    def __init__(self, wanted: Wanted, reads: RunAiReads) -> None:
        self.label = f"runai:{wanted.cluster}/{wanted.workload or f'{wanted.project}/{wanted.name}'}"
        self._wanted = wanted
        self._reads = reads
        self._shelf = Shelf()
        self._cluster: Cluster | None = None
        self._stack = ExitStack()

    def first_requests(self) -> Sequence[Request]:
        """The status of the workload, or the list in which its name is looked up."""
        wanted = self._wanted
        arguments = {
            "clusterId": wanted.cluster,
            "lookback": f"{wanted.lookback:.0f}",
            "asOf": f"{wanted.as_of:.0f}",
            "context": wanted.context,
        }
        if wanted.workload:
            return [Request(kind=kind(STATUS), args={"workloadId": wanted.workload, **arguments}, reason="the phase")]
        named = {"name": wanted.name, "projectName": wanted.project, "intent": wanted.intent}
        return [Request(kind=kind(LIST), args={**named, **arguments}, reason="the id of the workload")]

    def collect(self, request: Request) -> Outcome:
        """Answer one request with one call, or with as many pages as it takes."""
        tool = request.kind.removeprefix(KIND)
        if request.kind.startswith("k8s/"):
            return self._kubernetes(request)
        if not request.kind.startswith(KIND) or tool not in TOOLS:
            return Skipped(request, f"Run:ai cannot answer a {request.kind} request")
        try:
            if tool in (LIST, HISTORY):
                return self._pages(request, tool)
            content = self._reads.call(tool, _arguments(request, tool))
        except ReadError as error:
            return Unavailable(request, error.reason)
        return Collected(request, (self._keep(content, tool, request.args["workloadId"], tool),))

    def _pages(self, request: Request, tool: str) -> Outcome:
        kept: list[Artifact] = []
        arguments, offset = _arguments(request, tool), 0
        about = request.args.get("workloadId", "page")
        for number in range(_PAGES):
            try:
                content = self._reads.call(tool, arguments)
            except ReadError as error:
                if not kept:
                    raise
                return Collected(request, tuple(kept), f"the page from {offset} on could not be read: {error.reason}")
            kept.append(self._keep(content, tool, f"{about}/{offset}" if number else about, tool))
            page = _document(content)
            following = page.get("next") if tool == HISTORY else page.get("nextOffset") if page.get("hasMore") else None
            if not isinstance(following, int) or (tool == HISTORY and over(page, request.args["cutoff"])):
                return Collected(request, tuple(kept))
            if following <= offset:
                return Collected(request, tuple(kept), "the pages of the server do not advance")
            offset = following
            arguments = {**arguments, "offset": offset}
        return Collected(request, tuple(kept), f"more than {_PAGES} pages; the rest was left")

    def _keep(self, content: bytes, tool: str, name: str, source: str) -> Artifact:
        return self._shelf.keep(f"{tool}/{name}", content, kind="record", source=kind(source))

    def _kubernetes(self, request: Request) -> Outcome:
        if not self._wanted.context:
            return Skipped(request, "no kubectl context was named")
        if self._cluster is None:
            try:
                self._cluster = Cluster(reader(self._wanted.context), self._shelf)
            except TargetError as error:
                return Unavailable(request, str(error))
        return self._cluster.collect(request)

    def open(self, artifact: Artifact) -> ByteStream:
        """Open a collected document. Raises OSError."""
        return self._shelf.open(artifact)

    def __enter__(self) -> Self:
        self._stack.enter_context(self._reads)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None:
        self._stack.close()


def _arguments(request: Request, tool: str) -> Mapping[str, object]:
    """Return exactly the arguments a tool knows; its pages come with their offset."""
    args = request.args
    if tool == LIST:
        project = {"operator": "==", "value": args["projectName"]}
        order = {"sortBy": "phaseUpdatedAt", "sortOrder": "desc"}
        return {"name": args["name"], "clusterId": args["clusterId"], "projectName": project, **order}
    if tool == HISTORY:
        return {"workloadId": args["workloadId"], "limit": int(args["limit"]), "offset": 0}
    if tool == METRICS:
        samples = int(args["numberOfSamples"])
        return {**{name: args[name] for name in ("workloadId", "start", "end")}, "numberOfSamples": samples}
    return {"workloadId": args["workloadId"]}


def _document(content: bytes) -> dict[str, Any]:
    try:
        page = json.loads(content)
    except ValueError:
        return {}
    return cast("dict[str, Any]", page) if isinstance(page, dict) else {}


def open_target(spec: Spec) -> RunAiTarget:
    """Return the target of `runai:CLUSTER/WORKLOAD`, read through what the environment names. Raises `TargetError`."""
    from runtriage.targets.runai_access import reads_of

    cluster, _, workload = spec.rest.partition("/")
    if not cluster or not workload:
        raise TargetError("a Run:ai target is runai:CLUSTER/WORKLOAD, with the ids of both", USAGE)
    return RunAiTarget(Wanted(cluster=cluster, workload=workload, as_of=time.time()), reads_of())
