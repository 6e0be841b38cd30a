"""States that a later state takes back, that repeat one another, or that are about places the run never was at."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from runtriage.model.event import Event
from runtriage.model.pattern import deferred

_EVENTS = ("k8s/event", "runai/event")
_IMAGE = deferred(r'image "([^"]+)"')
_PULL_TROUBLE = deferred(r"^(?:Failed|BackOff|ErrImagePull|ImagePullBackOff|InspectFailed)$")
_PULL_TEXT = deferred(r"pull|image", re.IGNORECASE)
_MOUNT_TROUBLE = deferred(r"^Failed(?:Mount|AttachVolume|MapVolume|CreatePodSandBox)$")
_PLACE_TROUBLE = deferred(r"^(?:FailedScheduling|NetworkNotReady)$")
_HELPER = deferred(
    r"(?:^|-)(?:sidecar|istio-proxy|linkerd-proxy|envoy|queue-proxy|cloud-?sql-proxy|fluent-?bit|fluentd?|filebeat|promtail|vector|logstash"
    r"|otel\w*|datadog\w*|telegraf|tensorboard|vault-agent|\w*log-?(?:shipper|tail\w*|agent|collector|forwarder|router)|logger"
    r"|metrics?-(?:agent|exporter|proxy|sidecar)|\w*exporter|kube-rbac-proxy)(?:-|$)",
    re.IGNORECASE,
)
"""Names of containers that serve the one that trains: proxies, log shippers, exporters of metrics."""
_WENT_ON = frozenset({"Pulling", "Pulled", "Created", "Started"})
"""Events a pod has only after its node and its volumes are there."""


def cleared(states: Sequence[Event]) -> set[int]:
    """Return the ids of events whose trouble was over later: the image arrived, the volume was mounted, the pod was placed."""
    by_pod: dict[tuple[str, str], list[tuple[int, Event]]] = {}
    for place, event in enumerate(states):
        if event.name in _EVENTS and event.subject.pod:
            by_pod.setdefault((event.citation.artifact, event.subject.pod), []).append((place, event))
    return {
        id(event)
        for events in by_pod.values()
        for place, event in events
        if any(_ends(later, event) and _after(there, later, place, event) for there, later in events)
    }


def _ends(later: Event, trouble: Event) -> bool:
    reason, what = trouble.captures.get("reason", ""), later.captures.get("reason", "")
    if _PLACE_TROUBLE.match(reason):
        return what == "Scheduled" or what in _WENT_ON
    if _MOUNT_TROUBLE.match(reason):
        return what in _WENT_ON
    message = trouble.captures.get("message", "")
    if _PULL_TROUBLE.match(reason) and _PULL_TEXT.search(message):
        return what == "Pulled" and _same_image(message, later.captures.get("message", ""))
    return False


def _same_image(one: str, other: str) -> bool:
    first, second = _IMAGE.search(one), _IMAGE.search(other)
    return first is None or second is None or first[1] == second[1]


def _after(there: int, later: Event, place: int, event: Event) -> bool:
    if later.when is not None and event.when is not None:
        return later.when.seconds >= event.when.seconds
    new, old = later.numbers.get("age"), event.numbers.get("age")
    if new is not None and old is not None and new != old:
        return new < old
    return there > place


def stopping(states: Sequence[Event]) -> set[int]:
    """Return the ids of failed probes of pods that were being stopped for another reason by then: what shuts down answers no more."""
    told = [(place, event) for place, event in enumerate(states) if event.name in _EVENTS and event.subject.pod]
    stops = [one for one in told if one[1].captures.get("reason") == "Killing" and not _probed(one[1])]
    probes = [one for one in told if one[1].captures.get("reason") == "Unhealthy"]
    return {
        id(event)
        for place, event in probes
        for there, stop in stops
        if stop.subject.pod == event.subject.pod and _after(place, event, there, stop)
    }


def _probed(event: Event) -> bool:
    return "probe" in event.captures.get("message", "")


def beside(states: Sequence[Event]) -> set[int]:
    """Return the ids of ends of helper containers in pods whose main container is not known to have failed: the run is not theirs."""
    ended = [event for event in states if event.name in ("k8s/container-ended", "k8s/container-waiting")]
    failed = {
        event.subject.pod
        for event in ended
        if not _helper(event) and (event.numbers.get("code") or event.name == "k8s/container-waiting")
    }
    helpers = [event for event in ended if _helper(event) and event.subject.pod not in failed]
    pods = {event.subject.pod for event in helpers}
    rows = [event for event in states if event.name == "k8s/pod-row" and event.subject.pod in pods]
    return {id(event) for event in (*helpers, *rows)}


def _helper(event: Event) -> bool:
    return event.captures.get("init") != "yes" and bool(_HELPER.search(event.captures.get("container", "")))


def elsewhere(states: Sequence[Event]) -> set[int]:
    """Return the ids of states of nodes that host none of the pods seen, where it is known which nodes do."""
    homes = {event.subject.node for event in states if event.subject.pod and event.subject.node}
    if not homes:
        return set()
    return {
        id(event)
        for event in states
        if event.subject.pod is None and event.subject.node is not None and event.subject.node not in homes
        if event.name in ("k8s/node-condition", "k8s/node-row", "k8s/event")
    }


def spared(states: Sequence[Event]) -> set[int]:
    """Return the ids of nodes that are short of disk or memory where no pod is said to have been evicted: a node may be so for long."""
    if any(event.captures.get("reason") == "Evicted" for event in states):
        return set()
    short = [event for event in states if event.name == "k8s/node-condition"]
    return {id(event) for event in short if event.captures.get("type") in ("DiskPressure", "MemoryPressure")}


def once(states: Iterable[Event]) -> list[Event]:
    """Return each event of a document once, where it is listed first, with the time it first happened and how often it did."""
    groups: dict[tuple[object, ...], list[Event]] = {}
    for event in states:
        repeats = event.name in _EVENTS
        same = (
            (event.captures.get("reason"), event.captures.get("message"), event.subject.pod) if repeats else id(event)
        )
        groups.setdefault((event.citation.artifact, event.name, same), []).append(event)
    return [_joined(group) for group in groups.values()]


def _joined(group: Sequence[Event]) -> Event:
    if len(group) == 1:
        return group[0]
    times = [event.when for event in group if event.when is not None]
    return replace(
        group[0],
        when=min(times, key=lambda when: when.seconds, default=None),
        count=sum(event.count for event in group),
    )
