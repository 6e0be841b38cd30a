"""The table `kubectl get events` prints, one event a line."""

from __future__ import annotations

import re

from runtriage.model.artifact import Artifact
from runtriage.model.pattern import deferred
from runtriage.model.raw import RawEvent
from runtriage.model.subject import Subject
from runtriage.model.target import ByteStream
from runtriage.parse.document import Parsed, Parser, read_all
from runtriage.parse.tables import Line, age, cells, cite, headings, lines, state

_LIMIT = 16 << 20
_HEADER = deferred(rb"^(?:NAMESPACE\s+)?(?:LAST SEEN|AGE)\s+TYPE\s+REASON\s+(?:OBJECT|FROM)\b.*\bMESSAGE", re.MULTILINE)
ASSIGNED = deferred(r"^Successfully assigned \S{1,300} to (\S{1,253})$")
_ROW = deferred(
    r"(?:\S+\s+)?(?P<age>(?:\d+[dhms])+(?: \(x\d+ over [^)]*\))?|<unknown>|<invalid>)\s+(?P<severity>Normal|Warning)\s+(?P<reason>\S+)"
    r"\s+(?P<kind>[a-z.]+)/(?P<object>\S+)\s+(?P<message>.*)"
)


def claims(artifact: Artifact, head: bytes) -> bool:
    """Tell whether the text has the header of an event table."""
    return bool(_HEADER.search(head[:4096]))


def read(artifact: Artifact, stream: ByteStream) -> Parsed:
    """Return one state for each event."""
    content, cut = read_all(stream, _LIMIT)
    events: list[RawEvent] = []
    wide: dict[str, int] = {}
    for line in lines(content):
        if "SUBOBJECT" in line.text and "MESSAGE" in line.text:
            columns = headings(line.text)
            wide = columns if "MESSAGE" in columns else {}
        found = _ROW.match(line.text[:4000])
        if found is not None:
            message = cells(wide, line.text)["MESSAGE"] if wide else found["message"].strip()
            events.append(_event(artifact, found, message, line))
    return Parsed(events=events, bytes_read=len(content), cut="longer than 16 MiB" if cut else None)


def _event(artifact: Artifact, found: re.Match[str], message: str, line: Line) -> RawEvent:
    kind, name = found["kind"].partition(".")[0], found["object"]
    home = ASSIGNED.search(message) if kind == "pod" and found["reason"] == "Scheduled" else None
    return state(
        "k8s/event",
        cite(artifact.path, line),
        Subject(pod=name if kind == "pod" else None, node=name if kind == "node" else home[1] if home else None),
        numbers={"age": age(found["age"])},
        reason=found["reason"],
        message=message,
        severity=found["severity"],
        object=f"{kind}/{name}",
        age=found["age"],
    )


PARSERS = (Parser(id="k8s-events", claims=claims, read=read),)
