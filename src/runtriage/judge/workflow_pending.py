"""Why a job does not start, from its pods and from what the nodes can offer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from runtriage.model.pattern import deferred
from runtriage.model.workflow import PlannedStage
from runtriage.model.workflow_evidence import Blocker, ClusterAnswer, NodeSeen
from runtriage.model.workflow_words import CONFIGURATION, PAYLOAD, TRANSIENT, class_of

_ALIASES: Final = (
    frozenset({"rtx6000", "rtxpro6000", "rtxpro6000blackwellserveredition", "nvidiartxpro6000blackwellserveredition"}),
)
_PART: Final = deferred(r"[a-z]+|[0-9]+[a-z]*")
_PRIORITY: Final = (CONFIGURATION, PAYLOAD, TRANSIENT, None)


def blockers_of(job_id: str, cluster: ClusterAnswer) -> tuple[tuple[Blocker, ...], int]:
    """Return what blocks the pods of exactly this job, and how many pods it has."""
    pods = [pod for pod in cluster.pods if job_id and pod.job_id == job_id]
    return tuple(blocker for pod in pods for blocker in pod.blockers), len(pods)


def telling(blockers: Sequence[Blocker]) -> Blocker | None:
    """Return the blocker that decides: configuration before payload before what may pass."""
    ranked = sorted(blockers, key=lambda blocker: _PRIORITY.index(class_of(blocker.code)))
    return ranked[0] if ranked else None


def refined(blockers: Sequence[Blocker], request: tuple[str, int], nodes: int, cluster: ClusterAnswer) -> list[Blocker]:
    """Return the blockers with unschedulable accelerators told apart: wrong name, impossible shape, or merely busy."""
    return [
        replace(blocker, code=_split(request, nodes, cluster)) if blocker.code == "ACCELERATOR_MISMATCH" else blocker
        for blocker in blockers
    ]


def request_of(accelerators: str, stage: PlannedStage | None, job_id: str, cluster: ClusterAnswer) -> tuple[str, int]:
    """Return the accelerator name and count one node must offer, from the spec or else from the pods; count 0 when unknown."""
    text = accelerators or (stage.accelerators if stage else "")
    name, _, count = text.strip().strip("{}").replace("'", "").replace('"', "").partition(":")
    asked = max((pod.gpus for pod in cluster.pods if pod.job_id == job_id), default=0)
    if name:
        return name.strip(), int(count) if count.strip().isdecimal() else asked or 1
    return "", asked


def shape_code(request: tuple[str, int], cluster: ClusterAnswer) -> str | None:
    """Return ACCELERATOR_MISMATCH or IMPOSSIBLE_GPU_SHAPE where the nodes prove that a request can never fit, else None."""
    name, count = request
    usable = [node for node in cluster.nodes if node.gpus > 0]
    if not usable or cluster.nodes_error:
        return None
    if name:
        labelled = [node for node in usable if node.product]
        if len(labelled) < len(usable):
            return None
        if not any(_may_be(name, node.product) for node in labelled):
            return "ACCELERATOR_MISMATCH"
        usable = [node for node in labelled if _may_be(name, node.product)]
    return "IMPOSSIBLE_GPU_SHAPE" if count > max(node.gpus for node in usable) else None


def _split(request: tuple[str, int], nodes: int, cluster: ClusterAnswer) -> str:
    if cluster.nodes_error or not cluster.nodes:
        return "UNSCHEDULABLE"
    proven = shape_code(request, cluster)
    if proven is not None:
        return proven
    name, count = request
    able = [
        node
        for node in cluster.nodes
        if node.gpus > 0 and (not name or not node.product or _may_be(name, node.product))
    ]
    if not able:
        return "UNSCHEDULABLE"
    if name and any(not node.product for node in able):
        return "UNSCHEDULABLE"
    free = [node for node in able if node.ready and node.schedulable and _free(node, cluster) >= count]
    return "CAPACITY_OR_QUOTA" if len(free) < max(nodes, 1) else "UNSCHEDULABLE"


def _free(node: NodeSeen, cluster: ClusterAnswer) -> int:
    committed = sum(
        pod.gpus for pod in cluster.pods if pod.node == node.name and pod.phase not in ("Succeeded", "Failed")
    )
    return node.gpus - committed


def _may_be(name: str, product: str) -> bool:
    """Tell whether a product label may be the accelerator asked for; only what cannot be it counts as another one."""
    asked, offered = _plain(name), _plain(product)
    if asked == offered or any(asked in group and offered in group for group in _ALIASES):
        return True
    parts = iter(_PART.findall(product.lower()))
    return all(part in parts for part in _PART.findall(name.lower()))


def _plain(name: str) -> str:
    return "".join(character for character in name.lower() if character.isalnum())
