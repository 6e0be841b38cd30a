"""Run records of MLflow and W&B as their APIs answer them."""

from __future__ import annotations

from collections.abc import Iterator

from runtriage.model.artifact import Artifact
from runtriage.model.pattern import deferred
from runtriage.model.raw import RawEvent
from runtriage.model.target import ByteStream
from runtriage.parse.document import Parsed, Parser, read_all
from runtriage.parse.pointer import Node, instant, is_document, load_json
from runtriage.parse.tables import state

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
    """Return the state of the run; a search with several results does not say which one is meant."""
    content, cut = read_all(stream, _LIMIT)
    root = load_json(content, artifact.path)
    events = list(_runs(root)) if root is not None else []
    if len(events) > 1:
        events = []
    return Parsed(events=events, bytes_read=len(content), cut="longer than 32 MiB" if cut else None)


def _runs(root: Node) -> Iterator[RawEvent]:
    for key in ("run", "runs"):
        held = root.get(key)
        if held.value is not None:
            for run in held.items() if isinstance(held.value, list) else (held,):
                yield from _run(run)
            return
    for run in root.items() if isinstance(root.value, list) else (root,):
        yield from _run(run)


def _run(run: Node) -> Iterator[RawEvent]:
    if run.text("info", "status"):
        yield state("mlflow/run", run.get("info", "status").cite(), state=run.text("info", "status"))
    elif run.text("state") and (run.text("heartbeatAt") or run.text("createdAt")):
        yield state(
            "wandb/run",
            run.get("state").cite(),
            when=instant(run.text("heartbeatAt"), "wandb"),
            state=run.text("state"),
        )


PARSERS = (Parser(id="tracker", claims=claims, read=read),)
