"""What is asked of a tracking server about one run: its record, metrics, artifacts, and the last run that went well."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from runtriage.model.artifact import Artifact, Request
from runtriage.model.pattern import deferred
from runtriage.targets.fetched import Shelf
from runtriage.targets.fetching import Fetch, Got, Refusals
from runtriage.targets.http_client import HttpClient, Refused
from runtriage.targets.json_values import entries, mapping
from runtriage.targets.kinds import CHECKPOINT, LOG, kind_of, sniff

_API: Final = "/api/2.0/mlflow"
_SAMPLES: Final = "/ajax-api/2.0/mlflow/metrics/get-history-bulk-interval"
"""What the server's own page draws curves from: a history that is longer than asked for comes down-sampled, its last value among it."""
PATHS: Final = (
    ("GET", rf"{_API}/runs/get"),
    ("POST", rf"{_API}/runs/search"),
    ("POST", rf"{_API}/experiments/search"),
    ("GET", rf"{_API}/experiments/get"),
    ("GET", rf"{_API}/metrics/get-history"),
    ("GET", _SAMPLES),
    ("GET", rf"{_API}/artifacts/list"),
    ("GET", r"/get-artifact"),
)
"""Methods and paths that may be asked. The searches are POST by the API's design; they change nothing."""

_ID: Final = deferred(r"[0-9a-f]{32}")
_WHOLE: Final = 25_000
"""Values of one metric that are asked for at once where the server cannot down-sample, or where the exact step matters."""
_SAMPLED: Final = 2_500
_METRICS: Final = 400
_PAGES: Final = 20
_LISTED: Final = 2_000
_FETCHED: Final = 60
_LARGEST: Final = 32 << 20
_ALTOGETHER: Final = 128 << 20
_READ_KINDS: Final = frozenset(
    {LOG, "kernel", "config", "metrics", "record", "slurm", "k8s", "gpu", "stacks", "recorder"}
)


class MlflowRun:
    """One run on a server. Raises `Refused` where its record cannot be had; `missing` says that no run has the name."""

    def __init__(self, client: HttpClient, run: str) -> None:
        self._client = client
        self.shelf = Shelf()
        self.missing = False
        found = self._by_id(run) if _ID.fullmatch(run) else self._by_name(run)
        self.missing = found is None
        self._run, self._fetched_at = found or ({}, None)
        info = mapping(self._run.get("info"))
        self._id = str(info.get("run_id") or info.get("run_uuid") or run)
        self._info = info
        self.fetchers: Mapping[str, Fetch] = {
            "mlflow-run": self._record,
            "mlflow-metrics": self._metrics,
            "mlflow-artifacts": self._artifacts,
        }
        self.first = [
            Request(kind="mlflow-run", args={"run": self._id}, reason="state, parameters, last values"),
            Request(kind="mlflow-metrics", args={"run": self._id}, reason="the history of its metrics"),
            Request(kind="mlflow-artifacts", args={"run": self._id}, reason="logs and configs it stored"),
        ]

    def _by_id(self, run: str) -> tuple[dict[str, Any], float | None]:
        answer = self._client.get(f"{_API}/runs/get", {"run_id": run})
        return mapping(answer.members(), "run"), answer.date

    def _by_name(self, name: str) -> tuple[dict[str, Any], float | None] | None:
        experiments = list(self._experiments())
        if not experiments:
            return None
        mark = '"' if "'" in name else "'"
        answer = self._search(experiments, f"attributes.run_name = {mark}{name.replace(mark, '')}{mark}")
        return self._by_id(str(mapping(answer[0].get("info")).get("run_id"))) if answer else None

    def _experiments(self) -> Iterator[str]:
        body: dict[str, object] = {"max_results": 1000}
        for _ in range(_PAGES):
            told = mapping(self._client.post(f"{_API}/experiments/search", body).data())
            yield from (str(each.get("experiment_id")) for each in entries(told, "experiments"))
            token = told.get("next_page_token")
            if not token or token == body.get("page_token"):
                return
            body = {**body, "page_token": token}

    def _search(self, experiments: list[str], filtered: str) -> list[dict[str, Any]]:
        body = {
            "experiment_ids": experiments,
            "filter": filtered,
            "max_results": 1,
            "order_by": ["attributes.start_time DESC"],
        }
        return entries(mapping(self._client.post(f"{_API}/runs/search", body).data()), "runs")

    def _record(self, request: Request) -> Got:
        cut = None
        record: dict[str, Any] = {"run": self._run, "fetched_at": self._fetched_at}
        try:
            record["experiment"] = self._experiment()
            good = self._last_good()
            if good:
                record["last_good_run"] = good
        except Refused as refusal:
            cut = f"the experiment and its last good run are not known: {refusal}"
        content = json.dumps(record, indent=1).encode()
        return Got([self.shelf.keep("run.json", content, kind="record", source=request.kind)], cut)

    def _experiment(self) -> dict[str, Any]:
        asked = {"experiment_id": str(self._info.get("experiment_id") or 0)}
        return mapping(mapping(self._client.get(f"{_API}/experiments/get", asked).data()).get("experiment"))

    def _last_good(self) -> dict[str, Any] | None:
        start = self._info.get("start_time")
        if not isinstance(start, int | str) or self._info.get("status") == "FINISHED":
            return None
        filtered = f"attributes.status = 'FINISHED' and attributes.start_time < {int(start)}"
        found = self._search([str(self._info.get("experiment_id"))], filtered)
        return found[0] if found else None

    def _metrics(self, request: Request) -> Got:
        names = [str(each.get("key")) for each in entries(mapping(self._run.get("data")), "metrics")]
        kept: list[Artifact] = []
        sampled, refusals = 0, Refusals(f"{len(names):,} metrics")
        for name in sorted(names, key=lambda each: (each.startswith("system/"), each))[:_METRICS]:
            try:
                answer, all_there = self._history(name)
            except Refused as refusal:
                if refusals.add(refusal):
                    break
                continue
            sampled += not all_there
            content = b'{"metric_history": %b, %b' % (json.dumps(name).encode(), answer.lstrip()[1:])
            kept.append(self.shelf.keep(f"metrics/{name}.json", content, kind="metrics", source=request.kind))
        cuts = refusals.told(kept)
        cuts += [f"{sampled} long histories were down-sampled by the server"] if sampled else []
        cuts += [f"{len(names) - _METRICS} more metrics were left out"] if len(names) > _METRICS else []
        return Got(kept, "; ".join(cuts) or None)

    def _history(self, name: str) -> tuple[bytes, bool]:
        """Return the answer with values of a metric, and whether they are all: a few thousand, more only where some of them are no numbers."""
        params = {"run_ids": self._id, "metric_key": name, "max_results": _SAMPLED}
        try:
            answer = self._client.get(_SAMPLES, params)
            found = entries(answer.data(), "metrics")
        except Refused as refusal:
            if refusal.unreached or refusal.status == 401:
                raise
            return self._first_page(name)
        if found and (len(found) < _SAMPLED or not any(map(_wild, found))):
            return answer.content, len(found) < _SAMPLED
        page, all_there = self._first_page(name)
        return (page, True) if all_there else (answer.content if found else page, False)

    def _first_page(self, name: str) -> tuple[bytes, bool]:
        asked = {"run_id": self._id, "metric_key": name, "max_results": _WHOLE}
        answer = self._client.get(f"{_API}/metrics/get-history", asked)
        told = mapping(answer.data())
        return answer.content if told else b'{"metrics": []}', not told.get("next_page_token")

    def _artifacts(self, request: Request) -> Got:
        kept: list[Artifact] = []
        left = 0
        refusals = Refusals("the artifacts")
        held = list(self._listed(refusals))
        if held:
            told = [{"path": path, "file_size": size} for path, size in held]
            content = json.dumps({"mlflow_artifacts": told}, indent=1).encode()
            kept.append(self.shelf.keep("artifacts.json", content, kind="record", source=request.kind))
        fetched = total = 0
        for path, size in sorted(held, key=lambda each: kind_of(each[0]) is None):
            kind = kind_of(path)
            if not _wanted(kind) or size > _LARGEST or fetched >= _FETCHED or total > _ALTOGETHER:
                left += 1
                continue
            fetched += 1
            try:
                content = self._client.get("/get-artifact", {"run_id": self._id, "path": path}, most=_LARGEST).content
            except Refused as refusal:
                if refusals.add(refusal, path if kind == "log" else None):
                    break
                continue
            total += len(content)
            kind = kind or sniff(content[:4096]).kind
            if kind in _READ_KINDS:
                kept.append(self.shelf.keep(f"artifacts/{path}", content, kind=kind, source=request.kind))
        cuts = refusals.told(kept)
        cuts += [f"{left} artifacts are no logs or configs of a size that is read"] if left else []
        cuts += [f"only {len(held):,} artifacts were looked at"] if len(held) >= _LISTED else []
        return Got(kept, "; ".join(cuts) or None, refusals.logs)

    def _listed(self, refusals: Refusals) -> Iterator[tuple[str, int]]:
        """Yield paths and sizes of what the run stored, folder by folder; a folder that is refused leaves the others alone."""
        folders, asked, seen = [""], set[str](), 0
        while folders and seen < _LISTED:
            folder = folders.pop(0)
            if folder in asked:
                continue
            asked.add(folder)
            try:
                for each in self._in_folder(folder):
                    seen += 1
                    path = str(each.get("path"))
                    if each.get("is_dir"):
                        folders.append(path)
                    elif seen <= _LISTED:
                        yield path, _size(each.get("file_size"))
            except Refused as refusal:
                if refusals.add(refusal):
                    return

    def _in_folder(self, folder: str) -> Iterator[dict[str, Any]]:
        asked: dict[str, str | int] = {"run_id": self._id, "path": folder}
        for _ in range(_PAGES):
            answer = mapping(self._client.get(f"{_API}/artifacts/list", asked).data())
            yield from entries(answer, "files")
            token = str(answer.get("next_page_token") or "")
            if not token or token == asked.get("page_token"):
                return
            asked = {**asked, "page_token": token}


def _wanted(kind: str | None) -> bool:
    """Tell whether a document of a kind is read, or may turn out to be read: where its name does not say what it is."""
    return kind is None or (kind != CHECKPOINT and kind in _READ_KINDS)


def _size(told: object) -> int:
    """Return a number of bytes; the API writes it as a number or as a word."""
    return int(told) if isinstance(told, int) or (isinstance(told, str) and told.isdecimal() and len(told) < 20) else 0


def _wild(entry: dict[str, Any]) -> bool:
    """Tell whether a value is no number: the API writes it as a word."""
    return entry.get("value") in ("NaN", "Infinity", "-Infinity")
