"""The JSON document of a workflow run's state."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from runtriage.model.workflow import RunRecords
from runtriage.model.workflow_evidence import RunEvidence
from runtriage.model.workflow_state import Assessment, Cause, Check, Lifecycle, Stage, WorkflowDecision
from runtriage.model.workflow_words import PLAN_NOT_COMPUTED
from runtriage.render.workflow_ages import newest, run_ages
from runtriage.render.workflow_document_stage import blocker_document, source, stage_document

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
        "observed_at": evidence.observed_at or None,
        **_trust(found, evidence),
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
        "blockers": [blocker_document(each, evidence.observed_at) for each in found.blockers],
        "diagnostics": list(found.diagnostics),
        "kubernetes": _cluster(found, evidence),
        "startup_failure_evidence": found.startup_failures,
        "startup_failure_threshold": evidence.threshold,
        "running_work": found.running_work,
        "plan": _plan(found, records),
        "decision": _decision(found.decision),
        "documents": [{"path": each.path, "state": each.state, "detail": each.detail} for each in records.documents],
        "resolution_checks": [
            {"source": place, "outcome": outcome, "detail": detail}
            for place, outcome, detail in (*checks, *_elsewhere(found, evidence))
        ],
    }


def _elsewhere(found: Assessment, evidence: RunEvidence) -> Iterator[tuple[str, str, str]]:
    """Yield how each place other than storage answered: none that could not be asked is one that does not know the run."""
    for place, outcome in evidence.records.local:
        yield place, outcome, ""
    queue = evidence.queue
    if queue.state == "live":
        known = found.known_source == "managed_job" or any(stage.job_word for stage in found.stages)
        yield "managed_job", "found" if known else "absent", ""
    else:
        yield "managed_job", "skipped" if queue.state == "not-attempted" else "unavailable", queue.reason


def _trust(found: Assessment, evidence: RunEvidence) -> dict[str, Any]:
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
        "live_verification": _verification(found, evidence),
    }


def _kind(found: Assessment) -> str:
    """Return the kind of the answer in one word."""
    if found.verification == "CACHED":
        return "cached"
    if found.verification == "VERIFICATION_UNAVAILABLE":
        return "unavailable"
    if found.known == "NOT_FOUND":
        return "conclusively_absent" if found.verification == "VERIFIED" else "absent_from_storage"
    return "found"


def _stages(found: Assessment, evidence: RunEvidence) -> dict[str, Any]:
    current = found.active
    jobs = list(dict.fromkeys(stage.job_id for stage in found.stages if stage.job_id))
    return {
        "sky_job_id": (current.job_id if current else jobs[-1] if jobs else "") or None,
        "sky_job_ids": jobs,
        "active_stage_name": current.key if current else None,
        "active_stage_index": current.index if current else None,
        "last_heartbeat_at": newest(stage.heartbeat for stage in found.stages) or None,
        "last_observed_at": newest(stage.observed_at for stage in found.stages) or None,
        **run_ages(found.stages, evidence.observed_at),
        "scheduler_task_activity": _activity(found.stages),
        "stages": {stage.key: stage_document(stage, found, evidence) for stage in found.stages},
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
        "citation": source(cause.source),
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
    return {"text": check.text, "holds": check.holds, "citation": source(check.source)}


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


def _verification(found: Assessment, evidence: RunEvidence) -> dict[str, Any]:
    """Return whether the queue confirmed the state, when it was asked, and how to ask again."""
    asked = evidence.queue.state != "not-attempted"
    return {
        "status": found.verification,
        "live_verified": found.verification == "VERIFIED",
        "attempted_at": (evidence.observed_at or None) if asked else None,
        "target": "sky jobs queue" if asked else None,
        "error_code": found.code or None,
        "category": found.category or None,
        "reason": found.reason or None,
        "retry_command": None if found.verification == "VERIFIED" else found.look_again,
        "automation_may_trust_state": found.verification == "VERIFIED",
    }


def _plan(found: Assessment, records: RunRecords) -> dict[str, Any]:
    """Return the plan as it was recorded, and what of the attempts does not fit it."""
    return {
        "fingerprint": (records.ledger.fingerprint or None) if records.ledger else None,
        "fingerprint_recomputed": False,
        "why_not_recomputed": PLAN_NOT_COMPUTED,
        "spec_sha256": records.spec.digest if records.spec else None,
        "differences": [{"text": each.text, "source": source(each.source)} for each in found.plan_differences],
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
