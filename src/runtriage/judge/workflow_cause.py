"""Which class of failure a run shows, and the evidence for it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from runtriage.judge.workflow_norm import family
from runtriage.judge.workflow_partial import partial_cause
from runtriage.judge.workflow_pending import request_of, shape_code
from runtriage.model.pattern import deferred
from runtriage.model.workflow import SupervisorEvent, Wave
from runtriage.model.workflow_evidence import RunEvidence
from runtriage.model.workflow_state import Cause, Source, Stage
from runtriage.model.workflow_words import CONFIGURATION, NONE, PAYLOAD, TRANSIENT, UNKNOWN, class_of

_NO_INSTANCE: Final = deferred(r"no resources? satisf|does not contain any instances? satisfying", re.IGNORECASE)
_BLOCKING: Final = frozenset({"block_relaunch", "block_indeterminate", "block_after_uncertain_success"})
_PHASES: Final = {"decision": 0, "cancellation": 1, "recovery_reserved": 2, "launch": 2}
_CATEGORY: Final = {
    "auth": "AUTHENTICATION",
    "certificate": "AUTHENTICATION",
    "identity": "AUTHENTICATION",
    "rbac": "AUTHORIZATION",
    "context": "INVALID_ARGUMENT",
    "config": "INVALID_ARGUMENT",
    "schema": "INVALID_ARGUMENT",
    "capacity": "CAPACITY_OR_QUOTA",
    "kubernetes_transport": "KUBERNETES_TRANSPORT",
    "kubernetes_rate_limit": "KUBERNETES_RATE_LIMIT",
    "kubernetes_server": "KUBERNETES_SERVER",
    "controller": "CONTROLLER_UNAVAILABLE",
    "workload": "PAYLOAD_EXIT_NONZERO",
}
_STATUS_ERRORS: Final = 5


def event_of(wave: Wave | None, events: Sequence[SupervisorEvent]) -> SupervisorEvent | None:
    """Return the supervisor's last event about exactly this attempt; events whose name does not fit their bytes are not used."""
    if wave is None or not wave.launch_id:
        return None
    own = [event for event in events if event.intact and event.launch_id == wave.launch_id]
    return max(own, key=lambda event: (event.recorded_at, event.attempt, _PHASES.get(event.phase, -1)), default=None)


def outputs_state(stage: Stage) -> str:
    """Return what a stage's declared outputs are together: valid, absent, partial, indeterminate, or undeclared."""
    states = {check.state for check in stage.outputs}
    if not states:
        return "undeclared"
    if "indeterminate" in states:
        return "indeterminate"
    if states == {"valid"}:
        return "valid"
    return "partial" if "valid" in states else "absent"


def ended_cause(stage: Stage, evidence: RunEvidence) -> Cause:
    """Return why a stage that ended without success did so."""
    wave, records = stage.wave, evidence.records
    if stage.conflict:
        return Cause(
            kind=UNKNOWN, text="the records of this stage contradict each other", source=stage.source, blocked=True
        )
    if wave is None:
        return _without_wave(stage)
    ledger = records.ledger.path if records.ledger else ""
    at = Source(artifact=ledger, pointer=wave.place)
    if wave.partial is not None:
        return partial_cause(wave, stage, outputs_state(stage), at)
    if wave.cancellation in ("requested", "failed") and family(wave.sky_status) != "SUCCEEDED":
        return Cause(
            kind=UNKNOWN,
            code="CANCELLATION_UNVERIFIED",
            text=f"cancelling job {wave.job_id} was asked for but never proven",
            source=Source(artifact=ledger, pointer=f"{wave.place}/cancellation/state"),
            blocked=True,
        )
    event = event_of(wave, records.supervisor)
    if event is not None and event.action:
        return of_event(event)
    return _of_wave(wave, stage, evidence, at)


def of_event(event: SupervisorEvent) -> Cause:
    """Return what the supervisor concluded about an attempt."""
    kind = event.classification if event.classification in (CONFIGURATION, TRANSIENT, PAYLOAD) else UNKNOWN
    blocked = event.action == "block_relaunch"
    return Cause(
        kind=UNKNOWN if blocked and kind != CONFIGURATION else kind,
        code=event.reason_code,
        text=event.remediation or f"the supervisor decided {event.action}",
        source=Source(artifact=event.path, pointer="/recovery"),
        blocked=blocked,
    )


def _without_wave(stage: Stage) -> Cause:
    if stage.state == "CANCELLED":
        return Cause(kind=NONE, text="the stage was cancelled", source=stage.source)
    if stage.state == "FAILED_STARTUP":
        return Cause(kind=TRANSIENT, code="FAILED_STARTUP", text="the stage never started", source=stage.source)
    return Cause(kind=PAYLOAD, code="PAYLOAD_EXIT_NONZERO", text="the stage ended with a failure", source=stage.source)


def _of_wave(wave: Wave, stage: Stage, evidence: RunEvidence, at: Source) -> Cause:
    if wave.decision in _BLOCKING or wave.decision.startswith("resume_block"):
        return Cause(
            kind=UNKNOWN,
            code="AMBIGUOUS_ATTEMPT_IDENTITY",
            text=f"the driver stopped with {wave.decision}",
            source=at,
            blocked=True,
        )
    if family(wave.sky_status) == "SUCCEEDED":
        return _succeeded_but_failed(stage, at)
    proven = _accelerator(wave, stage, evidence, at)
    if proven is not None:
        return proven
    if wave.category in (CONFIGURATION, TRANSIENT, PAYLOAD):
        return Cause(kind=wave.category, text=wave.error or wave.decision, source=at)
    code = _CATEGORY.get(wave.category)
    if code is not None:
        return Cause(kind=class_of(code) or UNKNOWN, code=code, text=wave.error, source=at)
    if wave.status_errors > _STATUS_ERRORS and not family(wave.sky_status):
        return Cause(kind=UNKNOWN, text="the queue could not be read; the job may still run", source=at, blocked=True)
    return _of_word(wave, at)


def _succeeded_but_failed(stage: Stage, at: Source) -> Cause:
    if outputs_state(stage) == "valid":
        return Cause(
            kind=NONE, text="the job succeeded and its outputs are there now; a resumed run takes them over", source=at
        )
    bad = next((check for check in stage.outputs if check.state in ("missing", "empty")), None)
    detail = f": {bad.uri} is {bad.state}" if bad else ""
    return Cause(
        kind=PAYLOAD,
        code="DECLARED_OUTPUT_MISSING",
        text=f"the job ended with success, its declared output did not appear{detail}",
        source=at,
    )


def _accelerator(wave: Wave, stage: Stage, evidence: RunEvidence, at: Source) -> Cause | None:
    """Return the cause of a request that no node satisfies: by the nodes where they prove it, else by the scheduler's word."""
    refused = wave.sky_status == "FAILED_PRECHECKS" or bool(_NO_INSTANCE.search(wave.error))
    if not refused and wave.sky_status != "FAILED_NO_RESOURCE":
        return None
    code = None
    if evidence.cluster is not None and not evidence.cluster.error:
        spec = evidence.records.spec
        planned = next((each for each in spec.stages if each.name == stage.name), None) if spec else None
        request = request_of(stage.accelerators, planned, stage.job_id, evidence.cluster)
        code = shape_code(request, evidence.cluster) if request[1] else None
    if code is None:
        code = "ACCELERATOR_MISMATCH" if refused else "CAPACITY_OR_QUOTA"
    text = {
        "ACCELERATOR_MISMATCH": f"no node offers what {stage.name} asks for ({stage.accelerators or 'its accelerators'})",
        "IMPOSSIBLE_GPU_SHAPE": f"no single node has as many GPUs as {stage.name} asks for ({stage.accelerators})",
    }.get(code, wave.error or "no capacity was free")
    return Cause(kind=class_of(code) or UNKNOWN, code=code, text=text, source=at)


def _of_word(wave: Wave, at: Source) -> Cause:
    word = wave.sky_status.upper()
    if word == "FAILED_CONTROLLER":
        return Cause(kind=TRANSIENT, code="CONTROLLER_UNAVAILABLE", text="the job's controller failed", source=at)
    if word == "FAILED_STARTUP":
        return Cause(kind=TRANSIENT, code="FAILED_STARTUP", text="the job never started", source=at)
    if word == "FAILED_SETUP":
        return Cause(
            kind=PAYLOAD, code="PAYLOAD_EXIT_NONZERO", text="the setup commands ended with a failure", source=at
        )
    if family(word) == "FAILED":
        return Cause(
            kind=PAYLOAD, code="PAYLOAD_EXIT_NONZERO", text=wave.error or "the payload ended with a failure", source=at
        )
    if family(word) == "CANCELLED" or family(wave.status) == "CANCELLED":
        return Cause(kind=NONE, text="the job was cancelled", source=at)
    if wave.decision in (
        "recovery_deadline_exhausted_verified_absent",
        "interrupted_verified_absent",
        "verified_absent_no_retry",
    ):
        return Cause(
            kind=TRANSIENT, code="KUBERNETES_TRANSPORT", text=f"the launch never took hold ({wave.decision})", source=at
        )
    return Cause(
        kind=UNKNOWN,
        text=wave.error or "the attempt failed without a known outcome of its job",
        source=at,
        blocked=True,
    )
