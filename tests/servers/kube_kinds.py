"""The kinds of object the read-only API server knows, and what it answers when a client asks which there are."""

from __future__ import annotations

from typing import Any, Final

KINDS: Final[dict[str, dict[str, str]]] = {
    "v1": {
        "pods": "Pod",
        "events": "Event",
        "nodes": "Node",
        "namespaces": "Namespace",
        "persistentvolumeclaims": "PersistentVolumeClaim",
        "secrets": "Secret",
        "configmaps": "ConfigMap",
    },
    "apps/v1": {"deployments": "Deployment", "replicasets": "ReplicaSet", "statefulsets": "StatefulSet"},
    "batch/v1": {"jobs": "Job", "cronjobs": "CronJob"},
    "kubeflow.org/v1": {"pytorchjobs": "PyTorchJob", "tfjobs": "TFJob", "xgboostjobs": "XGBoostJob"},
    "kubeflow.org/v2beta1": {"mpijobs": "MPIJob"},
    "jobset.x-k8s.io/v1alpha2": {"jobsets": "JobSet"},
    "ray.io/v1": {"rayjobs": "RayJob", "rayclusters": "RayCluster"},
    "trainer.kubeflow.org/v1alpha1": {"trainjobs": "TrainJob"},
    "batch.volcano.sh/v1alpha1": {"jobs": "VolcanoJob"},
    "kueue.x-k8s.io/v1beta1": {"workloads": "Workload"},
    "argoproj.io/v1alpha1": {"workflows": "Workflow"},
}
CLUSTER_WIDE: Final = frozenset({"nodes", "namespaces"})
_SHORT: Final = {"pods": "po", "events": "ev", "nodes": "no", "namespaces": "ns", "persistentvolumeclaims": "pvc"}


def plural_of(kind: str) -> str:
    """Return the plural that paths use for a kind."""
    return next(plural for kinds in KINDS.values() for plural, name in kinds.items() if name == kind)


def version() -> dict[str, str]:
    """Return what `/version` answers."""
    return {"major": "1", "minor": "32", "gitVersion": "v1.32.4", "platform": "linux/amd64", "goVersion": "go1.23"}


def group_list() -> dict[str, Any]:
    """Return what `/apis` answers."""
    groups: dict[str, list[dict[str, str]]] = {}
    for api in KINDS:
        group, slash, served = api.partition("/")
        if slash:
            groups.setdefault(group, []).append({"groupVersion": api, "version": served})
    listed = [
        {"name": group, "versions": versions, "preferredVersion": versions[0]} for group, versions in groups.items()
    ]
    return {"kind": "APIGroupList", "apiVersion": "v1", "groups": listed}


def discovery(api: str) -> dict[str, Any]:
    """Return the resources of one API version."""
    resources: list[dict[str, Any]] = []
    for plural, kind in KINDS[api].items():
        entry = {"name": plural, "singularName": kind.lower(), "namespaced": plural not in CLUSTER_WIDE, "kind": kind}
        short = {"shortNames": [_SHORT[plural]]} if plural in _SHORT else {}
        resources.append({**entry, "verbs": ["get", "list", "watch"], **short})
        if plural == "pods":
            resources.append(
                {"name": "pods/log", "singularName": "", "namespaced": True, "kind": "Pod", "verbs": ["get"]}
            )
    return {"kind": "APIResourceList", "apiVersion": "v1", "groupVersion": api, "resources": resources}
