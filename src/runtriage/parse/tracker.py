"""Run records of MLflow and W&B as their APIs answer them."""

from __future__ import annotations

from collections.abc import Iterator

from runtriage.model.artifact import Artifact
from runtriage.model.pattern import deferred
from runtriage.model.raw import RawEvent, RawSetting
from runtriage.model.target import ByteStream
from runtriage.parse.document import Parsed, Parser, read_all
from runtriage.parse.pointer import Node, is_document, load_json
from runtriage.parse.tracker_mlflow import differences, experiment_of, run_events, run_settings
from runtriage.parse.tracker_wandb import online_events, online_settings

_LIMIT = 32 << 20
_MLFLOW = deferred(rb'"lifecycle_stage"\s*:|"run_uuid"\s*:')
_WANDB = deferred(rb'"(?:heartbeatAt|summaryMetrics|historyKeys)"\s*:')
_STATE = deferred(rb'"state"\s*:')


def claims(artifact: Artifact, head: bytes) -> bool:
    """Tell whether the document is a record of runs."""
    if not is_document(head):
        return False
    return bool(_MLFLOW.search(head)) or (bool(_WANDB.search(head)) and bool(_STATE.search(head)))


def read(artifact: Artifact, stream: ByteStream) -> Parsed:
    """Return the state and settings of the run; a search with several results does not say which one is meant."""
    content, cut = read_all(stream, _LIMIT)
    root = load_json(content, artifact.path)
    parsed = Parsed(bytes_read=len(content), cut="longer than 32 MiB" if cut else None)
    runs = list(_runs(root)) if root is not None else []
    told = [list(_events(run, root)) for run in runs if root is not None]
    if sum(map(bool, told)) == 1 and root is not None:
        index = next(place for place, events in enumerate(told) if events)
        parsed.events = told[index]
        parsed.settings = _settings(runs[index])
    return parsed


def _runs(root: Node) -> Iterator[Node]:
    for path in (("data", "project", "run"), ("run",), ("runs",)):
        held = root.get(*path)
        if held.value is not None:
            yield from held.items() if isinstance(held.value, list) else (held,)
            return
    yield from root.items() if isinstance(root.value, list) else (root,)


def _events(run: Node, root: Node) -> Iterator[RawEvent]:
    if run.text("info", "status"):
        yield from run_events(run, root.number("fetched_at"))
        yield from experiment_of(run, root.get("experiment"))
        yield from differences(run, root.get("last_good_run"))
    elif run.text("state") and (run.text("heartbeatAt") or run.text("createdAt")):
        yield from online_events(run, root.number("fetched_at"))


def _settings(run: Node) -> list[RawSetting]:
    return run_settings(run) if run.text("info", "status") else online_settings(run)


PARSERS = (Parser(id="tracker", claims=claims, read=read),)
