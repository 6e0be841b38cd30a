"""Requests to Kubernetes: everything that may be asked of a cluster has its constructor here, and nothing else is ever asked.

The argument `path` is the name under which the answer is kept and cited.
"""

from __future__ import annotations

from typing import Final

from runtriage.model.artifact import Request

KIND: Final = "k8s/"
PLAIN_PATHS: Final[dict[str, tuple[str, str]]] = {
    "job": ("batch/v1", "jobs"),
    "cronjob": ("batch/v1", "cronjobs"),
    "jobset": ("jobset.x-k8s.io/v1alpha2", "jobsets"),
    "pytorchjob": ("kubeflow.org/v1", "pytorchjobs"),
    "tfjob": ("kubeflow.org/v1", "tfjobs"),
    "xgboostjob": ("kubeflow.org/v1", "xgboostjobs"),
    "mpijob": ("kubeflow.org/v2beta1", "mpijobs"),
    "rayjob": ("ray.io/v1", "rayjobs"),
    "raycluster": ("ray.io/v1", "rayclusters"),
    "trainjob": ("trainer.kubeflow.org/v1alpha1", "trainjobs"),
    "vcjob": ("batch.volcano.sh/v1alpha1", "jobs"),
    "workload": ("kueue.x-k8s.io/v1beta1", "workloads"),
    "replicaset": ("apps/v1", "replicasets"),
    "statefulset": ("apps/v1", "statefulsets"),
    "deployment": ("apps/v1", "deployments"),
}
"""Kinds of owner, as users write them, with API version and plural."""
SELECTORS: Final[dict[str, str]] = {
    "job": "job-name",
    "jobset": "jobset.sigs.k8s.io/jobset-name",
    "trainjob": "jobset.sigs.k8s.io/jobset-name",
    "pytorchjob": "training.kubeflow.org/job-name",
    "tfjob": "training.kubeflow.org/job-name",
    "xgboostjob": "training.kubeflow.org/job-name",
    "mpijob": "training.kubeflow.org/job-name",
    "raycluster": "ray.io/cluster",
    "vcjob": "volcano.sh/job-name",
}
"""The label that names the owner on each of its pods."""


def pod(namespace: str, name: str, reason: str, *, containers_only: bool = False) -> Request:
    """Ask for one pod; with `containers_only` what it points at beyond its containers is not followed."""
    follow = {"follow": "containers"} if containers_only else {}
    arguments = {"namespace": namespace, "name": name, "path": f"{namespace}/pods/{name}.json", **follow}
    return Request(kind=f"{KIND}pod", args=arguments, reason=reason)


def pods(namespace: str, selector: str, reason: str) -> Request:
    """Ask for the pods that a label selector picks."""
    arguments = {"namespace": namespace, "selector": selector, "path": f"{namespace}/pods?{selector}"}
    return Request(kind=f"{KIND}pods", args=arguments, reason=reason)


def where(name: str, reason: str) -> Request:
    """Ask in which namespaces a pod of that name lives."""
    return Request(kind=f"{KIND}where", args={"name": name, "path": f"pods named {name}"}, reason=reason)


def events(namespace: str, reason: str, name: str = "") -> Request:
    """Ask for the events of a namespace, or of one object in it."""
    arguments = {"namespace": namespace, "name": name, "path": f"{namespace}/events/{name or 'all'}.json"}
    return Request(kind=f"{KIND}events", args=arguments, reason=reason)


def log(namespace: str, pod_name: str, container: str, reason: str, *, previous: bool, rank: str = "") -> Request:
    """Ask for the end of the log of a container, or of the one that ran before it."""
    name = f"{pod_name}.{container}{'.previous' if previous else ''}.log"
    arguments = {
        "namespace": namespace,
        "pod": pod_name,
        "container": container,
        "previous": "true" if previous else "",
        "rank": rank,
        "path": f"{namespace}/logs/{name}",
    }
    return Request(kind=f"{KIND}log", args=arguments, reason=reason)


def node(name: str, reason: str) -> Request:
    """Ask for one node."""
    return Request(kind=f"{KIND}node", args={"name": name, "path": f"nodes/{name}.json"}, reason=reason)


def nodes(reason: str) -> Request:
    """Ask for all nodes."""
    return Request(kind=f"{KIND}nodes", args={"path": "nodes"}, reason=reason)


def claim(namespace: str, name: str, reason: str) -> Request:
    """Ask for one volume claim."""
    arguments = {"namespace": namespace, "name": name, "path": f"{namespace}/persistentvolumeclaims/{name}.json"}
    return Request(kind=f"{KIND}claim", args=arguments, reason=reason)


def owner(namespace: str, kind: str, name: str, reason: str) -> Request:
    """Ask for a job or set that owns pods; `kind` is a key of `PLAIN_PATHS`."""
    plural = PLAIN_PATHS[kind][1]
    arguments = {"namespace": namespace, "kind": kind, "name": name, "path": f"{namespace}/{plural}/{name}.json"}
    return Request(kind=f"{KIND}owner", args=arguments, reason=reason)


def queued(namespace: str, name: str, uid: str, reason: str) -> Request:
    """Ask for what Kueue holds for a job, by the uid of the job."""
    arguments = {"namespace": namespace, "uid": uid, "path": f"{namespace}/workloads of {name}"}
    return Request(kind=f"{KIND}queued", args=arguments, reason=reason)
