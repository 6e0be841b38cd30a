"""Kubernetes objects as `kubectl get -o json` and `-o yaml` print them: pods, jobs of any kind, nodes, claims and events."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from runtriage.model.artifact import Artifact
from runtriage.model.pattern import deferred
from runtriage.model.raw import RawEvent
from runtriage.model.subject import Subject
from runtriage.model.target import ByteStream
from runtriage.parse.document import Parsed, Parser, read_all
from runtriage.parse.k8s_amounts import ceiling, offered, requested
from runtriage.parse.k8s_follow import down, rank
from runtriage.parse.k8s_follow import requests as follow
from runtriage.parse.pointer import Node, instant, is_document, load_json, load_yaml
from runtriage.parse.tables import state

_LIMIT = 32 << 20
_CLOCK = "k8s"
_KIND = deferred(rb'"kind"\s*:\s*"[A-Z]\w+"')
_API = deferred(rb'"apiVersion"\s*:\s*"')
_YAML_LIMIT = 4 << 20
_YAML_KIND = deferred(rb"^(?:- )?kind:\s*[A-Z]\w+", re.MULTILINE)
_YAML_API = deferred(rb"^(?:- )?apiVersion:\s*\S", re.MULTILINE)
_YAML_STATUS = deferred(rb"^ {0,4}status:|^(?:- | {2})?(?:involvedObject|regarding):", re.MULTILINE)
"""What is, not only what is wanted; an event has no status, it says what it is about."""
_TELLING = deferred(
    r"^(?:OOMKilled|DeadlineExceeded|Preempt\w*|NodeNotReady|NodeLost|NodeShutdown|Shutdown|Terminated|TaintManagerEviction"
    r"|DeletionBy\w+|TerminationByKubelet|EvictionBy\w+)$"
)
"""Reasons that say all; of any other the message says more."""
_UNSTARTED = deferred(r"^(?:ContainerCannotRun|StartError|RunContainerError)$")
"""Reasons of a container that never ran: the message is the runtime's own."""
_SEARCH = "k8s/where"
_OUTCOMES = ("jobStatus", "jobDeploymentStatus", "phase", "state")
"""Fields in which controllers that keep no conditions say how a job is."""


def claims(artifact: Artifact, head: bytes) -> bool:
    """Tell whether the document is a Kubernetes object or list that says what is, not only what is wanted."""
    if head.lstrip()[:1] in (b"{", b"["):
        return is_document(head) and bool(_KIND.search(head)) and bool(_API.search(head))
    return bool(_YAML_KIND.search(head)) and bool(_YAML_API.search(head)) and bool(_YAML_STATUS.search(head))


def read(artifact: Artifact, stream: ByteStream) -> Parsed:
    """Return the states a document holds."""
    content, cut = read_all(stream, _LIMIT)
    if content.lstrip()[:1] in (b"{", b"["):
        root = load_json(content, artifact.path)
    else:
        root = load_yaml(content, artifact.path) if len(content) <= _YAML_LIMIT else None
        cut = cut or len(content) > _YAML_LIMIT
    found = list(objects(root)) if root is not None else []
    if artifact.source == _SEARCH:
        return Parsed(events=[_home(node) for _, node in found], bytes_read=len(content))
    return Parsed(
        events=[event for kind, node in found for event in states(node, kind)],
        requests=follow(artifact.source, found),
        bytes_read=len(content),
        cut="longer than is read whole" if cut else None,
    )


def objects(root: Node, kind: str = "") -> Iterator[tuple[str, Node]]:
    """Yield single objects with their kinds out of an object, a list object or a plain list; an API server's lists name it once."""
    if isinstance(root.value, list):
        for item in root.items():
            yield from objects(item, kind)
    elif isinstance(root.get("items").value, list):
        whole = root.text("kind").removesuffix("List")
        for item in root.get("items").items():
            yield item.text("kind") or whole, item
    else:
        yield root.text("kind") or kind, root


def states(node: Node, kind: str) -> Iterator[RawEvent]:
    """Yield the states of one object."""
    if kind == "Event" or node.get("involvedObject").value is not None:
        yield from _event(node)
    elif kind == "Node":
        yield from _node(node)
    elif kind == "PersistentVolumeClaim":
        yield _state("claim-phase", node.get("status", "phase"), Subject(), reason=node.text("status", "phase"))
    elif (
        node.get("status", "containerStatuses").value is not None
        or kind == "Pod"
        or node.get("spec", "containers").value
    ):
        yield from _pod(node)
    elif node.get("status").value is not None:
        yield from _job(node)


def _home(pod: Node) -> RawEvent:
    """Return where a pod lives; of a search by name nothing else is meant."""
    place = pod.get("metadata", "namespace")
    return _state(
        "home", place, Subject(pod=pod.text("metadata", "name") or None), namespace=pod.text("metadata", "namespace")
    )


def _state(name: str, at: Node, subject: Subject, *, when: str = "", **captures: str) -> RawEvent:
    return state(f"k8s/{name}", at.cite(), subject, when=instant(when, _CLOCK), numbers=None, **captures)


def _place(node: Node, fallback: str = "reason") -> Node:
    """Return the value to cite: the message where it says more than the reason."""
    reason = node.text("reason")
    if node.text("message") and not _TELLING.match(reason):
        return node.get("message")
    return node.get("reason") if reason else node.get(fallback)


def _job(node: Node) -> Iterator[RawEvent]:
    yield from _conditions(node, "job", Subject())
    status = node.get("status")
    if status.text("state", "phase"):
        yield _volcano(status.get("state"))
    for key in _OUTCOMES:
        if status.text(key):
            yield _state(
                "job-outcome",
                status.get(key),
                Subject(),
                when=status.text("endTime"),
                state=status.text(key),
                reason=status.text("reason"),
                message=status.text("message"),
            )


def _volcano(state_of: Node) -> RawEvent:
    """Return how a job is whose controller writes its state as an object."""
    return _state(
        "job-outcome",
        state_of.get("phase"),
        Subject(),
        when=state_of.text("lastTransitionTime"),
        state=state_of.text("phase"),
        reason=state_of.text("reason"),
        message=state_of.text("message"),
    )


def _pod(node: Node) -> Iterator[RawEvent]:
    index = rank(node)
    subject = Subject(
        pod=node.text("metadata", "name") or None,
        node=node.text("spec", "nodeName") or None,
        rank=int(index) if index else None,
    )
    status = node.get("status")
    phase = status.text("phase")
    if phase:
        space = node.text("metadata", "namespace")
        yield _state("pod-phase", status.get("phase"), subject, reason=phase, namespace=space)
    if status.text("reason"):
        place = status.get("message") if status.text("message") else status.get("reason")
        told = {"reason": status.text("reason"), "message": status.text("message")}
        yield _state("pod-reason", place, subject, when=down(node), **told)
    for group, init in (("initContainerStatuses", "yes"), ("containerStatuses", "no")):
        for container in status.get(group).items():
            yield from _container(container, subject, init, phase)
            if "OOMKilled" in (container.text(slot, "terminated", "reason") for slot in ("state", "lastState")):
                yield from _memory(node, container.text("name"), subject)
    yield from _conditions(node, "pod", subject)
    yield from _requests(node, subject)


def _memory(node: Node, container: str, subject: Subject) -> Iterator[RawEvent]:
    """Yield what a container that ran out of memory may use and asked for."""
    for place, limit, request in ceiling(node.get("spec"), container):
        yield _state("container-memory", place, subject, container=container, limit=limit, request=request)


def _requests(node: Node, subject: Subject) -> Iterator[RawEvent]:
    """Yield what a pod that waits for a node asks of one."""
    if subject.node is None:
        yield from _amounts("pod-request", requested(node.get("spec")), subject)


def _amounts(name: str, amounts: Iterable[tuple[str, Node, float]], subject: Subject) -> Iterator[RawEvent]:
    for resource, place, number in amounts:
        event = _state(name, place, subject, resource=resource, amount=str(place.value))
        event.numbers = {"amount": number}
        yield event


def _container(container: Node, subject: Subject, init: str, phase: str) -> Iterator[RawEvent]:
    name = container.text("name")
    for slot in ("state", "lastState"):
        ended = container.get(slot, "terminated")
        if ended.value is not None:
            yield _ended(ended, subject, name, init, slot)
        waiting = container.get(slot, "waiting")
        if waiting.value is not None and waiting.text("reason"):
            yield _state(
                "container-waiting",
                _place(waiting),
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
        _end_place(ended),
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


def _end_place(ended: Node) -> Node:
    """Return the value to cite for a container that ended."""
    reason = ended.text("reason")
    if ended.text("message") and _UNSTARTED.match(reason):
        return ended.get("message")
    return ended.get("reason") if reason else ended.get("exitCode")


def _conditions(node: Node, owner: str, subject: Subject) -> Iterator[RawEvent]:
    for condition in node.get("status", "conditions").items():
        kind, status = condition.text("type"), condition.text("status")
        reason, message = condition.text("reason"), condition.text("message")
        if not kind:
            continue
        yield _state(
            f"{owner}-condition",
            _place(condition, "type"),
            subject,
            when=condition.text("lastTransitionTime"),
            type=kind,
            status=status,
            reason=reason,
            message=message,
        )


def _node(node: Node) -> Iterator[RawEvent]:
    subject = Subject(node=node.text("metadata", "name") or None)
    yield from _conditions(node, "node", subject)
    yield from _amounts("node-offer", offered(node.get("status", "allocatable")), subject)


def _event(node: Node) -> Iterator[RawEvent]:
    involved = node.get("involvedObject") if node.get("involvedObject").value is not None else node.get("regarding")
    name = involved.text("name") or None
    subject = Subject(
        pod=name if involved.text("kind") == "Pod" else None, node=name if involved.text("kind") == "Node" else None
    )
    yield _state(
        "event",
        _place(node),
        subject,
        when=node.text("lastTimestamp") or node.text("eventTime"),
        reason=node.text("reason"),
        message=node.text("message") or node.text("note"),
        severity=node.text("type"),
        object=f"{involved.text('kind')}/{name or ''}".lower(),
    )


PARSERS = (Parser(id="k8s", claims=claims, read=read),)
