"""Answers about Run:ai workloads, put together from few words; times are seconds before the end of the run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from tests.servers.runai_replay import CLUSTER, PROJECT, Replay, Run

END = datetime(2026, 5, 20, 12, 0, 0, tzinfo=UTC).timestamp()
AS_OF = "2026-05-20T13:00:00Z"
"""An hour after the end of every run here."""
Answer = dict[str, Any]


def stamp(before: float = 0.0) -> str:
    """Return a time so many seconds before the end."""
    return datetime.fromtimestamp(END - before, UTC).isoformat().replace("+00:00", "Z")


def identity(number: int) -> str:
    """Return the id of a workload."""
    return f"7a11ed00-0000-4000-8000-{number:012d}"


def event(reason: str, message: str, before: float = 0.0, source: str = "kubelet") -> Answer:
    """Return an event as a status lists it."""
    return {"createdAt": stamp(before), "type": "Warning", "reason": reason, "message": message, "source": source}


def record(reason: str, message: str, before: float = 0.0, source: str = "kubelet") -> Answer:
    """Return an event as the history keeps it."""
    told = {"event": event(reason, message, before, source)}
    return {"meta": {"creationTimestamp": stamp(before), "type": "Event"}, "spec": told}


def phase(name: str, message: str = "", before: float = 0.0) -> Answer:
    """Return a change of phase as the history keeps it."""
    told = {"phaseUpdate": {"phase": name, "phaseMessage": message}}
    return {"meta": {"creationTimestamp": stamp(before), "type": "PhaseUpdate"}, "spec": told}


def pod(state: str, name: str = "job-0", *, limit: str = "16Gi", request: str = "16Gi", node: str = "gpu-a") -> Answer:
    """Return a pod with its memory."""
    memory = {"request": request, "limit": limit}
    place = {"nodeName": node} if node else {}
    return {"name": name, "id": f"pod-{name}", "k8sPhase": state, "requestedResources": {"cpuMemory": memory}, **place}


def peak(*samples: int) -> list[Answer]:
    """Return a series of host memory in bytes, a minute apart."""
    values = [{"value": str(size), "timestamp": stamp(60.0 * index)} for index, size in enumerate(samples)]
    return [{"type": "CPU_MEMORY_USAGE_BYTES", "values": values}]


def submitted(limit: str = "16Gi", request: str = "16Gi", restart: str = "") -> Answer:
    """Return a submitted spec."""
    command = "python fit.py --batch 64"
    found: Answer = {
        "image": {"value": "registry.test/vision/fit:4"},
        "command": {"value": command},
        "compute": {"cpuMemory": {"request": request, "limit": limit}},
        "annotations": {
            "items": {"runai-submit-command": {"value": f"runai training submit job --command '{command}'"}}
        },
    }
    return {**found, "restartPolicy": {"value": restart}} if restart else found


def run(
    number: int,
    state: str,
    reason: str = "",
    message: str = "",
    *,
    events: list[Answer] | str | None = "same",
    records: list[Answer] | None = None,
    pods: list[Answer] | None = None,
    spec: Answer | str | None = "plain",
    measurements: list[Answer] | None = None,
    conditions: list[Answer] | None = None,
    cluster: str = CLUSTER,
    name: str = "job",
) -> Run:
    """Return a submission; unless told otherwise its status holds one event that repeats the reason, and the history does too."""
    told = [event(reason, message)] if events == "same" else events
    status = {
        "id": identity(number),
        "name": name,
        "clusterId": cluster,
        "type": "Training",
        "phase": state,
        "projectName": PROJECT,
        "phaseUpdatedAt": stamp(),
        "phaseReason": reason,
        "phaseMessage": message,
        "conditions": conditions or [],
        "events": told,
    }
    default = [record(reason, message), phase(state, message)] if reason else [phase(state)]
    return Run(
        id=identity(number),
        status=status,
        spec=submitted() if spec == "plain" else spec if isinstance(spec, dict) else None,
        pods=[pod("Error")] if pods is None else pods,
        records=default if records is None else records,
        measurements=measurements or [],
    )


def row(number: int, state: str, before: float = 0.0, **other: str) -> Answer:
    """Return a row of the list of workloads."""
    found = {"id": identity(number), "name": "job", "phase": state, "clusterId": CLUSTER, "projectName": PROJECT}
    return {**found, "phaseUpdatedAt": stamp(before), "type": "Training", **other}


@dataclass(frozen=True)
class Scenario:
    """A replay and what is right to say about it: category or the word that routes it out, exit code, and the tools in order."""

    replay: Callable[[], Replay]
    category: str | None = None
    word: str | None = None
    code: int = 1
    calls: tuple[str, ...] | None = None
    arguments: tuple[str, ...] = ("--workload-id", identity(1))
    says: tuple[str, ...] = ()
    never: tuple[str, ...] = ()
    extra: dict[str, Any] = field(default_factory=dict)


def one(made: Run, **replay: Any) -> Callable[[], Replay]:
    """Return the maker of a replay with one submission."""
    return lambda: Replay(runs=[made], listed=[row(1, made.status["phase"])], **replay)
