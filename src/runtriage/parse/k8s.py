"""Kubernetes objects as `kubectl get -o json` prints them: pods, jobs of any kind, nodes, claims and events."""

from __future__ import annotations

import re
from collections.abc import Iterator

from runtriage.model.artifact import Artifact
from runtriage.model.event import STATE
from runtriage.model.raw import RawEvent, RawText
from runtriage.model.subject import Subject
from runtriage.model.target import ByteStream
from runtriage.parse.document import Parsed, Parser, read_all
from runtriage.parse.pointer import Node, instant, load_json

_LIMIT = 32 << 20
_CLOCK = "k8s"
_KIND = re.compile(rb'"kind"\s*:\s*"[A-Z]\w+"')
_API = re.compile(rb'"apiVersion"\s*:\s*"')
_RANK_LABELS = (
    "training.kubeflow.org/replica-index",
    "batch.kubernetes.io/job-completion-index",
    "jobset.sigs.k8s.io/job-index",
)


def claims(artifact: Artifact, head: bytes) -> bool:
    """Tell whether the document is a Kubernetes object or list."""
    return head.lstrip()[:1] in (b"{", b"[") and bool(_KIND.search(head)) and bool(_API.search(head))


def read(artifact: Artifact, stream: ByteStream) -> Parsed:
    """Return the states a document holds."""
    content, cut = read_all(stream, _LIMIT)
    root = load_json(content, artifact.path)
    events = [event for node in objects(root) for event in states(node)] if root is not None else []
    return Parsed(events=events, bytes_read=len(content), cut="longer than 32 MiB" if cut else None)


def objects(root: Node) -> Iterator[Node]:
    """Yield single objects out of an object, a list object or a plain list."""
    if isinstance(root.value, list):
        for item in root.items():
            yield from objects(item)
    elif isinstance(root.get("items").value, list):
        yield from root.get("items").items()
    else:
        yield root


def states(node: Node) -> Iterator[RawEvent]:
    """Yield the states of one object."""
    kind = node.text("kind")
    if kind == "Event" or node.get("involvedObject").value is not None:
        yield from _event(node)
    elif kind == "Node":
        yield from _node(node)
    elif (
        node.get("status", "containerStatuses").value is not None
        or kind == "Pod"
        or node.get("spec", "containers").value
    ):
        yield from _pod(node)
    elif node.get("status").value is not None:
        yield from _conditions(node, "job", Subject())


def _state(name: str, at: Node, subject: Subject, *, when: str = "", **captures: str) -> RawEvent:
    shown = captures.get("message") or captures.get("reason") or ""
    return RawEvent(
        kind=STATE,
        name=f"k8s/{name}",
        citation=at.cite(),
        excerpt=RawText(shown),
        captures={key: RawText(value) for key, value in captures.items() if value},
        when=instant(when, _CLOCK),
        subject=subject,
    )


def _pod(node: Node) -> Iterator[RawEvent]:
    subject = Subject(pod=node.text("metadata", "name") or None, node=node.text("spec", "nodeName") or None)
    status = node.get("status")
    phase = status.text("phase")
    if phase:
        yield _state("pod-phase", status.get("phase"), subject, reason=phase)
    if status.text("reason"):
        place = status.get("message") if status.text("message") else status.get("reason")
        yield _state("pod-reason", place, subject, reason=status.text("reason"), message=status.text("message"))
    for group, init in (("initContainerStatuses", "yes"), ("containerStatuses", "no")):
        for container in status.get(group).items():
            yield from _container(container, subject, init, phase)
    yield from _conditions(node, "pod", subject)


def _container(container: Node, subject: Subject, init: str, phase: str) -> Iterator[RawEvent]:
    name = container.text("name")
    for slot in ("state", "lastState"):
        ended = container.get(slot, "terminated")
        if ended.value is not None:
            yield _ended(ended, subject, name, init, slot)
        waiting = container.get(slot, "waiting")
        if waiting.value is not None and waiting.text("reason"):
            place = waiting.get("message") if waiting.text("message") else waiting.get("reason")
            yield _state(
                "container-waiting",
                place,
                subject,
                reason=waiting.text("reason"),
                message=waiting.text("message"),
                container=name,
                init=init,
                phase=phase,
            )


def _ended(ended: Node, subject: Subject, name: str, init: str, slot: str) -> RawEvent:
    event = _state(
        "container-ended",
        ended.get("reason") if ended.text("reason") else ended.get("exitCode"),
        subject,
        when=ended.text("finishedAt"),
        reason=ended.text("reason"),
        message=ended.text("message"),
        container=name,
        init=init,
        slot=slot,
    )
    code = ended.number("exitCode")
    event.numbers = {"code": code} if code is not None else {}
    return event


def _conditions(node: Node, owner: str, subject: Subject) -> Iterator[RawEvent]:
    for condition in node.get("status", "conditions").items():
        kind, status = condition.text("type"), condition.text("status")
        reason, message = condition.text("reason"), condition.text("message")
        if not kind:
            continue
        place = condition.get("reason") if reason else condition.get("type")
        if owner == "pod" and reason == "Unschedulable":
            place = condition.get("message")
        yield _state(
            f"{owner}-condition",
            place,
            subject,
            when=condition.text("lastTransitionTime"),
            type=kind,
            status=status,
            reason=reason,
            message=message,
        )


def _node(node: Node) -> Iterator[RawEvent]:
    yield from _conditions(node, "node", Subject(node=node.text("metadata", "name") or None))


def _event(node: Node) -> Iterator[RawEvent]:
    involved = node.get("involvedObject") if node.get("involvedObject").value is not None else node.get("regarding")
    name = involved.text("name") or None
    subject = Subject(
        pod=name if involved.text("kind") == "Pod" else None, node=name if involved.text("kind") == "Node" else None
    )
    place = node.get("message") if node.text("message") else node.get("reason")
    yield _state(
        "event",
        place,
        subject,
        when=node.text("lastTimestamp") or node.text("eventTime"),
        reason=node.text("reason"),
        message=node.text("message") or node.text("note"),
        severity=node.text("type"),
        object=f"{involved.text('kind')}/{name or ''}".lower(),
    )


PARSERS = (Parser(id="k8s", claims=claims, read=read),)
