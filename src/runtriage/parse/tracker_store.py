"""What a local MLflow store tells of a run from outside its own record: when it was looked at, its experiment, its last good run."""

from __future__ import annotations

from collections.abc import Iterator

from runtriage.model.artifact import Artifact
from runtriage.model.pattern import deferred
from runtriage.model.raw import RawEvent
from runtriage.model.target import ByteStream
from runtriage.parse.document import Parsed, Parser, read_all
from runtriage.parse.pointer import Node, Value, is_document, load_json, load_yaml
from runtriage.parse.tables import state
from runtriage.parse.tracker_mlflow import differences, status_name

_LIMIT = 32 << 20
_ARTIFACTS = deferred(rb'\A\s*\{\s*"mlflow_artifacts"\s*:')
_NAMED = 20
_NAME = 200


def claims(artifact: Artifact, head: bytes) -> bool:
    """Tell whether the document is such a note."""
    return artifact.source == "mlflow-store"


def read(artifact: Artifact, stream: ByteStream) -> Parsed:
    """Return one state for each thing it tells."""
    content, cut = read_all(stream, _LIMIT)
    root = load_json(content, artifact.path)
    parsed = Parsed(bytes_read=len(content), cut="longer than 32 MiB" if cut else None)
    if root is not None:
        parsed.events = list(_events(root.get("mlflow_store")))
    return parsed


def _events(store: Node) -> Iterator[RawEvent]:
    numbers = {"at": store.number("fetched_at"), "last": store.number("last_write")}
    yield state("mlflow/seen", store.get("fetched_at").cite(), numbers=numbers)
    experiment = load_yaml(store.text("experiment").encode(), store.artifact)
    if experiment is not None and experiment.text("name"):
        yield state("mlflow/experiment", store.get("experiment").cite(), object=experiment.text("name"))
    good = store.get("last_good_run")
    meta = load_yaml(good.text("meta").encode(), store.artifact)
    if meta is not None:
        yield from differences(_run(store, {}), _run(good, meta.value))


def _run(node: Node, meta: Value) -> Node:
    """Return a run of the store in the shape of a server's answer, at the place that is cited."""
    info = dict(meta) if isinstance(meta, dict) else {}
    info["status"] = status_name(info.get("status"))
    params: list[Value] = [{"key": name, "value": held.value} for name, held in node.get("params").members()]
    return Node({"info": info, "data": {"params": params}}, node.artifact, node.pointer)


def claims_artifacts(artifact: Artifact, head: bytes) -> bool:
    """Tell whether the document is the list of what a run left behind."""
    return is_document(head) and bool(_ARTIFACTS.match(head))


def read_artifacts(artifact: Artifact, stream: ByteStream) -> Parsed:
    """Return one state that names the first of them and counts all."""
    content, cut = read_all(stream, _LIMIT)
    root = load_json(content, artifact.path)
    parsed = Parsed(bytes_read=len(content), cut="longer than 32 MiB" if cut else None)
    if root is not None:
        held = root.get("mlflow_artifacts")
        names = [" ".join(each.text("path").split()) for each in held.items()]
        numbers = {"artifacts": float(len(names))}
        told = "\n".join(name[:_NAME] for name in names[:_NAMED])
        parsed.events.append(state("mlflow/artifacts", held.cite(), numbers=numbers, artifacts=told))
    return parsed


PARSERS = (
    Parser(id="a-list-of-mlflow", claims=claims_artifacts, read=read_artifacts),
    Parser(id="a-store-of-mlflow", claims=claims, read=read),
)
"""Their ids come before that of run records, which look alike."""
