"""The runtime ledger of a workflow run."""

from __future__ import annotations

from typing import Final

from runtriage.model.workflow import Ledger, PartialLaunch, Reconciled, Task, Wave
from runtriage.parse.pointer import Node, load_json
from runtriage.parse.workflow.manifest import told, uris, whole

SCHEMA: Final = "npa.workflow.runtime.v1"
_TEXT: Final = 2000
"""Characters of an error that are kept."""
_IDENTITY: Final = ("workflow_sha256", "source_sha256", "image_digest")


def ledger(content: bytes, path: str) -> Ledger | None:
    """Return the ledger a document holds, or None when it is not one."""
    root = load_json(content, path)
    if root is None or root.text("schema_version") != SCHEMA or not isinstance(root.get("waves").value, list):
        return None
    return Ledger(
        path=path,
        status=root.text("status"),
        run_id=root.text("run_id"),
        workflow=root.text("workflow"),
        updated_at=root.text("updated_at"),
        fingerprint=root.text("plan_fingerprint"),
        waves=tuple(_wave(each, index) for index, each in enumerate(root.get("waves").items())),
        heartbeats={
            stage.text("stage"): stage.text("last_heartbeat_at")
            for stage in root.get("stages").items()
            if stage.text("stage") and stage.text("last_heartbeat_at")
        },
    )


def _wave(wave: Node, position: int) -> Wave:
    observations = list(wave.get("observations").items())
    recovery = wave.get("infrastructure_recovery")
    return Wave(
        key=wave.text("key"),
        place=wave.pointer,
        position=position,
        attempt=whole(wave.get("attempt")) or 1,
        members=_members(wave),
        parallel=wave.text("kind") == "parallel" or len(_members(wave)) > 1,
        group=wave.text("group"),
        job_id=told(wave.get("job_id")),
        job_name=wave.text("job_name"),
        status=wave.text("status"),
        sky_status=wave.text("sky_status"),
        started_at=wave.text("started_at"),
        ended_at=wave.text("ended_at"),
        error=(wave.text("primary_error") or wave.text("error"))[:_TEXT],
        launch_id=wave.text("logical_launch_id"),
        launches=whole(wave.get("launch_sequence")) or 0,
        category=wave.text("error_category"),
        decision=wave.text("recovery_decision"),
        cancellation=wave.text("cancellation", "state"),
        status_errors=sum(1 for _ in wave.get("status_errors").items()),
        observations=len(observations),
        last_observed_at=observations[-1].text("observed_at") if observations else "",
        tasks=tuple(_task(each) for each in wave.get("tasks").items()),
        outputs=uris(wave.get("outputs")),
        reconciled=tuple(_reconciled(each) for each in wave.get("reconciliation").items()),
        partial=_partial(wave.get("partial_launch")),
        used=whole(recovery.get("used")),
        limit=whole(recovery.get("limit")),
        exhausted=recovery.get("exhausted").value is True,
        identity={name: wave.text("immutable_identity", name) for name in _IDENTITY},
    )


def _members(wave: Node) -> tuple[tuple[str, str], ...]:
    """Return the members that the key tells (`NNN|group|loop:state:iteration,...`), else the list of states."""
    told_by_key: list[tuple[str, str]] = []
    for member in wave.text("key").split("|", 2)[-1].split(",") if wave.text("key").count("|") >= 2 else ():
        parts = member.split(":")
        if len(parts) == 3 and parts[1]:
            told_by_key.append((parts[1], "" if parts[2] in ("", "-") else parts[2]))
    if told_by_key:
        return tuple(told_by_key)
    return tuple((each.value, "") for each in wave.get("states").items() if isinstance(each.value, str))


def _task(task: Node) -> Task:
    return Task(
        job_id=told(task.get("job_id")),
        name=task.text("task_name"),
        status=task.text("status"),
        task_id=told(task.get("task_id")),
        cluster=task.text("cluster_name"),
        reason=task.text("failure_reason"),
        recoveries=whole(task.get("retry_count")) or 0,
    )


def _reconciled(row: Node) -> Reconciled:
    observable = row.get("workload_observable").value
    return Reconciled(
        state=row.text("state") or row.text("outcome"),
        job_id=told(row.get("job_id")),
        status=row.text("status"),
        observable=observable if isinstance(observable, bool) else None,
    )


def _partial(partial: Node) -> PartialLaunch | None:
    if not isinstance(partial.value, dict):
        return None
    observable = partial.get("workload_observable_at_failure").value
    successor = partial.get("recovery_reservation", "successor")
    return PartialLaunch(
        cause=partial.text("cause"),
        parent_job=told(partial.get("parent", "provider_job_id")),
        parent_launch=partial.text("parent", "logical_attempt_id"),
        observable=observable if isinstance(observable, bool) else None,
        outputs_absent_at=partial.text("outputs_absent_before_cancel"),
        preflight_error=partial.text("recovery_preflight_error"),
        rendered_hash=partial.text("rendered_wave_sha256"),
        preflight_hash=partial.text("preflight_wave_sha256"),
        successor_attempt=whole(successor.get("attempt")),
        successor_job=told(successor.get("provider_job_id")),
    )
