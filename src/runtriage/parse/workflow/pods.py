"""Pods and nodes of a cluster as far as they tell why a job does not start."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec.structs import replace

from runtriage.model.pattern import deferred
from runtriage.model.workflow_evidence import Blocker, ClusterAnswer, NodeSeen, PodSeen
from runtriage.parse.pointer import Node, load_json
from runtriage.parse.workflow.reason import PROGRESS, reason_code

LABEL: Final = "skypilot-cluster-name"
_CLUSTER: Final = deferred(r"(.+)-(\d+)-[0-9a-f]{8}")
_CLUSTER_BARE: Final = deferred(r"(.+)-(\d+)")
_GPU: Final = deferred(r"(?:nvidia\.com|amd\.com|gpu\.intel\.com)/[\w.-]*gpu[\w.-]*|nvidia\.com/mig-[\w.-]+")
_PRODUCTS: Final = (
    "skypilot.co/accelerator",
    "nvidia.com/gpu.product",
    "cloud.google.com/gke-accelerator",
    "k8s.amazonaws.com/accelerator",
    "gpu.nvidia.com/class",
    "amd.com/gpu.product-name",
)
_DONE: Final = ("Succeeded", "Failed")


def job_of(cluster: str) -> str:
    """Return the job id in a cluster label: the part before the user hash, or the last number where the hash is missing."""
    found = _CLUSTER.fullmatch(cluster) or _CLUSTER_BARE.fullmatch(cluster)
    return found[2] if found else ""


def cluster_answer(pods: bytes, nodes: bytes | None, events: bytes | None) -> ClusterAnswer:
    """Return what lists of pods, nodes and events, as JSON, say together. Events fill in what pods leave open."""
    root = load_json(pods, "pods")
    if root is None or not isinstance(root.get("items").value, list):
        return ClusterAnswer(error="KUBERNETES_RESPONSE_UNPARSEABLE", detail="the list of pods is not JSON")
    told = _events(load_json(events, "events") if events else None)
    seen = tuple(_pod(pod, told) for pod in root.get("items").items())
    listed = load_json(nodes, "nodes") if nodes else None
    return ClusterAnswer(
        pods=seen,
        nodes=tuple(_node(node) for node in listed.get("items").items()) if listed is not None else (),
        nodes_error="" if listed is not None else "KUBERNETES_DIAGNOSTICS_UNAVAILABLE",
    )


def _pod(pod: Node, events: dict[tuple[str, str], list[tuple[str, str]]]) -> PodSeen:
    name, namespace = pod.text("metadata", "name"), pod.text("metadata", "namespace")
    cluster = pod.text("metadata", "labels", LABEL)
    containers = list(pod.get("spec", "containers").items())
    phase = pod.text("status", "phase")
    waits = phase not in ("Running", *_DONE)
    blockers = list(_blockers(pod, name, namespace)) if waits else []
    if waits and not blockers:
        blockers = list(_from_events(events.get((namespace, name), []), name, namespace))
    secrets = tuple(each.text("name") for each in pod.get("spec", "imagePullSecrets").items())
    return PodSeen(
        name=name,
        namespace=namespace,
        phase=phase,
        node=pod.text("spec", "nodeName"),
        cluster=cluster,
        job_id=job_of(cluster),
        gpus=sum(_amount(each.get("resources", "requests")) for each in containers),
        image=containers[0].text("image") if containers else "",
        blockers=tuple(_with_image(blocker, containers, secrets) for blocker in blockers),
    )


def _with_image(blocker: Blocker, containers: Sequence[Node], secrets: Sequence[str]) -> Blocker:
    """Return a blocker that also tells which image is pulled with which secret."""
    image = blocker.image or (containers[0].text("image") if containers else "")
    return replace(blocker, image=image, pull_secret=secrets[0] if secrets else "")


def _blockers(pod: Node, name: str, namespace: str) -> Iterator[Blocker]:
    status = pod.get("status")
    for group, source in (
        ("initContainerStatuses", "kubernetes_init_container_condition"),
        ("containerStatuses", "kubernetes_container_condition"),
    ):
        for container in status.get(group).items():
            waiting = container.get("state", "waiting")
            reason = waiting.text("reason")
            if reason and reason not in PROGRESS:
                yield _blocker(name, namespace, source, reason, waiting.text("message"), container.text("image"))
    for condition in status.get("conditions").items():
        if condition.text("type") == "PodScheduled" and condition.text("status") == "False":
            reason = condition.text("reason") or "Unschedulable"
            yield _blocker(name, namespace, "kubernetes_pod_scheduled_condition", reason, condition.text("message"))


def _from_events(events: list[tuple[str, str]], name: str, namespace: str) -> Iterator[Blocker]:
    for reason, message in events:
        blocker = _blocker(name, namespace, "kubernetes_event", reason, message)
        if blocker.code != "PENDING_UNKNOWN":
            yield blocker


def _blocker(name: str, namespace: str, source: str, reason: str, message: str, image: str = "") -> Blocker:
    code = reason_code(reason, message, init="init" in source)
    return Blocker(
        pod=name, namespace=namespace, source=source, reason=reason, message=message[:1000], code=code, image=image
    )


def _events(root: Node | None) -> dict[tuple[str, str], list[tuple[str, str]]]:
    found: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for event in root.get("items").items() if root is not None else ():
        involved = event.get("involvedObject")
        if involved.text("kind") == "Pod" and event.text("type") != "Normal":
            key = involved.text("namespace") or event.text("metadata", "namespace"), involved.text("name")
            found.setdefault(key, []).append((event.text("reason"), event.text("message")))
    return found


def _node(node: Node) -> NodeSeen:
    labels = node.get("metadata", "labels")
    ready = any(
        each.text("type") == "Ready" and each.text("status") == "True"
        for each in node.get("status", "conditions").items()
    )
    return NodeSeen(
        name=node.text("metadata", "name"),
        product=next((labels.text(label) for label in _PRODUCTS if labels.text(label)), ""),
        gpus=_amount(node.get("status", "allocatable")),
        ready=ready,
        schedulable=node.get("spec", "unschedulable").value is not True,
    )


def _amount(resources: Node) -> int:
    total = 0
    for name, amount in resources.members():
        text = str(amount.value)
        if _GPU.fullmatch(name) and text.isdecimal():
            total += int(text[:9])
    return total


def merged(answer: ClusterAnswer, pods: bytes) -> ClusterAnswer:
    """Return an answer with the other pods that hold GPUs beside those of jobs."""
    root = load_json(pods, "pods")
    if root is None:
        return answer
    known = {(pod.namespace, pod.name) for pod in answer.pods}
    others = [_pod(pod, {}) for pod in root.get("items").items()]
    return replace(
        answer, pods=(*answer.pods, *(pod for pod in others if (pod.namespace, pod.name) not in known and pod.gpus))
    )
