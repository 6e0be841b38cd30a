"""What to ask Kubernetes about the pods of a Run:ai workload, and when."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from runtriage.model import kube
from runtriage.model.artifact import Collected, Empty, Request, Unavailable
from runtriage.model.event import Event
from runtriage.model.facts import Facts
from runtriage.model.finding import Match

_FINE: Final = frozenset({"running", "succeeded", "completed"})
_PODS: Final = 3
"""So many pods at most are asked about, failed ones first."""
_BARE: Final = "orch/image-pull"


def container_requests(settled: str | None, phase: Event, matches: Sequence[Match], facts: Facts) -> list[Request]:
    """Return what container evidence is due: for an open category, an application error, a bare image error; nodes for a lost node."""
    due: list[Request] = []
    if settled in (None, "CRASH_APP_ERROR") or (settled == "IMAGE_PULL_FAILED" and _bare(matches)):
        due += list(_pods(phase, facts))
    if settled == "NODE_FAILURE":
        nodes = [event.subject.node for event in facts.events if event.name == "runai/pod" and event.subject.node]
        due += [kube.node(name, "conditions of the node") for name in dict.fromkeys(nodes[:_PODS])]
    return due


def _bare(matches: Sequence[Match]) -> bool:
    """Tell whether the registry's own answer is missing."""
    pulls = [match for match in matches if match.captures.get("category") == "IMAGE_PULL_FAILED"]
    return all(match.mode == _BARE and match.role != "cause" for match in pulls)


def _pods(phase: Event, facts: Facts) -> Iterator[Request]:
    pods = [event for event in facts.events if event.name == "runai/pod" and event.subject.pod]
    pods.sort(key=lambda event: event.captures.get("reason", "").lower() in _FINE)
    guess = phase.captures.get("namespace") or f"runai-{phase.captures.get('project', '')}"
    for pod in dict.fromkeys(str(event.subject.pod) for event in pods):
        namespace = _home(pod, guess, facts)
        if isinstance(namespace, Request):
            yield namespace
        elif namespace:
            yield kube.pod(namespace, pod, "states of its containers", containers_only=True)
        if len(pods) > _PODS and pod == pods[_PODS - 1].subject.pod:
            return


def _home(pod: str, guess: str, facts: Facts) -> str | Request:
    """Return the namespace of a pod: the usual one where the pod is there, else where a search finds exactly one of its name."""
    tried = [item for item in facts.outcomes if item.request.kind == "k8s/pod" and item.request.args.get("name") == pod]
    usual = next((item for item in tried if item.request.args.get("namespace") == guess), None)
    if usual is None or isinstance(usual, Collected):
        return guess
    if not isinstance(usual, Empty | Unavailable):
        return ""
    search = kube.where(pod, f"the namespace of the pod, which is not {guess}")
    if not any(item.request.kind == search.kind and item.request.args == search.args for item in facts.outcomes):
        return search
    homes = {
        event.captures["namespace"] for event in facts.events if event.name == "k8s/home" and event.subject.pod == pod
    }
    return next(iter(homes)) if len(homes) == 1 else ""
