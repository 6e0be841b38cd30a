"""Builds run prefixes of workflows on disk, with what a live queue and cluster would say of them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

import yaml

from runtriage.api.config import Project
from runtriage.api.workflow import Access, status
from runtriage.api.workflow_live import ask
from runtriage.api.workflow_reading import read_records
from runtriage.judge.workflow import assess
from runtriage.model.workflow import Task
from runtriage.model.workflow_evidence import ClusterAnswer, ControllerLog, QueueAnswer
from runtriage.parse.workflow.pods import cluster_answer
from runtriage.parse.workflow.queue import controller_log, queue_rows
from runtriage.render.workflow_document import document
from runtriage.targets.workflow_place import RunPlace
from tests.targets.objects_memory import MemoryStore

BUCKET = "lab-bucket"
Document = dict[str, Any]


def wave(
    states: str, attempt: int, status: str, sky: str, job: str, *, run: str = "toy", sequence: int = 0, **more: Any
) -> Document:
    """Return one attempt of a wave; `states` are joined by `+`, `sequence` its place in the plan."""
    names = states.split("+")
    number = sequence or 1
    group = "g" if len(names) > 1 else "serial"
    return {
        "key": f"{number:03}|{group}|{','.join(f':{name}:-' for name in names)}",
        "states": names,
        "kind": "parallel" if len(names) > 1 else "serial",
        "attempt": attempt,
        "job_id": job,
        "job_name": f"{run}-{number:02}-{names[0]}",
        "status": status,
        "sky_status": sky,
        "started_at": "2026-11-20T10:00:00Z",
        "ended_at": "2026-11-20T10:19:00Z",
        "outputs": [{"uri": f"s3://{BUCKET}/runs/{run}/{name}/out.bin", "schema": ""} for name in names],
        "logical_launch_id": f"launch-{number}-{attempt}",
        "launch_sequence": 1,
        "cancellation": {"state": "not_applicable", "error": ""},
        "recovery_decision": "submitted_and_reconciled",
        **more,
    }


def row(job: str, status: str, task: str = "train", **more: Any) -> Document:
    """Return one row of the queue."""
    return {"job_id": int(job), "task_id": 0, "task_name": task, "status": status, "recovery_count": 0, **more}


def pod(cluster: str, *, gpus: int = 0, node: str = "", phase: str = "Pending", **status: Any) -> Document:
    """Return one pod of a job's cluster."""
    return {
        "metadata": {"name": f"pod-{cluster}", "namespace": "ml", "labels": {"skypilot-cluster-name": cluster}},
        "spec": {
            "containers": [
                {"name": "ray-node", "resources": {"requests": {"nvidia.com/gpu": str(gpus)} if gpus else {}}}
            ],
            **({"nodeName": node} if node else {}),
        },
        "status": {"phase": phase, **status},
    }


def waiting(reason: str, message: str) -> Document:
    """Return the status of a container that waits."""
    return {"containerStatuses": [{"name": "ray-node", "state": {"waiting": {"reason": reason, "message": message}}}]}


def unschedulable(message: str) -> Document:
    """Return the condition of a pod that found no node."""
    return {"conditions": [{"type": "PodScheduled", "status": "False", "reason": "Unschedulable", "message": message}]}


def node(name: str, product: str, gpus: int, *, ready: bool = True) -> Document:
    """Return one node."""
    return {
        "metadata": {"name": name, "labels": {"nvidia.com/gpu.product": product} if product else {}},
        "spec": {},
        "status": {
            "conditions": [{"type": "Ready", "status": str(ready)}],
            "allocatable": {"nvidia.com/gpu": str(gpus)},
        },
    }


@dataclass
class Run:
    """One run prefix and what is live about it. `outputs` maps stage to bytes, `queue` of None is a machine without `sky`."""

    manifest: str | None = "running"
    ledger: str | None = "running"
    fingerprint: str = ""
    waves: Sequence[Document] = ()
    steps: Sequence[Document] = ()
    outputs: Mapping[str, int] = field(default_factory=dict[str, int])
    plan: Sequence[str] = ("train",)
    accelerators: str = ""
    nodes_asked: int = 1
    events: Sequence[Document] = ()
    queue: Sequence[Document] | QueueAnswer | None = ()
    tasks: Sequence[Document] | None = None
    pods: Sequence[Document] | None = None
    nodes: Sequence[Document] = ()
    pod_events: Sequence[Document] = ()
    cluster_error: str = ""
    controller: str = ""
    name: str = "toy"
    workflow: str = "toy-train"
    extra: Mapping[str, bytes] = field(default_factory=dict[str, bytes])

    def objects(self) -> dict[str, bytes]:
        """Return the documents and outputs of the run by their keys below its prefix."""
        prefix = f"s3://{BUCKET}/runs/{self.name}"
        common = {"workflow": self.workflow, "run_id": self.name, "run_prefix_uri": prefix}
        found = {"workflow.yaml": yaml.safe_dump(self._spec()).encode()} if self.plan else {}
        if self.manifest is not None:
            found["npa-workflow/manifest.json"] = encoded(
                common,
                schema_version="npa.workflow.run.v1",
                status=self.manifest,
                steps=self.steps,
                updated_at="2026-11-20T10:20:00Z",
            )
        if self.ledger is not None:
            found["npa-workflow/runtime.json"] = encoded(
                common,
                schema_version="npa.workflow.runtime.v1",
                status=self.ledger,
                waves=self.waves,
                plan_fingerprint=self.fingerprint,
                updated_at="2026-11-20T10:20:01Z",
            )
        found |= {f"{stage}/out.bin": b"x" * size for stage, size in self.outputs.items()}
        for each in self.events:
            content = json.dumps(each, sort_keys=True).encode() + b"\n"
            found[f"npa-workflow/supervisor/attempts/a/decision-{sha256(content).hexdigest()}.json"] = content
        return found | dict(self.extra)

    def write(self, root: Path) -> Path:
        """Write the prefix below a folder that stands for the bucket, and return the run's own folder."""
        base = root / BUCKET / "runs" / self.name
        for key, content in self.objects().items():
            (base / key).parent.mkdir(parents=True, exist_ok=True)
            (base / key).write_bytes(content)
        return base

    def found(self, root: Path, **options: Any) -> Document:
        """Return the state of the run, read from a folder."""
        access = Access(alias="lab", project=Project())
        return status(str(self.write(root)), access, live=_Live(self), **options)

    def judged(self) -> Document:
        """Return the state of the run, read from memory and without a look at its outputs."""
        key = f"runs/{self.name}"
        store = MemoryStore({f"{key}/{name}": content for name, content in self.objects().items()})
        where = RunPlace(
            store=store, key=key, run_id=self.name, uri=f"s3://{BUCKET}/{key}", source="explicit_uri", strict=True
        )
        evidence = ask(read_records(where), _Live(self), 3)
        return document(assess(evidence, "lab"), evidence)

    def _spec(self) -> Document:
        states = {
            name: {
                "run": {"shell": "true"},
                "resources": "gpu",
                "outputs": [{"uri": "s3://{{config.bucket}}/{{config.prefix}}/" + name + "/out.bin"}],
                **({"next": following} if following else {"terminal": True}),
            }
            for name, following in zip(self.plan, [*self.plan[1:], ""], strict=True)
        }
        profile = {"cloud": "kubernetes", "num_nodes": self.nodes_asked} | (
            {"accelerators": self.accelerators} if self.accelerators else {}
        )
        return {
            "apiVersion": "npa.workflow/v0.0.1",
            "kind": "Workflow",
            "metadata": {"name": self.workflow},
            "config": {"bucket": BUCKET, "prefix": "runs/{{run.id}}"},
            "resources": {"gpu": profile},
            "initial": self.plan[0],
            "states": states,
        }


def encoded(common: Document, **members: Any) -> bytes:
    """Return a document as JSON."""
    return json.dumps(
        common | {name: list(each) if isinstance(each, tuple) else each for name, each in members.items()}
    ).encode()


def event(
    launch: str, kind: str, action: str, code: str, *, at: str = "2026-11-20T10:10:00Z", **policy: Any
) -> Document:
    """Return one decision of the supervisor."""
    return {
        "schema_version": "npa.workflow.supervisor.v1",
        "recorded_at": at,
        "phase": "decision",
        "attempt_identity": {"attempt": 1, "logical_attempt_id": launch, "provider_job_id": "12"},
        "classification": kind,
        "recovery": {"action": action, "reason_code": code, "remediation": "", "relaunch_allowed": False},
        "infrastructure_recovery_policy": policy,
    }


class _Live:
    def __init__(self, run: Run) -> None:
        self._run = run

    def queue(self) -> QueueAnswer:
        run = self._run
        if isinstance(run.queue, QueueAnswer):
            return run.queue
        if run.queue is None:
            return QueueAnswer(state="not-attempted", reason="the sky command is not installed")
        return QueueAnswer(
            state="live", rows=_rows(run.queue), tasks=_rows(run.tasks) if run.tasks is not None else None
        )

    def controller(self, job_id: str) -> ControllerLog:
        return controller_log(self._run.controller, job_id)

    def cluster(self, job_id: str) -> ClusterAnswer:
        run = self._run
        if run.pods is None or run.cluster_error:
            return ClusterAnswer(error=run.cluster_error or "KUBERNETES_DIAGNOSTICS_UNAVAILABLE")
        return cluster_answer(_items(run.pods), _items(run.nodes), _items(run.pod_events))


def _rows(rows: Sequence[Document]) -> tuple[Task, ...] | str:
    return queue_rows(json.dumps(rows))


def _items(items: Sequence[Document]) -> bytes:
    return json.dumps({"items": items}).encode()
