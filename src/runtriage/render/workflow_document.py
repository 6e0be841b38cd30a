"""The JSON document of a workflow run's state."""

from __future__ import annotations

from collections.abc import Sequence
from shlex import quote
from typing import Any, Final

from msgspec import to_builtins

from runtriage.model.workflow import RunRecords, Wave
from runtriage.model.workflow_evidence import Blocker, OutputCheck, RunEvidence
from runtriage.model.workflow_state import Assessment, Cause, Check, Lifecycle, Source, Stage, WorkflowDecision
from runtriage.model.workflow_words import PLAN_NOT_COMPUTED
from runtriage.render.workflow_remedy import remedy

_NPA: Final = {
    "VERIFICATION_UNAVAILABLE": 2,
    "PARTIAL": 3,
    "DEGRADED": 3,
    "PARTIAL_SUBMISSION": 3,
    "NOT_SUBMITTED": 4,
    "PLAN_ONLY": 4,
}
_NPA_FAILED: Final = ("CANCELLED", "BLOCKED", "NOT_FOUND")


def npa_exit(status: str) -> int:
    """Return the exit code that the workflow tool itself gives for a state."""
    if status.startswith("FAILED") or status in _NPA_FAILED:
        return 1
    return _NPA.get(status, 0)


def document(found: Assessment, evidence: RunEvidence, checks: Sequence[tuple[str, str, str]] = ()) -> dict[str, Any]:
    """Return the state of a run; keys are fixed, words are as the judge found them."""
    records = evidence.records
    return {
        "run_id": records.run_id,
        "workflow_name": records.workflow,
        "run_prefix_uri": records.prefix,
        "status": found.status,
        **_trust(found),
        "manifest_uri": f"{records.prefix}/{records.manifest.path}" if records.manifest else None,
        "manifest_state": _manifest_state(evidence),
        "manifest_pending": records.manifest is None and bool(records.ledger or evidence.queue.rows),
        "submission_state": records.launch_state or None,
        "lifecycle_state": found.lifecycle.word if found.lifecycle else None,
        "workflow_lifecycle": _lifecycle(found.lifecycle),
        **_stages(found, evidence),
        "class": found.cause.kind,
        "reason_code": found.cause.code or None,
        "cause": _cause(found.cause),
        "supervisor": _supervisor(found, evidence),
        "infrastructure_recovery": _recovery(found),
        "blockers": [_blocker(each) for each in found.blockers],
        "diagnostics": list(found.diagnostics),
        "kubernetes": _cluster(found, evidence),
        "startup_failure_evidence": found.startup_failures,
        "startup_failure_threshold": evidence.threshold,
        "running_work": found.running_work,
        "plan": _plan(found, records),
        "decision": _decision(found.decision),
        "documents": [{"path": each.path, "state": each.state, "detail": each.detail} for each in records.documents],
        "resolution_checks": [
            {"source": source, "outcome": outcome, "detail": detail} for source, outcome, detail in checks
        ],
    }


def _trust(found: Assessment) -> dict[str, Any]:
    """Return how far the state is verified; a cached or unverified one never carries automation."""
    verified = found.verification == "VERIFIED"
    return {
        "live_status": found.known if verified else "",
        "raw_controller_state": found.controller_word,
        "npa_exit": npa_exit(found.status),
        "verification": _kind(found),
        "verification_status": found.verification,
        "live_verified": verified,
        "automation_may_trust_state": verified,
        "last_known": {"state": found.known, "observed_at": _observed(found), "source": found.known_source},
        "live_verification": _verification(found),
    }


def _kind(found: Assessment) -> str:
    """Return the kind of the answer in one word."""
    if found.verification == "CACHED":
        return "cached"
    if found.verification == "VERIFICATION_UNAVAILABLE":
        return "unavailable"
    return "conclusively_absent" if found.known == "NOT_FOUND" else "found"


def _stages(found: Assessment, evidence: RunEvidence) -> dict[str, Any]:
    current = found.active
    jobs = list(dict.fromkeys(stage.job_id for stage in found.stages if stage.job_id))
    return {
        "sky_job_id": (current.job_id if current else jobs[-1] if jobs else "") or None,
        "sky_job_ids": jobs,
        "active_stage_name": current.key if current else None,
        "active_stage_index": current.index if current else None,
        "last_heartbeat_at": max((stage.heartbeat for stage in found.stages), default="") or None,
        "last_observed_at": max((stage.observed_at for stage in found.stages), default="") or None,
        "scheduler_task_activity": _activity(found.stages),
        "stages": {stage.key: _stage(stage, found, evidence) for stage in found.stages},
        "failing_stage": found.failing.key if found.failing else None,
        "first_stage_without_outputs": found.without_outputs.key if found.without_outputs else None,
        "not_run": list(found.not_run),
        "valid_stages": [
            stage.key
            for stage in found.stages
            if stage.outputs and all(each.state == "valid" for each in stage.outputs)
        ],
    }


def _activity(stages: Sequence[Stage]) -> dict[str, Any]:
    """Return which stages have a task that goes on, and which have one whose end is not known."""
    return {
        "active_stage_keys": [stage.key for stage in stages if stage.task_word and not stage.task_ended],
        "unresolved_stage_keys": [stage.key for stage in stages if not stage.task_word],
        "all_stage_tasks_terminal": bool(stages) and all(stage.task_ended for stage in stages),
    }


def _lifecycle(life: Lifecycle | None) -> dict[str, Any] | None:
    if life is None:
        return None
    evidence = {"status": life.manifest_raw, "updated_at": life.manifest_updated_at, "source": "authoritative_manifest"}
    return {
        "status": life.word,
        "manifest_status": life.manifest_status,
        "manifest_evidence": evidence if life.manifest_raw else None,
        "runtime_status": life.runtime_status,
        "completion_recorded": life.completion_recorded,
        "driver_liveness": "unknown",
        "source": life.source,
        "updated_at": life.updated_at,
        "problem": life.problem or None,
    }


def _stage(stage: Stage, found: Assessment, evidence: RunEvidence) -> dict[str, Any]:
    startup = next((log for log in evidence.controllers if log.job_id == stage.job_id), None)
    waiting = [each for each in found.blockers if found.active is stage]
    return {
        "index": stage.index,
        "state": stage.state,
        "workflow_state": stage.record or None,
        "managed_job_id": stage.job_id or None,
        "managed_job_attempts": [_attempt(wave) for wave in stage.attempts],
        "active_attempt": stage.wave.attempt if stage.wave else None,
        "job_attribution": stage.attribution,
        "job_attribution_provenance": [_source(stage.source)] if stage.job_id and stage.source else [],
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
        "requested_accelerators": stage.accelerators or None,
        "startup_failure_evidence": startup.failures if startup else 0,
        "last_startup_failure": startup.last_failure or None if startup else None,
        "log_command": f"runtriage workflow logs {quote(evidence.records.prefix)} --stage {quote(stage.key)}",
        "pending_reason": _blocker(waiting[0]) if waiting else None,
        "outputs": [output(each) for each in stage.outputs],
        "error": stage.error or None,
        "citation": _source(stage.source),
    }


def output(check: OutputCheck) -> dict[str, Any]:
    """Return one declared output as the document writes it."""
    return {key: value for key, value in to_builtins(check).items() if value not in (None, "", False)}


def _attempt(wave: Wave) -> dict[str, Any]:
    return {
        "attempt": wave.attempt,
        "job_id": wave.job_id,
        "job_name": wave.job_name,
        "wave_key": wave.key,
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


def _supervisor(found: Assessment, evidence: RunEvidence) -> dict[str, Any] | None:
    folder = next(
        (each for each in evidence.records.documents if "supervisor" in each.path and each.state != "found"), None
    )
    if folder is not None and folder.state != "absent":
        return {"state": "evidence_unavailable", "error": folder.detail or folder.state}
    event = found.event
    if event is None:
        return None
    return {
        "classification": event.classification,
        "recovery": {
            "action": event.action,
            "reason_code": event.reason_code,
            "remediation": event.remediation,
            "relaunch_allowed": event.relaunch_allowed,
        },
        "phase": event.phase,
        "recorded_at": event.recorded_at,
        "attempt": event.attempt,
        "outputs": event.outputs or None,
        "citation": {"artifact": event.path, "pointer": "/recovery"},
    }


def _recovery(found: Assessment) -> dict[str, Any] | None:
    stage = found.failing or found.active
    wave = stage.wave if stage else None
    event = found.event
    used, limit = (
        (event.used, event.limit)
        if event and event.limit is not None
        else (wave.used, wave.limit)
        if wave
        else (None, None)
    )
    if limit is None:
        return None
    spent = bool(wave and wave.exhausted) or bool(event and event.exhausted) or (used or 0) >= limit
    return {"used": used, "limit": limit, "exhausted": spent}


def _cause(cause: Cause) -> dict[str, Any]:
    return {
        "class": cause.kind,
        "reason_code": cause.code or None,
        "text": cause.text,
        "citation": _source(cause.source),
    }


def _decision(decision: WorkflowDecision) -> dict[str, Any]:
    return {
        "decision": decision.word,
        "because": decision.because,
        "preconditions": [_check(each) for each in decision.checks],
        "command": decision.command or None,
        "cancel_first": decision.cancel_first,
        "cancel_command": decision.cancel_command or None,
        "explicit_operator_only": decision.operator_only,
        "relaunch": decision.relaunch,
    }


def _check(check: Check) -> dict[str, Any]:
    return {"text": check.text, "holds": check.holds, "citation": _source(check.source)}


def _source(source: Source | None) -> dict[str, str] | None:
    if source is None:
        return None
    return {"artifact": source.artifact, "pointer": source.pointer} if source.pointer else {"artifact": source.artifact}


def _blocker(blocker: Blocker) -> dict[str, Any]:
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
        "live": True,
    }


def _registry_check(blocker: Blocker) -> str | None:
    """Return the command that proves whether an image can be pulled, with the secret its pod uses."""
    if not blocker.code.startswith("IMAGE_") or not blocker.image:
        return None
    secret = f" --pull-secret {quote(f'{blocker.namespace}/{blocker.pull_secret}')}" if blocker.pull_secret else ""
    return f"runtriage registry check {quote(blocker.image)}{secret}"


def _cluster(found: Assessment, evidence: RunEvidence) -> dict[str, Any] | None:
    cluster = evidence.cluster
    if cluster is None:
        return None
    state = "unavailable" if cluster.error else "available"
    return {
        "diagnostics": state,
        "error_code": cluster.error or None,
        "detail": cluster.detail or None,
        "pods_for_job": found.pods_for_job,
    }


def _verification(found: Assessment) -> dict[str, Any]:
    return {
        "status": found.verification,
        "error_code": found.code or None,
        "category": found.category or None,
        "reason": found.reason or None,
    }


def _plan(found: Assessment, records: RunRecords) -> dict[str, Any]:
    """Return the plan as it was recorded, and what of the attempts does not fit it."""
    return {
        "fingerprint": (records.ledger.fingerprint or None) if records.ledger else None,
        "fingerprint_recomputed": False,
        "why_not_recomputed": PLAN_NOT_COMPUTED,
        "spec_sha256": records.spec.digest if records.spec else None,
        "differences": [{"text": each.text, "source": _source(each.source)} for each in found.plan_differences],
    }


def _manifest_state(evidence: RunEvidence) -> str:
    records = evidence.records
    if records.manifest is not None:
        return "available"
    states = {each.state for each in records.documents if each.path.endswith("manifest.json")}
    if states & {"denied", "unavailable", "broken"}:
        return "verification_unavailable"
    return "pending" if records.ledger or evidence.queue.rows else "absent"


def _observed(found: Assessment) -> str | None:
    return found.lifecycle.updated_at if found.lifecycle else None
