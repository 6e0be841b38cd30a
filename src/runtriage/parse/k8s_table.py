"""The tables `kubectl get pods` and `kubectl get nodes` print, one pod or node a line."""

from __future__ import annotations

from runtriage.model.artifact import Artifact
from runtriage.model.pattern import deferred
from runtriage.model.raw import RawEvent
from runtriage.model.subject import Subject
from runtriage.model.target import ByteStream
from runtriage.parse.document import Parsed, Parser, read_all
from runtriage.parse.tables import Line, age, cells, cite, headings, lines, state

_LIMIT = 16 << 20
_HEADER = deferred(r"(?:NAMESPACE\s+)?NAME\s+READY\s+STATUS\s+RESTARTS\s+AGE\b")
_NODES = deferred(r"NAME\s+STATUS\s+ROLES\s+AGE\s+VERSION\b")
_NOTHING = ("", "<none>", "<unknown>")


def claims(artifact: Artifact, head: bytes) -> bool:
    """Tell whether the text begins with the header of a table of pods or nodes."""
    start = head[:4096].decode("utf-8", "replace").lstrip()
    return bool(_HEADER.match(start) or _NODES.match(start))


def read(artifact: Artifact, stream: ByteStream) -> Parsed:
    """Return one state for each line."""
    content, cut = read_all(stream, _LIMIT)
    events: list[RawEvent] = []
    columns: dict[str, int] = {}
    for line in lines(content):
        if _HEADER.match(line.text) or _NODES.match(line.text):
            columns = headings(line.text)
            columns = columns if "NAME" in columns and "STATUS" in columns else {}
        elif columns and line.text.strip():
            events.append((_pod if "READY" in columns else _node)(artifact, columns, line))
    return Parsed(events=events, bytes_read=len(content), cut="longer than 16 MiB" if cut else None)


def _pod(artifact: Artifact, columns: dict[str, int], line: Line) -> RawEvent:
    row = cells(columns, line.text)
    node = row.get("NODE", "")
    restarts = row.get("RESTARTS", "").partition(" ")[0]
    return state(
        "k8s/pod-row",
        cite(artifact.path, line),
        Subject(pod=row["NAME"] or None, node=None if node in _NOTHING else node),
        numbers={"restarts": float(restarts) if restarts.isdecimal() else None, "age": age(row.get("AGE", ""))},
        reason=row.get("STATUS", ""),
        ready=row.get("READY", ""),
    )


def _node(artifact: Artifact, columns: dict[str, int], line: Line) -> RawEvent:
    row = cells(columns, line.text)
    return state(
        "k8s/node-row",
        cite(artifact.path, line),
        Subject(node=row["NAME"] or None),
        numbers={"age": age(row.get("AGE", ""))},
        reason=row.get("STATUS", ""),
    )


PARSERS = (Parser(id="k8s-table", claims=claims, read=read),)
