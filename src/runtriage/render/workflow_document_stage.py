"""One stage of a workflow run in the JSON document, and why it waits."""

from __future__ import annotations

from shlex import quote
from typing import Any

from msgspec import to_builtins

from runtriage.model.workflow import Wave
from runtriage.model.workflow_evidence import Blocker, OutputCheck, RunEvidence
from runtriage.model.workflow_state import Assessment, Source, Stage
from runtriage.render.workflow_ages import stage_ages
from runtriage.render.workflow_remedy import remedy


def stage_document(stage: Stage, found: Assessment, evidence: RunEvidence) -> dict[str, Any]:
    """Return one stage with every word that is known about it."""
    startup = next((log for log in evidence.controllers if log.job_id == stage.job_id), None)
    ledger = evidence.records.ledger.path if evidence.records.ledger else None
    waiting = [each for each in found.blockers if found.active is stage]
    return {
        "index": stage.index,
        "state": stage.state,
        "workflow_state": stage.record or None,
        "managed_job_id": stage.job_id or None,
        "managed_job_attempts": [_attempt(wave, ledger) for wave in stage.attempts],
        "active_attempt": stage.wave.attempt if stage.wave else None,
        "job_attribution": stage.attribution,
        "job_attribution_provenance": [source(stage.source)] if stage.job_id and stage.source else [],
        "task_id": stage.task_id or None,
        "scheduler_state": stage.scheduler_word or None,
        "raw_scheduler_state": stage.job_word or None,
        "raw_job_scheduler_state": stage.job_word or None,
        "raw_task_scheduler_state": stage.task_word or None,
        "outcome_provenance": stage.provenance,
        "outcome_conflict": stage.conflict,
        "retry_count": stage.retries,
        "recovery_count": stage.recovery_count,
        "last_progress_at": stage.heartbeat or None,
        "last_heartbeat_at": stage.heartbeat or None,
        "heartbeat_source": "scheduler_task_progress" if stage.heartbeat else None,
        "last_observed_at": stage.observed_at or None,
        "started_at": stage.started_at or None,
        "ended_at": stage.ended_at or None,
        **stage_ages(stage, evidence.observed_at),
        "requested_accelerators": stage.accelerators or None,
        "resources_profile": dict(stage.profile) or None,
        "startup_failure_evidence": startup.failures if startup else 0,
        "last_normalized_startup_failure": startup.last_failure or None if startup else None,
        "log_command": f"runtriage workflow logs {quote(evidence.records.prefix)} --stage {quote(stage.key)}",
        "pending_reason": blocker_document(waiting[0], evidence.observed_at) if waiting else None,
        "outputs": [output(each) for each in stage.outputs],
        "error": stage.error or None,
        "citation": source(stage.source),
    }


def output(check: OutputCheck) -> dict[str, Any]:
    """Return one declared output as the document writes it."""
    return {key: value for key, value in to_builtins(check).items() if value not in (None, "", False)}


def _attempt(wave: Wave, ledger: str | None) -> dict[str, Any]:
    return {
        "attempt": wave.attempt,
        "job_id": wave.job_id,
        "job_name": wave.job_name,
        "wave_key": wave.key,
        "wave_kind": "parallel" if wave.parallel else "serial",
        "group": wave.group or None,
        "provenance": ledger and {"artifact": ledger, "pointer": wave.place},
        "state": wave.status,
        "sky_status": wave.sky_status,
        "cancellation": wave.cancellation or None,
        "started_at": wave.started_at,
        "ended_at": wave.ended_at,
        "partial_launch": _partial(wave),
    }


def _partial(wave: Wave) -> dict[str, Any] | None:
    partial = wave.partial
    if partial is None:
        return None
    return {
        "cause": partial.cause,
        "parent": {"attempt": wave.attempt, "job_id": partial.parent_job or wave.job_id},
        "successor": {"attempt": partial.successor_attempt, "job_id": partial.successor_job}
        if partial.successor_attempt
        else None,
        "outputs_absent_before_cancel": partial.outputs_absent_at or None,
        "recovery_preflight_error": partial.preflight_error or None,
    }


def blocker_document(blocker: Blocker, observed_at: str) -> dict[str, Any]:
    """Return why one pod does not start, as it was when the run was looked at."""
    return {
        "pod": blocker.pod,
        "namespace": blocker.namespace,
        "reason": blocker.reason,
        "reason_code": blocker.code,
        "message": blocker.message,
        "source": blocker.source,
        "image": blocker.image or None,
        "remedy": remedy(blocker.code),
        "check_command": _registry_check(blocker),
        "observed_at": observed_at or None,
        "live": True,
    }


def _registry_check(blocker: Blocker) -> str | None:
    """Return the command that proves whether an image can be pulled, with the secret its pod uses."""
    if not blocker.code.startswith("IMAGE_") or not blocker.image:
        return None
    secret = f" --pull-secret {quote(f'{blocker.namespace}/{blocker.pull_secret}')}" if blocker.pull_secret else ""
    return f"runtriage registry check {quote(blocker.image)}{secret}"


def source(place: Source | None) -> dict[str, str] | None:
    """Return a citation as the document writes it."""
    if place is None:
        return None
    return {"artifact": place.artifact, "pointer": place.pointer} if place.pointer else {"artifact": place.artifact}
