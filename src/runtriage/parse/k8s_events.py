"""The table `kubectl get events` prints, one event a line."""

from __future__ import annotations

import re

from runtriage.model.artifact import Artifact
from runtriage.model.event import STATE
from runtriage.model.place import Citation
from runtriage.model.raw import RawEvent, RawText
from runtriage.model.subject import Subject
from runtriage.model.target import ByteStream
from runtriage.parse.document import Parsed, Parser, read_all

_LIMIT = 16 << 20
_HEADER = re.compile(
    rb"^(?:NAMESPACE\s+)?(?:LAST SEEN|AGE)\s+TYPE\s+REASON\s+(?:OBJECT|FROM)\b.*\bMESSAGE", re.MULTILINE
)
_ROW = re.compile(
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
    offset = 0
    for number, line in enumerate(content.split(b"\n"), 1):
        found = _ROW.match(line.decode("utf-8", "replace")[:4000])
        if found is not None:
            events.append(_event(artifact, found, number, offset, len(line)))
        offset += len(line) + 1
    return Parsed(events=events, bytes_read=len(content), cut="longer than 16 MiB" if cut else None)


def _event(artifact: Artifact, found: re.Match[str], number: int, offset: int, length: int) -> RawEvent:
    kind, name = found["kind"].partition(".")[0], found["object"]
    return RawEvent(
        kind=STATE,
        name="k8s/event",
        citation=Citation(
            artifact=artifact.path, first_line=number, last_line=number, byte_start=offset, byte_end=offset + length
        ),
        excerpt=RawText(found["message"]),
        captures={
            "reason": RawText(found["reason"]),
            "message": RawText(found["message"].strip()),
            "severity": RawText(found["severity"]),
            "object": RawText(f"{kind}/{name}"),
            "age": RawText(found["age"]),
        },
        subject=Subject(pod=name if kind == "pod" else None, node=name if kind == "node" else None),
    )


PARSERS = (Parser(id="k8s-events", claims=claims, read=read),)
