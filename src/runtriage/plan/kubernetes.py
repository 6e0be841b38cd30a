"""What to ask a cluster next about the pod that a failure is about."""

from __future__ import annotations

from collections.abc import Iterator

from runtriage.model.event import STATE, Event
from runtriage.model.facts import Facts
from runtriage.model.verdict import Verdict
from runtriage.plan.quoting import quoted

_ENDED = "k8s/container-ended"


def pod_commands(verdict: Verdict, facts: Facts) -> Iterator[str]:
    """Yield the command that reads the log of each container of the pod that ended, else the one that describes the pod.

    A container whose end is its last state was started anew: its log is the previous one.
    """
    pod = verdict.culprit.pod if verdict.culprit else None
    told = [event for event in facts.events if event.kind == STATE and event.subject.pod == pod]
    if pod is None or not any(event.name.startswith("k8s/") for event in told):
        return
    space = next((event.captures["namespace"] for event in told if event.captures.get("namespace")), None)
    kubectl = f"kubectl -n {quoted(space)}" if space else "kubectl"
    ended = {event.captures.get("container", ""): event for event in told if event.name == _ENDED and _failed(event)}
    for container, event in ended.items():
        of = f" -c {quoted(container)}" if container else ""
        before = " --previous" if event.captures.get("slot") == "lastState" else ""
        yield f"{kubectl} logs {quoted(pod)}{of}{before}"
    if not ended:
        yield f"{kubectl} describe pod {quoted(pod)}"


def _failed(event: Event) -> bool:
    return event.numbers.get("code", 1) != 0
