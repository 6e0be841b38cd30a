"""Runs that were recovered, relaunched, cancelled or supervised, and what may follow."""

from __future__ import annotations

import json

from tests.api.workflow_parts import FAILED, PARTIAL, PREP, PREP_ROW, REQUESTED, VERIFIED, Cases, ended, stalled
from tests.api.workflow_runs import BUCKET, Run, event, pod, row, waiting, wave

CASES: Cases = {
    "exhausted recovery is an act of the operator": (
        Run(manifest="failed", ledger="failed", waves=[wave("train", 1, "failed", "CANCELLED", "12", error_category="transient_infrastructure", infrastructure_recovery={"used": 1, "limit": 1, "exhausted": True}, **VERIFIED)], events=[event("launch-1-1", "transient_infrastructure", "cancel_and_terminalize", "INFRASTRUCTURE_RECOVERY_EXHAUSTED", used=1, limit=1, exhausted=True)], queue=[row("12", "CANCELLED")]),
        {"status": "FAILED", "class": "transient_infrastructure", "decision": "RESUME", "operator_only": True},
    ),
    "an event of another wave classifies nothing": (
        Run(manifest="failed", ledger="failed", waves=[wave("prep", 1, "failed", "CANCELLED", "10", sequence=1, **VERIFIED), wave("prep", 2, "succeeded", "SUCCEEDED", "11", sequence=1), FAILED], plan=("prep", "train"), outputs={"prep": 9}, events=[event("launch-1-1", "transient_infrastructure", "relaunch_incomplete_wave", "NODE_NOT_READY")], queue=[PREP_ROW, row("12", "FAILED")]),
        {"status": "FAILED", "class": "payload", "decision": "FIX_PAYLOAD", "failing_stage": "train"},
    ),
    "a partial launch whose cancelling is not proven blocks": (
        ended("PENDING", **(PARTIAL | REQUESTED | {"recovery_decision": "block_relaunch"})),
        {"status": "FAILED", "class": "unknown", "reason_code": "CANCELLATION_UNVERIFIED", "decision": "BLOCKED_RESTORE_EVIDENCE", "running_work": 0},
    ),
    "a partial launch proven to be gone is resumed": (
        ended("CANCELLED", **(PARTIAL | VERIFIED)),
        {"class": "transient_infrastructure", "reason_code": "KUBERNETES_TRANSPORT", "decision": "RESUME", "relaunch": True, "running_work": 0},
    ),
    "a partial launch whose row the queue still lists blocks": (
        ended("CANCELLED", queue="PENDING", **(PARTIAL | VERIFIED)),
        {"class": "unknown", "reason_code": "CANCELLATION_UNVERIFIED", "decision": "BLOCKED_RESTORE_EVIDENCE", "running_work": 0},
    ),
    "a partial launch that does not say whether a payload ran blocks": (
        ended("CANCELLED", **(PARTIAL | VERIFIED | {"partial_launch": {"cause": "kubernetes_transport"}})),
        {"class": "unknown", "reason_code": "AMBIGUOUS_ATTEMPT_IDENTITY", "decision": "BLOCKED_RESTORE_EVIDENCE"},
    ),
    "a partial launch of another job blocks": (
        ended("CANCELLED", **(PARTIAL | VERIFIED | {"partial_launch": {**PARTIAL["partial_launch"], "parent": {"provider_job_id": "99"}}})),
        {"class": "unknown", "reason_code": "AMBIGUOUS_ATTEMPT_IDENTITY", "decision": "BLOCKED_RESTORE_EVIDENCE"},
    ),
    "a check before the launch that was denied keeps its reason": (
        ended("CANCELLED", **(PARTIAL | VERIFIED | {"partial_launch": {**PARTIAL["partial_launch"], "recovery_preflight_error": "image pull denied"}})),
        {"class": "actionable_configuration", "reason_code": "PREFLIGHT_NOT_READY", "decision": "BLOCKED_RESTORE_EVIDENCE"},
    ),
    "a cancelled reservation that was used up is for the operator": (
        ended("CANCELLED", infrastructure_recovery={"used": 1, "limit": 1}, **(PARTIAL | VERIFIED)),
        {"class": "transient_infrastructure", "reason_code": "INFRASTRUCTURE_RECOVERY_EXHAUSTED", "decision": "RESUME", "operator_only": True},
    ),
    "without a queue a failed payload is still a failed payload": (
        Run(manifest="failed", ledger="failed", waves=[FAILED], queue=None),
        {"status": "FAILED", "class": "payload", "decision": "FIX_PAYLOAD", "trust": False, "verification": "DURABLE_EVIDENCE_ONLY"},
    ),
    "without a queue nothing may be resumed": (
        Run(manifest="failed", ledger="failed", waves=[wave("train", 1, "failed", "CANCELLED", "12", error_category="kubernetes_server", **VERIFIED)], queue=None),
        {"status": "FAILED", "class": "transient_infrastructure", "decision": "BLOCKED_RESTORE_EVIDENCE"},
    ),
    "a failed wave that was cancelled with proof explains a cancelled job": (
        ended("FAILED", queue="CANCELLED", **VERIFIED),
        {"status": "FAILED", "conflict": False},
    ),
    "a crashing container is the payload's": (
        stalled("STARTING", pod("train-12-0a1b2c3d", **waiting("CrashLoopBackOff", "back-off 5m0s restarting"))),
        {"class": "payload", "reason_code": "CONTAINER_CRASH", "decision": "FIX_PAYLOAD", "cancel_first": True},
    ),
    "an event tells of a pull where the container says nothing": (
        stalled("STARTING", pod("train-12-0a1b2c3d"), pod_events=[{"type": "Warning", "reason": "Failed", "message": "Failed to pull image: 403", "involvedObject": {"kind": "Pod", "name": "pod-train-12-0a1b2c3d", "namespace": "ml"}}]),
        {"class": "actionable_configuration", "reason_code": "IMAGE_PULL_AUTH"},
    ),
    "the supervisor's block on the current attempt blocks": (
        Run(waves=[wave("train", 1, "running", "STARTING", "12")], events=[event("launch-1-1", "unknown", "block_relaunch", "AMBIGUOUS_ATTEMPT_IDENTITY")], queue=[row("12", "STARTING")], pods=[]),
        {"class": "unknown", "reason_code": "AMBIGUOUS_ATTEMPT_IDENTITY", "decision": "BLOCKED_RESTORE_EVIDENCE"},
    ),
    "the supervisor's own class is taken for its attempt": (
        Run(manifest="failed", ledger="failed", waves=[wave("train", 1, "failed", "CANCELLED", "12", **VERIFIED)], events=[event("launch-1-1", "actionable_configuration", "cancel_and_terminalize", "IMAGE_PULL_AUTH")], queue=[row("12", "CANCELLED")]),
        {"class": "actionable_configuration", "reason_code": "IMAGE_PULL_AUTH", "decision": "FIX_CONFIG_START_FRESH", "cancel_first": False},
    ),
    "transient with some outputs there is ambiguous": (
        Run(manifest="failed", ledger="failed", waves=[wave("train", 1, "failed", "FAILED_CONTROLLER", "12", outputs=[f"s3://{BUCKET}/runs/toy/train/out.bin", f"s3://{BUCKET}/runs/toy/train/more.bin"])], outputs={"train": 9}, queue=[row("12", "FAILED_CONTROLLER")]),
        {"class": "transient_infrastructure", "decision": "BLOCKED_RESTORE_EVIDENCE"},
    ),
    "transient with nothing declared is ambiguous": (
        Run(manifest="failed", ledger="failed", waves=[wave("other", 1, "failed", "FAILED_CONTROLLER", "12", outputs=[])], plan=("train",), queue=[row("12", "FAILED_CONTROLLER")]),
        {"class": "transient_infrastructure", "decision": "BLOCKED_RESTORE_EVIDENCE"},
    ),
    "transient with an earlier output gone is not resumed": (
        Run(manifest="failed", ledger="failed", waves=[PREP, wave("train", 1, "failed", "FAILED_CONTROLLER", "12", sequence=2)], plan=("prep", "train"), queue=[PREP_ROW, row("12", "FAILED_CONTROLLER")]),
        {"class": "transient_infrastructure", "failing_stage": "train", "first_stage_without_outputs": "prep", "decision": "BLOCKED_RESTORE_EVIDENCE"},
    ),
    "a payload that fails after a stage without outputs is led back to it": (
        Run(manifest="failed", ledger="failed", waves=[PREP, FAILED], plan=("prep", "train"), outputs={"prep": 0}, queue=[PREP_ROW, row("12", "FAILED")]),
        {"class": "payload", "reason_code": "DECLARED_OUTPUT_MISSING", "failing_stage": "prep", "decision": "FIX_PAYLOAD"},
    ),
    "a run that was cancelled needs nothing": (
        Run(manifest="cancelled", ledger="cancelled", waves=[wave("train", 1, "cancelled", "CANCELLED", "12", **VERIFIED)], queue=[row("12", "CANCELLED")]),
        {"status": "CANCELLED", "class": "none", "decision": "NO_ACTION", "npa_exit": 1},
    ),
    "an unproven cancelling blocks": (
        ended("RUNNING", **REQUESTED),
        {"class": "unknown", "reason_code": "CANCELLATION_UNVERIFIED", "decision": "BLOCKED_RESTORE_EVIDENCE"},
    ),
    "an indeterminate launch blocks": (
        ended("", queue="RUNNING", recovery_decision="block_indeterminate"),
        {"class": "unknown", "decision": "BLOCKED_RESTORE_EVIDENCE"},
    ),
    "rejected credentials are a matter of configuration": (
        ended("", queue="CANCELLED", error_category="auth", **VERIFIED),
        {"class": "actionable_configuration", "reason_code": "AUTHENTICATION", "decision": "FIX_CONFIG_START_FRESH"},
    ),
    "only loading the result failed": (
        Run(manifest="completed", ledger="succeeded", workflow="physical-ai-data-factory", waves=[wave("train", 1, "succeeded", "SUCCEEDED", "12")], outputs={"train": 9}, queue=[row("12", "SUCCEEDED")], extra={"reports/sim2real.rrd": b"recording"}),
        {"status": "SUCCEEDED", "decision": "RELOAD_ARTIFACTS", "_options": {"load_failed": True}},
    ),
    "without a recording there is nothing to load again": (
        Run(manifest="completed", ledger="succeeded", workflow="physical-ai-data-factory", waves=[wave("train", 1, "succeeded", "SUCCEEDED", "12")], outputs={"train": 9}, queue=[row("12", "SUCCEEDED")]),
        {"status": "SUCCEEDED", "decision": "NO_ACTION", "_options": {"load_failed": True}},
    ),
    "a damaged event is not used": (
        Run(manifest="failed", ledger="failed", waves=[FAILED], queue=[row("12", "FAILED")], extra={"npa-workflow/supervisor/attempts/a/decision-0000.json": json.dumps(event("launch-2-1", "transient_infrastructure", "relaunch_incomplete_wave", "NODE_NOT_READY")).encode()}),
        {"class": "payload", "decision": "FIX_PAYLOAD", "supervisor": None},
    ),
}  # fmt: skip
