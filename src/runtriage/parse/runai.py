"""Answers of the Run:ai tools: status, pods and history of one workload, and the list workloads are found in."""

from __future__ import annotations

import re
from collections.abc import Iterator

from runtriage.model.artifact import Artifact
from runtriage.model.pattern import deferred
from runtriage.model.raw import RawEvent
from runtriage.model.subject import NOBODY, Subject
from runtriage.model.target import ByteStream
from runtriage.parse.document import Parsed, Parser, read_all
from runtriage.parse.pointer import Node, instant, is_document, load_json
from runtriage.parse.tables import state

_LIMIT = 32 << 20
_CLOCK = "runai"
_WORKLOAD = deferred(rb'"workloadId"\s*:|"phaseUpdatedAt"\s*:')
_TELLING = deferred(
    r"^(?:OOMKilled|Evicted|NodeNotReady|NodeLost|TaintManagerEviction|Preempt\w*|DeadlineExceeded|IdleTimeout\w*)$"
)
_CODE = deferred(r"exit(?:ed)?(?: with)?(?: exit)? code:? (\d{1,3})\b", re.IGNORECASE)
_POD = deferred(r"\bpod:? (?:[\w-]+[./])?([a-z0-9][\w-]*)", re.IGNORECASE)
_APPLICATION = "application"
"""Text a program wrote about itself arrives as events too; it is not the platform speaking."""


def claims(artifact: Artifact, head: bytes) -> bool:
    """Tell whether the document is an answer about a workload."""
    return is_document(head) and bool(_WORKLOAD.search(head))


def read(artifact: Artifact, stream: ByteStream) -> Parsed:
    """Return the states an answer holds; a list of workloads holds none, since it does not say which one is meant."""
    content, cut = read_all(stream, _LIMIT)
    root = load_json(content, artifact.path)
    events = list(_states(root)) if root is not None else []
    return Parsed(events=events, bytes_read=len(content), cut="longer than 32 MiB" if cut else None)


def _states(root: Node) -> Iterator[RawEvent]:
    if root.text("phase") and root.text("id"):
        yield from _status(root)
    for pod in root.get("pods").items():
        yield from _pod(pod)
    for record in root.get("records").items():
        yield from _record(record)
    for measure in root.get("measurements").items():
        yield from _peak(measure, NOBODY)


def _status(root: Node) -> Iterator[RawEvent]:
    message = root.text("phaseMessage")
    yield state(
        "runai/phase",
        root.get("phaseMessage" if message else "phase").cite(),
        when=instant(root.text("phaseUpdatedAt"), _CLOCK),
        numbers={"code": _code(message)},
        state=root.text("phase"),
        reason=root.text("phaseReason"),
        message=message,
    )
    for event in root.get("events").items():
        yield from _event(event)


def _pod(pod: Node) -> Iterator[RawEvent]:
    subject = Subject(pod=pod.text("name") or None, node=pod.text("nodeName") or None)
    yield state("runai/pod", pod.get("k8sPhase").cite(), subject, reason=pod.text("k8sPhase"))
    for measure in pod.get("measurements").items():
        yield from _peak(measure, subject, pod.text("requestedResources", "cpuMemory", "limit"))


def _peak(measure: Node, subject: Subject, limit: str = "") -> Iterator[RawEvent]:
    """Yield the largest sample of host memory, in bytes."""
    if measure.text("type") != "CPU_MEMORY_USAGE_BYTES":
        return
    samples = [item for item in measure.get("values").items() if item.text("value").isdecimal()]
    if samples:
        top = max(samples, key=lambda item: int(item.text("value")))
        yield state(
            "runai/memory-peak",
            top.get("value").cite(),
            subject,
            when=instant(top.text("timestamp"), _CLOCK),
            numbers={"bytes": float(top.text("value"))},
            limit=limit,
        )


def _record(record: Node) -> Iterator[RawEvent]:
    spec = record.get("spec")
    if spec.get("event").value is not None:
        yield from _event(spec.get("event"))
    update = spec.get("phaseUpdate")
    if update.text("phase"):
        message = update.text("phaseMessage")
        yield state(
            "runai/phase-update",
            update.get("phaseMessage" if message else "phase").cite(),
            when=instant(record.text("meta", "creationTimestamp"), _CLOCK),
            numbers={"code": _code(message)},
            state=update.text("phase"),
            message=message,
        )


def _event(event: Node) -> Iterator[RawEvent]:
    if event.text("source").lower() == _APPLICATION:
        return
    reason, message = event.text("reason"), event.text("message")
    place = "reason" if reason and (not message or _TELLING.match(reason)) else "message"
    named = _POD.search(message)
    yield state(
        "runai/event",
        event.get(place).cite(),
        Subject(pod=named[1] if named else None),
        when=instant(event.text("createdAt"), _CLOCK),
        numbers={"code": _code(message)},
        reason=reason,
        message=message,
        severity=event.text("type"),
        object=f"pod/{named[1]}" if named else "the workload",
    )


def _code(message: str) -> float | None:
    found = _CODE.search(message)
    return float(found[1]) if found else None


PARSERS = (Parser(id="runai", claims=claims, read=read),)
