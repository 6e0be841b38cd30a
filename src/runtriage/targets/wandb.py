"""A run of Weights & Biases: online through its API with the queries that stand here, or an offline folder of this machine."""

from __future__ import annotations

import base64
import json
import netrc
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, cast
from urllib.parse import unquote, urlsplit

from runtriage.model.artifact import Artifact, Request
from runtriage.model.pattern import deferred
from runtriage.targets.errors import NOT_FOUND, USAGE, TargetError
from runtriage.targets.fetched import Shelf
from runtriage.targets.fetching import Fetching, Got, Refusals
from runtriage.targets.grammar import Spec
from runtriage.targets.http_client import Allowed, HttpClient, Refused, secure
from runtriage.targets.json_values import entries, mapping
from runtriage.targets.kinds import kind_of
from runtriage.targets.names import shown
from runtriage.targets.together import OpenTarget

_CLOUD: Final = "https://api.wandb.ai"
_LOGIN: Final = "set WANDB_API_KEY, or log in with wandb login"
_NAME: Final = r"[^/\\#?%:\x00-\x1f\x7f]{1,128}"
"""Names of projects and ids of runs may hold blanks; these few characters the service refuses."""
_PATH: Final = deferred(rf"(?:([\w.-]+)/)?({_NAME})/({_NAME})")
_PAGE: Final = deferred(r"https?://[^/]+/([^/?#]+)/([^/?#]+)/runs/([^/?#]+)(?:[/?#].*)?")
_RUN: Final = """query Run($entity: String!, $project: String!, $run: String!) {
 project(entityName: $entity, name: $project) { run(name: $run) {
 id name displayName state createdAt heartbeatAt sweepName group jobType config summaryMetrics systemMetrics
 historyLineCount historyKeys files(first: 500) { edges { node { name sizeBytes directUrl } } pageInfo { endCursor hasNextPage } } } } }"""
_MORE_FILES: Final = """query Files($entity: String!, $project: String!, $run: String!, $after: String!) {
 project(entityName: $entity, name: $project) { run(name: $run) { files(first: 500, after: $after) {
 edges { node { name sizeBytes directUrl } } pageInfo { endCursor hasNextPage } } } } }"""
_HISTORY: Final = """query History($entity: String!, $project: String!, $run: String!, $specs: [JSONString!]!) {
 project(entityName: $entity, name: $project) { run(name: $run) { sampledHistory(specs: $specs) } } }"""
_SYSTEM: Final = """query System($entity: String!, $project: String!, $run: String!, $samples: Int!) {
 project(name: $project, entityName: $entity) { run(name: $run) { events(samples: $samples) } } }"""
_SAMPLES: Final = 5_000
"""Values asked for of each metric, and of each of many."""
_SAMPLES_OF_MANY: Final = 2_000
_MANY: Final = 50
_AT_ONCE: Final = 25
"""Metrics asked for in one question: the answer then is some megabytes."""
_SYSTEM_SAMPLES: Final = 1_000
_KEYS: Final = 200
_FILES: Final = 20
_FILE_PAGES: Final = 20
_LARGEST: Final = 64 << 20
_READ: Final = frozenset({"log", "config", "record"})


def open_target(spec: Spec, environment: Mapping[str, str] | None = None) -> OpenTarget:
    """Return the target of `wandb:ENTITY/PROJECT/RUN`, the address of its page, or the id of an offline run. Raises `TargetError`."""
    variables = os.environ if environment is None else environment
    page = _PAGE.fullmatch(spec.rest)
    path = _PATH.fullmatch(unquote("/".join(page.groups())) if page else spec.rest)
    entity = (path[1] if path else "") or variables.get("WANDB_ENTITY", "")
    project, run = (path[2], path[3]) if path else (variables.get("WANDB_PROJECT", ""), spec.rest)
    local = _offline(spec, run, variables)
    if local is not None:
        return local
    if not entity or not project or not run:
        raise TargetError("wandb: give wandb:ENTITY/PROJECT/RUN, or go where the folder wandb/ with the run is", USAGE)
    base = variables.get("WANDB_BASE_URL") or _CLOUD
    headers = _headers(base, variables)
    if headers and not secure(base):
        raise TargetError("WANDB_BASE_URL is not encrypted (http): the key is not sent there", USAGE)
    client = HttpClient("W&B", base, [Allowed("POST", "/graphql")], headers=lambda: headers, login=_LOGIN)
    found = WandbRun(client, {"entity": entity, "project": project, "run": run})
    try:
        found.fetch()
    except Refused as refusal:
        client.close()
        raise refusal.fatal() from None
    except TargetError:
        client.close()
        raise
    return found.target(spec.text)


def _offline(spec: Spec, run: str, variables: Mapping[str, str]) -> OpenTarget | None:
    """Return the folder of a run that was kept on this machine, None where there is none."""
    root = Path(variables.get("WANDB_DIR") or ".") / "wandb"
    plain = "".join(letter for letter in run if letter.isalnum() or letter in "-_")
    found = sorted(path for path in root.glob(f"*run-*-{plain}") if path.is_dir()) if plain else []
    if not found:
        return None
    from runtriage.targets.local import LocalTarget
    from runtriage.targets.survey import survey

    return LocalTarget(shown(spec.text), survey(found[-1:]), found[-1:])


def _headers(base: str, variables: Mapping[str, str]) -> dict[str, str]:
    key = variables.get("WANDB_API_KEY") or _kept_key(urlsplit(base).hostname or "", variables)
    return {"authorization": "Basic " + base64.b64encode(f"api:{key}".encode()).decode()} if key else {}


def _kept_key(host: str, variables: Mapping[str, str]) -> str:
    path = Path(variables.get("NETRC") or Path(variables.get("HOME", "/")) / ".netrc")
    try:
        login = netrc.netrc(str(path)).authenticators(host)
    except (OSError, netrc.NetrcParseError):
        return ""
    return login[2] or "" if login else ""


class WandbRun:
    """One run. Only the queries of this module are ever asked."""

    def __init__(self, client: HttpClient, names: dict[str, str]) -> None:
        self._client = client
        self._names = names
        self._shelf = Shelf()
        self._answer: dict[str, Any] = {}
        self._run: dict[str, Any] = {}
        self._edges: list[dict[str, Any]] = []
        self._more = False
        self._fetched_at: float | None = None

    def fetch(self) -> None:
        """Fetch the record of the run. Raises `Refused`, and `TargetError` where there is no such run."""
        self._answer = self._ask(_RUN, {})
        self._run = mapping(self._answer, "data", "project", "run")
        if not self._run:
            raise TargetError(
                f"W&B at {self._client.place} shows this login no run {'/'.join(self._names.values())}", NOT_FOUND
            )
        self._list_files()

    def _list_files(self) -> None:
        """Follow the pages of its files; what cannot be had, or is beyond the last page that is asked for, counts as more."""
        told = mapping(self._run, "files")
        self._edges = entries(told, "edges")
        seen: set[str] = set()
        while mapping(told, "pageInfo").get("hasNextPage"):
            after = str(mapping(told, "pageInfo").get("endCursor") or "")
            self._more = not after or after in seen or len(seen) >= _FILE_PAGES
            if self._more:
                return
            seen.add(after)
            try:
                told = mapping(self._ask(_MORE_FILES, {"after": after}), "data", "project", "run", "files")
            except Refused:
                self._more = True
                return
            self._edges += entries(told, "edges")

    def target(self, label: str) -> Fetching:
        """Return the run as a target."""
        args = {"run": "/".join(self._names.values())}
        first = [
            Request(kind="wandb-run", args=args, reason="state, heartbeat and configuration"),
            Request(kind="wandb-history", args=args, reason="its metrics"),
            Request(kind="wandb-system", args=args, reason="memory and devices of its machine"),
            Request(kind="wandb-files", args=args, reason="its output and configs"),
        ]
        fetchers = {
            "wandb-run": self._record,
            "wandb-history": self._history,
            "wandb-system": self._machine,
            "wandb-files": self._files,
        }
        return Fetching(label, self._shelf, fetchers, first, close=self._client.close)

    def _ask(self, query: str, more: Mapping[str, object]) -> dict[str, Any]:
        told = self._client.post("/graphql", {"query": query, "variables": {**self._names, **more}})
        self._fetched_at = self._fetched_at or told.date
        answer = told.members()
        errors = entries(answer, "errors")
        if errors and not answer.get("data"):
            raise Refused(
                f"W&B refuses the question: {self._client.without_credentials(shown(str(errors[0].get('message', ''))))[:200]}"
            )
        return answer

    def _record(self, request: Request) -> Got:
        told = {name: value for name, value in self._run.items() if name != "files"}
        names = [{"node": {"name": mapping(edge, "node").get("name")}} for edge in self._edges]
        told["files"] = {"edges": names}
        content = json.dumps({"run": told, "fetched_at": self._fetched_at}, indent=1).encode()
        return Got([self._shelf.keep("run.json", content, kind="record", source=request.kind)])

    def _history(self, request: Request) -> Got:
        keys = sorted(mapping(self._run, "historyKeys", "keys"))
        known = [key for key in keys if not key.startswith("_")]
        names = known[:_KEYS]
        if not names:
            return Got([])
        most = _SAMPLES if len(names) <= _MANY else _SAMPLES_OF_MANY
        kept: list[Artifact] = []
        refusals = Refusals(f"the answers with {len(names):,} metrics")
        for at in range(0, len(names), _AT_ONCE):
            part = f"-{at // _AT_ONCE + 1}" if at else ""
            try:
                kept.append(self._sampled(names[at : at + _AT_ONCE], most, part, request))
            except Refused as refusal:
                if refusals.add(refusal):
                    break
        cuts = refusals.told(kept)
        cuts += (
            [f"long histories were sampled at {most:,} steps"] if _whole(self._run, "historyLineCount") > most else []
        )
        cuts += [f"{len(known) - _KEYS:,} more metrics were left out"] if len(known) > _KEYS else []
        return Got(kept, "; ".join(cuts) or None)

    def _sampled(self, names: list[str], most: int, part: str, request: Request) -> Artifact:
        specs = [json.dumps({"keys": ["_step", "_timestamp", name], "samples": most}) for name in names]
        run = mapping(self._ask(_HISTORY, {"specs": specs}), "data", "project", "run")
        content = json.dumps({"sampled_history": run.get("sampledHistory") or []}).encode()
        return self._shelf.keep(f"history{part}.json", content, kind="metrics", source=request.kind)

    def _machine(self, request: Request) -> Got:
        """Fetch what the machine was sampled at; the service tells each sample as JSON in a string."""
        answer = self._ask(_SYSTEM, {"samples": _SYSTEM_SAMPLES})
        told: object = mapping(answer, "data", "project", "run").get("events")
        rows = [_row(each) for each in cast("list[object]", told)] if isinstance(told, list) else []
        if not any(rows):
            return Got([])
        content = json.dumps({"sampled_system": rows}).encode()
        return Got([self._shelf.keep("system.json", content, kind="metrics", source=request.kind)])

    def _files(self, request: Request) -> Got:
        """Fetch the files the service itself serves; those that lie elsewhere are named, the key does not go there."""
        kept: list[Artifact] = []
        left = 0
        refusals = Refusals("its files")
        for edge in self._edges:
            node = mapping(edge, "node")
            name, url = str(node.get("name")), str(node.get("directUrl") or "")
            kind = kind_of(name)
            if kind not in _READ or not url or _whole(node, "sizeBytes") > _LARGEST or len(kept) >= _FILES:
                left += kind in _READ
                continue
            try:
                kept.append(self._shelf.keep(f"files/{name}", self._file(url), kind=str(kind), source=request.kind))
            except Refused as refusal:
                if refusals.add(refusal, name if kind == "log" else None):
                    break
        cuts = refusals.told(kept)
        cuts += [f"{left} files were left out"] if left else []
        cuts += [f"only {len(self._edges):,} of its files were looked at"] if self._more else []
        return Got(kept, "; ".join(cuts) or None, refusals.logs)

    def _file(self, url: str) -> bytes:
        parts = urlsplit(url)
        other = HttpClient("W&B's files", f"{parts.scheme}://{parts.netloc}", [Allowed("GET", r"/.+")])
        try:
            path = parts.path + (f"?{parts.query}" if parts.query else "")
            return other.get(path, most=_LARGEST).content
        finally:
            other.close()


def _whole(told: Mapping[str, Any], name: str) -> int:
    """Return a whole number; the API writes it as a number or as a word."""
    value = str(told.get(name) or 0)
    return int(value) if value.isdecimal() and len(value) < 20 else 0


def _row(line: object) -> dict[str, Any]:
    try:
        return mapping(json.loads(line)) if isinstance(line, str) else mapping(line)
    except ValueError:
        return {}
