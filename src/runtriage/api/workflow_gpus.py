"""Which accelerators the cluster offers, by the names that a spec must use, and how many fit on one node."""

from __future__ import annotations

from typing import Any

from runtriage.api.workflow import Access, Document, clean
from runtriage.parse.workflow.gpus import offered
from runtriage.parse.workflow.pods import cluster_answer
from runtriage.parse.workflow.sky_error import sky_error
from runtriage.targets.workflow_kube import Kube


def gpus(access: Access) -> Document:
    """Return what `sky` says may be requested and what the nodes themselves offer; each source says whether it answered."""
    nodes = _nodes(Kube(access.project.kube_context))
    return clean({"sky": _sky(access), "nodes": nodes})


def _sky(access: Access) -> dict[str, Any]:
    sky = access.sky()
    if not sky.present:
        return {
            "state": "not-attempted",
            "reason": "neither the sky command nor an API server is there",
            "accelerators": [],
        }
    answer = sky.accelerators()
    rows = offered(answer.out.decode("utf-8", "replace")) if not answer.problem and answer.code == 0 else None
    if rows is None:
        text = answer.problem or ((answer.err if answer.code else answer.out) or answer.out).decode("utf-8", "replace")
        code, category = sky_error(text)
        return {
            "state": "failed",
            "error_code": code,
            "category": category,
            "reason": text.strip()[-300:] or "the answer holds no table of accelerators",
            "accelerators": [],
        }
    return {"state": "live", "accelerators": [{"name": name, "per_node": list(counts)} for name, counts in rows]}


def _nodes(kube: Kube) -> dict[str, Any]:
    answer = kube.nodes()
    if answer.refused:
        return {"state": "failed", "error_code": answer.refused, "reason": answer.err.strip()[-300:], "nodes": []}
    active = kube.active_pods()
    cluster = cluster_answer(b'{"items":[]}' if active.refused else active.out, answer.out, None)
    waiting = sum(pod.gpus for pod in cluster.pods if not pod.node)
    held: dict[str, int] = {}
    for pod in cluster.pods:
        held[pod.node] = held.get(pod.node, 0) + pod.gpus
    rows = [
        {
            "node": node.name,
            "product": node.product or None,
            "gpus": node.gpus,
            "free": None if active.refused or waiting else max(node.gpus - held.get(node.name, 0), 0),
            "ready": node.ready,
        }
        for node in cluster.nodes
        if node.gpus
    ]
    return {"state": "live", "nodes": sorted(rows, key=lambda row: str(row["node"])), "gpus_waited_for": waiting}
