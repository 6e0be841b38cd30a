"""What a live Kubernetes object points at and the story of a run needs: logs, events, nodes, claims and owners."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from runtriage.model import kube
from runtriage.model.artifact import Request
from runtriage.parse.pointer import Node

_PODS: Final = 8
"""Pods of a set whose logs are read: the first that failed, of the healthy ones two."""
_HEALTHY: Final = 2
_BEFORE: Final = 2
"""Of those that failed, so many may be ones that run again."""
_NODES: Final = 4
_INDEXES: Final = ("batch.kubernetes.io/job-completion-index", "apps.kubernetes.io/pod-index")
_GPUS: Final = ("nvidia.com/gpu", "amd.com/gpu", "google.com/tpu")
_OWNERS: Final = {kind.lower(): kind for kind in kube.PLAIN_PATHS}
_QUEUE: Final = "kueue.x-k8s.io/queue-name"
_CONTAINERS_ONLY: Final = "k8s/pod:containers"
_MORE: Final = "k8s/pods:more"
"""A later page of a list: of each the first pod that failed, so that the first of all is among those that are read."""
_FOLLOWED: Final = frozenset({"k8s/pod", "k8s/pods", "k8s/owner", _CONTAINERS_ONLY, _MORE})


def requests(source: str, objects: Sequence[tuple[str, Node]]) -> list[Request]:
    """Return what to read next after live objects of the given kinds; `source` is the request kind that brought them."""
    if source not in _FOLLOWED:
        return []
    found = [node for kind, node in objects if kind == "Pod"]
    asked = list(
        _pods(_first(found) if source == _MORE else _chosen(found), containers_only=source == _CONTAINERS_ONLY)
    )
    for kind, node in objects:
        if kind != "Pod":
            asked += _owner(kind, node)
    return asked


def rank(pod: Node) -> str:
    """Return the global rank of a pod that runs one process, as text: what its environment says, else its index; empty where unsure."""
    containers = list(pod.get("spec", "containers").items())
    many = (each.get("resources", "limits").text(name) for each in containers for name in _GPUS)
    if any(amount not in ("", "0", "1") for amount in many):
        return ""
    told = [entry for each in containers for entry in each.get("env").items()]
    if any(
        entry.text("name") in ("NPROC_PER_NODE", "PET_NPROC_PER_NODE") and entry.text("value") != "1" for entry in told
    ):
        return ""
    for entry in told:
        if entry.text("name") == "RANK" and entry.text("value").isdecimal():
            return entry.text("value")
    found = (pod.text("metadata", "annotations", name) or pod.text("metadata", "labels", name) for name in _INDEXES)
    return next((value for value in found if value.isdecimal()), "")


def _chosen(found: Sequence[Node]) -> list[Node]:
    """Return the pods that are read closely: the first to fail, those that fail now before those that run again, and a few that do well."""
    failed = sorted((pod for pod in found if _trouble(pod)), key=ended)
    again = [pod for pod in failed if _runs(pod)]
    down = [pod for pod in failed if not _runs(pod)]
    shown = [*down[: max(_PODS - _BEFORE, _PODS - len(again))], *again]
    healthy = [pod for pod in found if not _trouble(pod)]
    return [*shown[:_PODS], *healthy[: _HEALTHY if failed else _PODS]]


def _first(found: Sequence[Node]) -> list[Node]:
    return sorted((pod for pod in found if _trouble(pod)), key=ended)[:1]


def _pods(chosen: Sequence[Node], *, containers_only: bool) -> Iterator[Request]:
    for pod in chosen:
        namespace, name = pod.text("metadata", "namespace"), pod.text("metadata", "name")
        yield kube.events(namespace, "what happened to the pod", name)
        yield from _logs(pod, namespace, name, failing=_trouble(pod))
    if containers_only:
        return
    yield from _places(chosen)
    for namespace, kind, name in dict.fromkeys(_owners(chosen)):
        yield kube.owner(namespace, kind, name, "what the owner of the pods says")


def _trouble(pod: Node) -> bool:
    if pod.text("status", "phase") == "Failed" or pod.text("status", "reason"):
        return True
    return any(_failed(each) for group in _GROUPS for each in pod.get("status", group).items())


_GROUPS: Final = ("initContainerStatuses", "containerStatuses")


def _failed(container: Node) -> bool:
    waiting = container.text("state", "waiting", "reason")
    ends = [container.number(slot, "terminated", "exitCode") for slot in ("state", "lastState")]
    return (
        bool(container.number("restartCount"))
        or any(ends)
        or waiting not in ("", "ContainerCreating", "PodInitializing")
    )


def _runs(pod: Node) -> bool:
    """Tell whether all containers of a pod run, so that what failed in it was before."""
    statuses = pod.get("status", "containerStatuses").items()
    running = [each.get("state", "running").value is not None for each in statuses]
    return bool(running) and all(running)


def ended(pod: Node) -> str:
    """Return when the first container of a pod failed, or else since when the pod is said to be down; `9999` where nothing tells."""
    times = [
        each.text(slot, "terminated", "finishedAt")
        for group in _GROUPS
        for each in pod.get("status", group).items()
        for slot in ("lastState", "state")
        if each.number(slot, "terminated", "exitCode")
    ]
    return min((time for time in times if time), default=down(pod) or "9999")


def down(pod: Node) -> str:
    """Return since when a pod is disrupted or not ready, as its conditions say; empty where none does."""
    since = {
        condition.text("type"): condition.text("lastTransitionTime")
        for condition in pod.get("status", "conditions").items()
        if condition.text("status") == ("True" if condition.text("type") == _DISRUPTED else "False")
    }
    return since.get(_DISRUPTED) or since.get("Ready", "")


_DISRUPTED: Final = "DisruptionTarget"


def _logs(pod: Node, namespace: str, name: str, *, failing: bool) -> Iterator[Request]:
    index = rank(pod)
    for group in _GROUPS:
        for each in pod.get("status", group).items():
            container = each.text("name")
            before = bool(each.number("restartCount")) or each.get("lastState", "terminated").value is not None
            if before:
                yield kube.log(namespace, name, container, "the container that ended", previous=True, rank=index)
            ended = each.get("state", "terminated")
            started = ended.value is not None or each.get("state", "running").value is not None
            clean = group == "initContainerStatuses" and ended.number("exitCode") == 0
            if started and not clean and not (before and failing and ended.value is None):
                yield kube.log(namespace, name, container, "what the container wrote", previous=False, rank=index)


def _places(chosen: Sequence[Node]) -> Iterator[Request]:
    hosts = [pod.text("spec", "nodeName") for pod in chosen]
    for host in list(dict.fromkeys(filter(None, hosts)))[:_NODES]:
        yield kube.node(host, "conditions and taints of the node")
    if not all(hosts):
        yield kube.nodes("whether any node could take the pod")
    claims = [
        (pod.text("metadata", "namespace"), volume.text("persistentVolumeClaim", "claimName"))
        for pod in chosen
        for volume in pod.get("spec", "volumes").items()
    ]
    for namespace, name in list(dict.fromkeys(claim for claim in claims if claim[1]))[:_NODES]:
        yield kube.claim(namespace, name, "whether the claim is bound")


def _owners(objects: Sequence[Node]) -> Iterator[tuple[str, str, str]]:
    for each in objects:
        for reference in each.get("metadata", "ownerReferences").items():
            kind = _kind(reference.text("kind"), reference.text("apiVersion"))
            if kind:
                yield each.text("metadata", "namespace"), kind, reference.text("name")


def _kind(kind: str, api: str) -> str:
    if kind == "Job" and api.startswith("batch.volcano.sh"):
        return "vcjob"
    return _OWNERS.get(kind.lower(), "")


def _owner(kind: str, node: Node) -> Iterator[Request]:
    """Yield what an owner points at: its own owner, its events, and the cluster that a Ray job runs on."""
    namespace, name = node.text("metadata", "namespace"), node.text("metadata", "name")
    for above in dict.fromkeys(_owners([node])):
        yield kube.owner(*above, "what the owner of the job says")
    yield kube.events(namespace, "what happened to the job", name)
    uid = node.text("metadata", "uid")
    if uid and (node.text("metadata", "labels", _QUEUE) or node.text("metadata", "annotations", _QUEUE)):
        yield kube.queued(namespace, name, uid, "whether the queue admitted, preempted or evicted the job")
    if kind == "RayJob" and (cluster := node.text("status", "rayClusterName")):
        yield kube.pods(namespace, f"ray.io/cluster={cluster}", "the pods of the Ray cluster")
