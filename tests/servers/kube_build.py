"""Kubernetes objects of training jobs, put together from few words."""

from __future__ import annotations

from typing import Any

Object = dict[str, Any]


def ended(code: int, reason: str = "Error", at: str = "2026-05-20T11:59:00Z", message: str = "") -> Object:
    """Return the state of a container that ended."""
    told = {"message": message} if message else {}
    return {
        "terminated": {
            "exitCode": code,
            "reason": reason,
            "startedAt": "2026-05-20T11:00:00Z",
            "finishedAt": at,
            **told,
        }
    }


def waiting(reason: str, message: str = "") -> Object:
    """Return the state of a container that waits."""
    return {"waiting": {"reason": reason, **({"message": message} if message else {})}}


RUNNING: Object = {"running": {"startedAt": "2026-05-20T11:00:00Z"}}


def container(state: Object, last: Object | None = None, restarts: int = 0, name: str = "main") -> Object:
    """Return the status of a container."""
    return {
        "name": name,
        "restartCount": restarts,
        "ready": False,
        "image": "i",
        "imageID": "",
        "state": state,
        "lastState": last or {},
    }


def pod(
    name: str,
    phase: str,
    *containers: Object,
    init: list[Object] | None = None,
    node: str = "gpu-1",
    labels: dict[str, str] | None = None,
    owner: Object | None = None,
    conditions: list[Object] | None = None,
    claims: list[str] | None = None,
    gpus: int = 1,
    rank: str = "",
    reason: str = "",
    message: str = "",
) -> Object:
    """Return a pod whose main container asks for GPUs."""
    amount = {"nvidia.com/gpu": str(gpus), "memory": "16Gi"}
    environment = [{"name": "RANK", "value": rank}] if rank else []
    main: Object = {
        "name": "main",
        "image": "i",
        "resources": {"requests": amount, "limits": amount},
        "env": environment,
    }
    volumes = [{"name": claim, "persistentVolumeClaim": {"claimName": claim}} for claim in claims or []]
    metadata: Object = {"name": name, "namespace": "ml", "uid": f"u-{name}", "labels": labels or {}}
    if owner is not None:
        metadata["ownerReferences"] = [owner]
    status: Object = {"phase": phase, "containerStatuses": list(containers), "initContainerStatuses": init or []}
    status |= (
        {"conditions": conditions or []}
        | ({"reason": reason} if reason else {})
        | ({"message": message} if message else {})
    )
    spec: Object = {"containers": [main], "volumes": volumes, "restartPolicy": "OnFailure"} | (
        {"nodeName": node} if node else {}
    )
    return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec, "status": status}


def event(
    number: int,
    name: str,
    reason: str,
    message: str,
    at: str = "2026-05-20T11:59:30Z",
    count: int = 1,
    kind: str = "Pod",
) -> Object:
    """Return an event about an object."""
    return {
        "apiVersion": "v1",
        "kind": "Event",
        "metadata": {"name": f"e{number}", "namespace": "ml"},
        "type": "Warning",
        "reason": reason,
        "message": message,
        "count": count,
        "lastTimestamp": at,
        "involvedObject": {"kind": kind, "namespace": "ml", "name": name},
    }


def node(name: str = "gpu-1", *, ready: bool = True, gpus: int = 8, memory: str = "") -> Object:
    """Return a node; without `memory` it does not say how much it can give."""
    message = "kubelet is posting ready status" if ready else "Kubelet stopped posting node status."
    condition = {
        "type": "Ready",
        "status": "True" if ready else "Unknown",
        "reason": "KubeletReady" if ready else "NodeStatusUnknown",
    }
    offer = {"nvidia.com/gpu": str(gpus)} | ({"memory": memory} if memory else {})
    status = {"conditions": [{**condition, "message": message}], "allocatable": offer}
    return {"apiVersion": "v1", "kind": "Node", "metadata": {"name": name}, "spec": {}, "status": status}


def job(
    api: str,
    kind: str,
    name: str,
    *conditions: Object,
    owner: Object | None = None,
    status: Object | None = None,
    labels: dict[str, str] | None = None,
) -> Object:
    """Return a job of any kind."""
    metadata: Object = {"name": name, "namespace": "ml", "uid": f"u-{kind}-{name}".lower(), "labels": labels or {}}
    if owner is not None:
        metadata["ownerReferences"] = [owner]
    return {
        "apiVersion": api,
        "kind": kind,
        "metadata": metadata,
        "spec": {},
        "status": {"conditions": list(conditions), **(status or {})},
    }


def reference(api: str, kind: str, name: str) -> Object:
    """Return an owner reference."""
    return {"apiVersion": api, "kind": kind, "name": name, "uid": f"u-{kind}-{name}", "controller": True}


def condition(kind: str, reason: str, message: str = "", status: str = "True") -> Object:
    """Return a condition of a pod or job."""
    return {
        "type": kind,
        "status": status,
        "reason": reason,
        "message": message,
        "lastTransitionTime": "2026-05-20T12:00:00Z",
    }
