"""Answers of the Run:ai tools: the list workloads are found in, and status, spec, pods, history and metrics of one workload."""

from __future__ import annotations

import re
from collections.abc import Iterator

from runtriage.model.artifact import Artifact
from runtriage.model.pattern import deferred
from runtriage.model.raw import RawEvent
from runtriage.model.runai import KIND
from runtriage.model.subject import NOBODY, Subject
from runtriage.model.target import ByteStream
from runtriage.parse.document import Parsed, Parser, read_all
from runtriage.parse.pointer import Node, instant, is_document, load_json
from runtriage.parse.runai_spec import spec, text_of
from runtriage.parse.tables import state

_LIMIT = 32 << 20
_CLOCK = "runai"
_WORKLOAD = deferred(rb'"workloadId"\s*:|"phaseUpdatedAt"\s*:')
_TELLING = deferred(
    r"^(?:OOMKilled|NodeNotReady|NodeLost|TaintManagerEviction|Preempt\w*|DeadlineExceeded|IdleTimeout\w*)$"
)
_CODE = deferred(r"exit(?:ed)?(?: with)?(?: exit)? code:? (\d{1,3})\b", re.IGNORECASE)
_RESTARTS = deferred(r"\b(\d{1,6}) (?:restarts|times)\b")
_POD = deferred(r"\bpod:? (?:[\w-]+[./])?([a-z0-9](?=[\w-]*[-\d])[\w-]*)", re.IGNORECASE)
_APPLICATION = "application"
"""Text a program wrote about itself arrives as events too; it is not the platform speaking."""


def claims(artifact: Artifact, head: bytes) -> bool:
    """Tell whether the document is an answer about a workload."""
    return artifact.source.startswith(KIND) or (is_document(head) and bool(_WORKLOAD.search(head)))


def read(artifact: Artifact, stream: ByteStream) -> Parsed:
    """Return the states an answer holds; workloads of a list are candidates, which say nothing of the one that is meant."""
    content, cut = read_all(stream, _LIMIT)
    root = load_json(content, artifact.path)
    events = list(_states(root)) if root is not None else []
    return Parsed(events=events, bytes_read=len(content), cut="longer than 32 MiB" if cut else None)


def _states(root: Node) -> Iterator[RawEvent]:
    for candidate in root.get("workloads").items():
        yield _candidate(candidate)
    if root.text("phase") and root.text("id"):
        yield from _status(root)
    if root.get("spec").value is not None:
        yield spec(root)
    for pod in root.get("pods").items():
        yield from _pod(pod)
    for record in root.get("records").items():
        yield from _record(record)
    for measure in root.get("measurements").items():
        yield from _peak(measure, NOBODY)


def _candidate(item: Node) -> RawEvent:
    return state(
        "runai/candidate",
        item.get("phase").cite(),
        when=instant(item.text("phaseUpdatedAt"), _CLOCK),
        state=item.text("phase"),
        workload=item.text("id"),
        called=item.text("name"),
        cluster=item.text("clusterId"),
        project=item.text("projectName"),
    )


def _status(root: Node) -> Iterator[RawEvent]:
    message = root.text("phaseMessage")
    when = instant(root.text("phaseUpdatedAt"), _CLOCK)
    yield state(
        "runai/phase",
        root.get("phaseMessage" if message else "phase").cite(),
        when=when,
        numbers={"code": _code(message)},
        state=root.text("phase"),
        reason=root.text("phaseReason"),
        message=message,
        workload=root.text("id"),
        called=root.text("name"),
        cluster=root.text("clusterId"),
        project=root.text("projectName"),
        namespace=root.text("namespace"),
    )
    yield from _told(root.get("phaseReason"), root.text("phaseReason"), root.get("phaseMessage"), root)
    for condition in root.get("conditions").items():
        if condition.text("status") != "False":
            yield from _told(condition.get("reason"), condition.text("reason"), condition.get("message"), condition)
    if root.get("events").value is None and "events" in dict(root.members()):
        yield state("runai/events-missing", root.get("events").cite(), reason="events: null")
    for event in root.get("events").items():
        yield from _event(event)


def _told(place: Node, reason: str, text: Node, owner: Node) -> Iterator[RawEvent]:
    """Yield what a phase or a condition gives as its reason."""
    if not reason:
        return
    message = text.value if isinstance(text.value, str) else ""
    yield state(
        "runai/condition",
        (place if not message or _TELLING.match(reason) else text).cite(),
        when=instant(owner.text("lastTransitionTime") or owner.text("phaseUpdatedAt"), _CLOCK),
        numbers={"code": _code(message), "restarts": _restarts(message)},
        reason=reason,
        message=message,
        object="the workload",
    )


def _pod(pod: Node) -> Iterator[RawEvent]:
    subject = Subject(pod=pod.text("name") or None, node=pod.text("nodeName") or None)
    memory = pod.get("requestedResources", "cpuMemory")
    yield state(
        "runai/pod",
        pod.get("k8sPhase").cite(),
        subject,
        reason=pod.text("k8sPhase"),
        request=text_of(memory.get("request")),
        limit=text_of(memory.get("limit")),
    )
    for measure in pod.get("measurements").items():
        yield from _peak(measure, subject, text_of(memory.get("limit")))


def _peak(measure: Node, subject: Subject, limit: str = "") -> Iterator[RawEvent]:
    """Yield the largest sample of host memory, in bytes."""
    if measure.text("type") != "CPU_MEMORY_USAGE_BYTES":
        return
    samples = [(_amount(item.get("value")), item) for item in measure.get("values").items()]
    known = [(amount, item) for amount, item in samples if amount is not None]
    if known:
        amount, top = max(known, key=lambda sample: sample[0])
        yield state(
            "runai/memory-peak",
            top.get("value").cite(),
            subject,
            when=instant(top.text("timestamp"), _CLOCK),
            numbers={"bytes": amount, "samples": float(len(known))},
            limit=limit,
        )


def _amount(value: Node) -> float | None:
    """Return a sample that is a plain number, or digits in a string as the API writes them."""
    if isinstance(value.value, str):
        return float(value.value) if value.value.replace(".", "", 1).isdecimal() else None
    return value.number()


def _record(record: Node) -> Iterator[RawEvent]:
    told = record.get("spec")
    if told.get("event").value is not None:
        yield from _event(told.get("event"), record.text("meta", "creationTimestamp"))
    update = told.get("phaseUpdate")
    if update.text("phase"):
        message = update.text("phaseMessage")
        yield state(
            "runai/phase-update",
            update.get("phaseMessage" if message else "phase").cite(),
            when=instant(record.text("meta", "creationTimestamp"), _CLOCK),
            numbers={"code": _code(message), "restarts": _restarts(message)},
            state=update.text("phase"),
            message=message,
        )


def _event(event: Node, recorded: str = "") -> Iterator[RawEvent]:
    if event.text("source").lower() == _APPLICATION or event.text("reason").lower().startswith(_APPLICATION):
        return
    reason, message = event.text("reason"), event.text("message")
    place = "reason" if reason and (not message or _TELLING.match(reason)) else "message"
    named = _POD.search(message)
    yield state(
        "runai/event",
        event.get(place).cite(),
        Subject(pod=named[1] if named else None),
        when=instant(event.text("createdAt") or recorded, _CLOCK),
        numbers={"code": _code(message), "restarts": _restarts(message)},
        reason=reason,
        message=message,
        severity=event.text("type"),
        object=f"pod/{named[1]}" if named else "the workload",
    )


def _code(message: str) -> float | None:
    found = _CODE.search(message)
    return float(found[1]) if found else None


def _restarts(message: str) -> float | None:
    found = _RESTARTS.search(message)
    return float(found[1]) if found else None


PARSERS = (Parser(id="runai", claims=claims, read=read),)
