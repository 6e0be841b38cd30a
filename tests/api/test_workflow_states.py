"""States, classes and decisions of workflow runs: one run prefix a case."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from runtriage.model.workflow_evidence import QueueAnswer
from tests.api.workflow_runs import BUCKET, Run, event, node, pod, row, unschedulable, waiting, wave

STARTUP = 'container not found ("ray-node")\n'
PREP = wave("prep", 1, "succeeded", "SUCCEEDED", "11", sequence=1)
LIVE = wave("train", 1, "running", "STARTING", "12", sequence=2)
FAILED = wave("train", 1, "failed", "FAILED", "12", sequence=2, error="reached terminal status FAILED")
PREP_ROW = row("11", "SUCCEEDED", "prep")


def step(state: str, status: str, job: str = "", **more: Any) -> dict[str, Any]:
    uri = f"s3://{BUCKET}/runs/toy/{state}/out.bin"
    return {"state": state, "status": status, "job_id": job, "outputs": [{"uri": uri}], **more}


def stalled(status: str, *pods: dict[str, Any], **more: Any) -> Run:
    """A run whose only stage waits."""
    return Run(waves=[wave("train", 1, "running", status, "12")], queue=[row("12", status)], pods=list(pods), **more)


def ended(word: str, *, queue: str | None = None, size: int | None = None, **more: Any) -> Run:
    """A failed run of one stage."""
    return Run(
        manifest="failed",
        ledger="failed",
        waves=[wave("train", 1, "failed", word, "12", **more)],
        queue=[row("12", queue or word)],
        outputs={} if size is None else {"train": size},
    )


PARTIAL = {
    "partial_launch": {
        "cause": "kubernetes_transport",
        "workload_observable_at_failure": False,
        "outputs_absent_before_cancel": "2026-11-20T10:07:00Z",
        "parent": {"provider_job_id": "12", "logical_attempt_id": "launch-1-1"},
    },
    "error_category": "kubernetes_transport",
    "recovery_decision": "reject_unobservable_queue_record_after_launch_failure",
}
VERIFIED = {"cancellation": {"state": "verified", "error": ""}}
REQUESTED = {"cancellation": {"state": "requested", "error": ""}}
TWO_SMALL = [node("n1", "H100", 1), node("n2", "H100", 1)]
BUSY = [pod("other-9-ffffffff", gpus=1, node=name, phase="Running") for name in ("n1", "n2")]
FULL = unschedulable("0/2 nodes are available: 2 Insufficient nvidia.com/gpu.")

CASES: dict[str, tuple[Run, dict[str, Any]]] = {
    "all jobs succeeded between waves is running": (
        Run(waves=[PREP], plan=("prep", "train"), outputs={"prep": 9}, queue=[PREP_ROW]),
        {"status": "RUNNING", "class": "none", "decision": "KEEP_WATCHING", "completion_recorded": False, "driver_liveness": "unknown", "npa_exit": 0, "trust": True},
    ),
    "completed in the manifest is success although the ledger still runs": (
        Run(manifest="completed", waves=[PREP, wave("train", 1, "succeeded", "SUCCEEDED", "12", sequence=2)], steps=[step("prep", "ok"), step("train", "ok")], plan=("prep", "train"), outputs={"prep": 9, "train": 9}, queue=[PREP_ROW, row("12", "SUCCEEDED")]),
        {"status": "SUCCEEDED", "class": "none", "decision": "NO_ACTION", "raw": "completed", "completion_recorded": True, "source": "authoritative_manifest"},
    ),
    "completed is no word of a ledger": (
        Run(ledger="completed", waves=[PREP], plan=("prep",), outputs={"prep": 9}, queue=[PREP_ROW]),
        {"status": "VERIFICATION_UNAVAILABLE", "class": "unknown", "decision": "BLOCKED_RESTORE_EVIDENCE", "npa_exit": 2},
    ),
    "an older failed attempt is history": (
        Run(manifest="completed", ledger="succeeded", waves=[wave("train", 1, "failed", "FAILED", "11"), wave("train", 2, "succeeded", "SUCCEEDED", "12")], outputs={"train": 9}, queue=[row("11", "FAILED"), row("12", "SUCCEEDED")]),
        {"status": "SUCCEEDED", "class": "none", "decision": "NO_ACTION"},
    ),
    "a latest attempt that failed contradicts completed": (
        Run(manifest="completed", ledger="succeeded", waves=[wave("train", 1, "succeeded", "SUCCEEDED", "11"), wave("train", 2, "failed", "FAILED", "12")], outputs={"train": 9}, queue=[row("11", "SUCCEEDED"), row("12", "FAILED")]),
        {"status": "EVIDENCE_INCONSISTENT", "class": "unknown", "decision": "BLOCKED_RESTORE_EVIDENCE", "npa_exit": 0},
    ),
    "a refused pull stalls and is a matter of configuration": (
        Run(waves=[PREP, LIVE], plan=("prep", "train"), outputs={"prep": 9}, queue=[PREP_ROW, row("12", "STARTING")], pods=[pod("train-12-0a1b2c3d", **waiting("ImagePullBackOff", "Back-off pulling image: 403 Forbidden"))], nodes=[node("n1", "NVIDIA-H100-80GB-HBM3", 8)]),
        {"status": "STARTING", "class": "actionable_configuration", "reason_code": "IMAGE_PULL_AUTH", "decision": "FIX_CONFIG_START_FRESH", "cancel_first": True},
    ),
    "the id of a job is one part of the label and no other": (
        stalled("STARTING", pod("train-12-333-0a1b2c3d", **waiting("ImagePullBackOff", "403"))),
        {"status": "STARTING", "class": "none", "decision": "KEEP_WATCHING", "pods_for_job": 0},
    ),
    "more GPUs than any node has never fit": (
        stalled("PENDING", pod("train-12-0a1b2c3d", gpus=2, **FULL), nodes=TWO_SMALL, accelerators="H100:2"),
        {"status": "PENDING", "class": "actionable_configuration", "reason_code": "IMPOSSIBLE_GPU_SHAPE", "decision": "FIX_CONFIG_START_FRESH", "cancel_first": True},
    ),
    "the same message on busy nodes may pass": (
        stalled("PENDING", pod("train-12-0a1b2c3d", gpus=1, **FULL), *BUSY, nodes=TWO_SMALL, accelerators="H100:1"),
        {"status": "PENDING", "class": "transient_infrastructure", "reason_code": "CAPACITY_OR_QUOTA", "decision": "KEEP_WATCHING"},
    ),
    "failed prechecks are a wrong name, not capacity": (
        Run(manifest="failed", ledger="failed", waves=[wave("train", 1, "failed", "FAILED_PRECHECKS", "12")], queue=[row("12", "FAILED_PRECHECKS")], pods=[], nodes=[node("n1", "NVIDIA-RTX-PRO-6000-Blackwell-Server-Edition", 8)], accelerators="L40S:1"),
        {"status": "FAILED", "class": "actionable_configuration", "reason_code": "ACCELERATOR_MISMATCH", "decision": "FIX_CONFIG_START_FRESH"},
    ),
    "a stage that fails alone is missing from the steps": (
        Run(manifest="failed", ledger="failed", steps=[step("prep", "ok", "11")], waves=[PREP, FAILED], plan=("prep", "train"), outputs={"prep": 9}, queue=[PREP_ROW, row("12", "FAILED")]),
        {"status": "FAILED", "class": "payload", "decision": "FIX_PAYLOAD", "failing_stage": "train", "npa_exit": 1},
    ),
    "an empty declared output is a failure the exit code missed": (
        ended("SUCCEEDED", size=0, error="completed without declared durable output(s)"),
        {"status": "FAILED", "class": "payload", "reason_code": "DECLARED_OUTPUT_MISSING", "decision": "FIX_PAYLOAD", "failing_stage": "train"},
    ),
    "the same record with its outputs there now is taken over": (
        ended("SUCCEEDED", size=5000, error="completed without declared durable output(s)"),
        {"status": "FAILED", "class": "none", "decision": "RESUME", "relaunch": False},
    ),
    "exhausted recovery is an act of the operator": (
        Run(manifest="failed", ledger="failed", waves=[wave("train", 1, "failed", "CANCELLED", "12", error_category="transient_infrastructure", infrastructure_recovery={"used": 1, "limit": 1, "exhausted": True}, **VERIFIED)], events=[event("launch-1-1", "transient_infrastructure", "cancel_and_terminalize", "INFRASTRUCTURE_RECOVERY_EXHAUSTED", used=1, limit=1, exhausted=True)], queue=[row("12", "CANCELLED")]),
        {"status": "FAILED", "class": "transient_infrastructure", "decision": "RESUME", "operator_only": True},
    ),
    "an event of another wave classifies nothing": (
        Run(manifest="failed", ledger="failed", waves=[wave("prep", 1, "failed", "CANCELLED", "10", sequence=1, **VERIFIED), wave("prep", 2, "succeeded", "SUCCEEDED", "11", sequence=1), FAILED], plan=("prep", "train"), outputs={"prep": 9}, events=[event("launch-1-1", "transient_infrastructure", "relaunch_incomplete_wave", "NODE_NOT_READY")], queue=[PREP_ROW, row("12", "FAILED")]),
        {"status": "FAILED", "class": "payload", "decision": "FIX_PAYLOAD", "failing_stage": "train"},
    ),
    "a failed job whose every task succeeded is a contradiction": (
        Run(waves=[wave("train", 1, "running", "RUNNING", "12")], queue=[row("12", "FAILED")], tasks=[row("12", "SUCCEEDED")]),
        {"status": "UNKNOWN", "class": "unknown", "decision": "BLOCKED_RESTORE_EVIDENCE", "conflict": True, "npa_exit": 0},
    ),
    "a failed group may have members that did well, and one that never ran": (
        Run(manifest="failed", ledger="failed", waves=[wave("a+b", 1, "failed", "FAILED", "12")], steps=[step("a", "failed", "12"), step("b", "failed", "12"), step("c", "failed", error="skipped after g batch 1 failed")], plan=("a", "b", "c"), outputs={"a": 9}, queue=[row("12", "SUCCEEDED", "a"), row("12", "FAILED", "b", task_id=1)]),
        {"status": "FAILED", "class": "payload", "decision": "FIX_PAYLOAD", "failing_stage": "b", "not_run": ["c"], "valid_stages": ["a"]},
    ),
    "three failed starts reach the threshold": (
        stalled("PENDING", nodes=[], controller=STARTUP * 3),
        {"status": "FAILED_STARTUP", "class": "transient_infrastructure", "decision": "RESUME", "startup_failure_evidence": 3, "npa_exit": 1, "cancel_first": True},
    ),
    "two failed starts do not": (
        stalled("PENDING", nodes=[], controller=STARTUP * 2),
        {"status": "PENDING", "class": "none", "decision": "KEEP_WATCHING", "startup_failure_evidence": 2, "npa_exit": 0, "cancel_first": False},
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
    "manifest and ledger that ended differently contradict each other": (
        Run(manifest="completed", ledger="failed", waves=[FAILED], queue=[row("12", "FAILED")]),
        {"status": "EVIDENCE_INCONSISTENT", "decision": "BLOCKED_RESTORE_EVIDENCE"},
    ),
    "planned in a manifest does not prove that nothing runs": (
        Run(manifest="planned", waves=[wave("train", 1, "running", "RUNNING", "12")], queue=[row("12", "RUNNING")]),
        {"status": "RUNNING", "decision": "KEEP_WATCHING", "source": "durable_runtime_ledger", "running_work": 1},
    ),
    "a job that is not in a filled queue is no failure but no proof either": (
        Run(waves=[wave("train", 1, "running", "RUNNING", "12")], queue=[row("77", "RUNNING")]),
        {"status": "VERIFICATION_UNAVAILABLE", "decision": "BLOCKED_RESTORE_EVIDENCE", "npa_exit": 2, "trust": False},
    ),
    "a queue that failed to answer leaves the state unverified": (
        Run(manifest="failed", ledger="failed", waves=[FAILED], queue=QueueAnswer(state="failed", code="LIVE_QUERY_FORBIDDEN", category="RBAC", reason="403")),
        {"status": "VERIFICATION_UNAVAILABLE", "decision": "BLOCKED_RESTORE_EVIDENCE", "known": "FAILED", "trust": False},
    ),
    "without a queue an ended run is told, a running one is not verified": (
        Run(waves=[wave("train", 1, "running", "RUNNING", "12")], queue=None),
        {"status": "VERIFICATION_UNAVAILABLE", "known": "RUNNING", "decision": "BLOCKED_RESTORE_EVIDENCE"},
    ),
    "without a queue a failed payload is still a failed payload": (
        Run(manifest="failed", ledger="failed", waves=[FAILED], queue=None),
        {"status": "FAILED", "class": "payload", "decision": "FIX_PAYLOAD", "trust": False, "verification": "DURABLE_EVIDENCE_ONLY"},
    ),
    "without a queue nothing may be resumed": (
        Run(manifest="failed", ledger="failed", waves=[wave("train", 1, "failed", "CANCELLED", "12", error_category="kubernetes_server", **VERIFIED)], queue=None),
        {"status": "FAILED", "class": "transient_infrastructure", "decision": "BLOCKED_RESTORE_EVIDENCE"},
    ),
    "a failed setup and a failed record are one family": (
        ended("FAILED_SETUP"),
        {"status": "FAILED", "class": "payload", "decision": "FIX_PAYLOAD", "conflict": False},
    ),
    "a failed wave that was cancelled with proof explains a cancelled job": (
        ended("FAILED", queue="CANCELLED", **VERIFIED),
        {"status": "FAILED", "conflict": False},
    ),
    "a failed record against a job that succeeded is a contradiction": (
        ended("FAILED", queue="SUCCEEDED"),
        {"status": "UNKNOWN", "class": "unknown", "conflict": True, "decision": "BLOCKED_RESTORE_EVIDENCE"},
    ),
    "a first attempt is no retry": (
        stalled("PENDING"),
        {"status": "PENDING", "retries": 0},
    ),
    "a second attempt that waits is a retry": (
        Run(waves=[wave("train", 1, "failed", "FAILED", "11"), wave("train", 2, "running", "PENDING", "12")], queue=[row("11", "FAILED"), row("12", "PENDING")], pods=[]),
        {"status": "RETRYING", "retries": 1, "decision": "KEEP_WATCHING"},
    ),
    "a job that lags behind its stage is no contradiction": (
        Run(waves=[PREP], plan=("prep", "train"), outputs={"prep": 9}, queue=[row("11", "RUNNING", "prep")]),
        {"status": "RUNNING", "conflict": False, "decision": "KEEP_WATCHING"},
    ),
    "two jobs at one attempt are ambiguous": (
        Run(waves=[wave("train", 1, "running", "RUNNING", "12"), wave("train", 1, "running", "RUNNING", "13")], queue=[row("12", "RUNNING"), row("13", "RUNNING")]),
        {"status": "VERIFICATION_UNAVAILABLE", "decision": "BLOCKED_RESTORE_EVIDENCE"},
    ),
    "a missing secret is a matter of configuration": (
        stalled("STARTING", pod("train-12-0a1b2c3d", **waiting("CreateContainerConfigError", 'secret "hf" not found'))),
        {"class": "actionable_configuration", "reason_code": "MISSING_SECRET", "decision": "FIX_CONFIG_START_FRESH"},
    ),
    "a pod that initialises is on its way": (
        stalled("STARTING", pod("train-12-0a1b2c3d", **waiting("PodInitializing", ""))),
        {"class": "none", "decision": "KEEP_WATCHING", "pods_for_job": 1},
    ),
    "an image that is not there is a matter of configuration": (
        stalled("PENDING", pod("train-12-0a1b2c3d", **waiting("ErrImagePull", "manifest unknown"))),
        {"class": "actionable_configuration", "reason_code": "IMAGE_NOT_FOUND", "cancel_first": True},
    ),
    "a crashing container is the payload's": (
        stalled("STARTING", pod("train-12-0a1b2c3d", **waiting("CrashLoopBackOff", "back-off 5m0s restarting"))),
        {"class": "payload", "reason_code": "CONTAINER_CRASH", "decision": "FIX_PAYLOAD", "cancel_first": True},
    ),
    "an event tells of a pull where the container says nothing": (
        stalled("STARTING", pod("train-12-0a1b2c3d"), pod_events=[{"type": "Warning", "reason": "Failed", "message": "Failed to pull image: 403", "involvedObject": {"kind": "Pod", "name": "pod-train-12-0a1b2c3d", "namespace": "ml"}}]),
        {"class": "actionable_configuration", "reason_code": "IMAGE_PULL_AUTH"},
    ),
    "a volume that is not bound may pass": (
        stalled("PENDING", pod("train-12-0a1b2c3d", **unschedulable("pod has unbound immediate PersistentVolumeClaims"))),
        {"class": "none", "reason_code": "STORAGE_PENDING", "decision": "KEEP_WATCHING"},
    ),
    "GPUs without a product label prove no mismatch": (
        stalled("PENDING", pod("train-12-0a1b2c3d", gpus=1, **FULL), nodes=[node("n1", "", 8)], accelerators="L40S:1"),
        {"class": "none", "decision": "KEEP_WATCHING"},
    ),
    "a name that only one node may bear is no mismatch": (
        stalled("PENDING", pod("train-12-0a1b2c3d", gpus=1, **FULL), nodes=[node("n1", "NVIDIA-A100-SXM4-80GB", 8)], accelerators="A100-80GB:1"),
        {"class": "none", "decision": "KEEP_WATCHING"},
    ),
    "a name that no node bears never fits": (
        stalled("PENDING", pod("train-12-0a1b2c3d", gpus=1, **FULL), nodes=[node("n1", "NVIDIA-L40S", 8)], accelerators="L4:1"),
        {"class": "actionable_configuration", "reason_code": "ACCELERATOR_MISMATCH"},
    ),
    "a cluster that refuses to answer is not one without blockers": (
        stalled("STARTING", cluster_error="KUBERNETES_RBAC"),
        {"class": "none", "decision": "KEEP_WATCHING", "diagnostics": "unavailable", "cluster_error": "KUBERNETES_RBAC"},
    ),
    "a node that went away may pass": (
        stalled("PENDING", nodes=[node("n1", "H100", 8, ready=False)]),
        {"class": "transient_infrastructure", "reason_code": "NODE_NOT_READY", "decision": "KEEP_WATCHING"},
    ),
    "a client the controller cannot use is outside the run": (
        stalled("PENDING", controller="ValueError: Invalid pod_config: kubernetes.client.models.V1Pod\n"),
        {"class": "actionable_configuration", "reason_code": "PINNED_CLIENT", "decision": "CANCEL"},
    ),
    "the supervisor's block on the current attempt blocks": (
        Run(waves=[wave("train", 1, "running", "STARTING", "12")], events=[event("launch-1-1", "unknown", "block_relaunch", "AMBIGUOUS_ATTEMPT_IDENTITY")], queue=[row("12", "STARTING")], pods=[]),
        {"class": "unknown", "reason_code": "AMBIGUOUS_ATTEMPT_IDENTITY", "decision": "BLOCKED_RESTORE_EVIDENCE"},
    ),
    "the supervisor's own class is taken for its attempt": (
        Run(manifest="failed", ledger="failed", waves=[wave("train", 1, "failed", "CANCELLED", "12", **VERIFIED)], events=[event("launch-1-1", "actionable_configuration", "cancel_and_terminalize", "IMAGE_PULL_AUTH")], queue=[row("12", "CANCELLED")]),
        {"class": "actionable_configuration", "reason_code": "IMAGE_PULL_AUTH", "decision": "FIX_CONFIG_START_FRESH", "cancel_first": False},
    ),
    "no resources is capacity": (
        ended("FAILED_NO_RESOURCE"),
        {"class": "transient_infrastructure", "reason_code": "CAPACITY_OR_QUOTA", "decision": "RESUME", "retries_asked": True},
    ),
    "a failed controller is infrastructure": (
        ended("FAILED_CONTROLLER"),
        {"class": "transient_infrastructure", "reason_code": "CONTROLLER_UNAVAILABLE", "decision": "RESUME"},
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
    "a success without its declared output is not one": (
        Run(manifest="completed", ledger="succeeded", waves=[wave("train", 1, "succeeded", "SUCCEEDED", "12")], outputs={"train": 0}, queue=[row("12", "SUCCEEDED")]),
        {"status": "SUCCEEDED", "class": "payload", "decision": "FIX_PAYLOAD", "failing_stage": "train"},
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
    "a manifest alone names the first planned stage without a record": (
        Run(manifest="failed", ledger=None, steps=[step("prep", "ok", "11")], plan=("prep", "train"), outputs={"prep": 9}, queue=[PREP_ROW]),
        {"status": "FAILED", "failing_stage": "train"},
    ),
    "only loading the result failed": (
        Run(manifest="completed", ledger="succeeded", workflow="physical-ai-data-factory", waves=[wave("train", 1, "succeeded", "SUCCEEDED", "12")], outputs={"train": 9}, queue=[row("12", "SUCCEEDED")], extra={"reports/sim2real.rrd": b"recording"}),
        {"status": "SUCCEEDED", "decision": "RELOAD_ARTIFACTS", "_options": {"load_failed": True}},
    ),
    "without a recording there is nothing to load again": (
        Run(manifest="completed", ledger="succeeded", workflow="physical-ai-data-factory", waves=[wave("train", 1, "succeeded", "SUCCEEDED", "12")], outputs={"train": 9}, queue=[row("12", "SUCCEEDED")]),
        {"status": "SUCCEEDED", "decision": "NO_ACTION", "_options": {"load_failed": True}},
    ),
    "a lower threshold makes two failed starts enough": (
        stalled("PENDING", nodes=[], controller=STARTUP * 2),
        {"status": "FAILED_STARTUP", "_options": {"threshold": 2}},
    ),
    "cached evidence is never trusted": (
        Run(manifest="completed", ledger="succeeded", waves=[wave("train", 1, "succeeded", "SUCCEEDED", "12")], outputs={"train": 9}),
        {"status": "CACHED", "known": "SUCCEEDED", "trust": False, "decision": "BLOCKED_RESTORE_EVIDENCE", "npa_exit": 0, "_options": {"cached": True}},
    ),
    "a handoff whose job is not in the queue is not verified": (
        Run(waves=[PREP], plan=("prep", "train"), outputs={"prep": 9}, queue=[row("77", "RUNNING")]),
        {"status": "VERIFICATION_UNAVAILABLE", "known": "RUNNING", "decision": "BLOCKED_RESTORE_EVIDENCE"},
    ),
    "a start recorded as failed gives way to a job that ended well": (
        Run(ledger=None, steps=[step("train", "FAILED_STARTUP", "12")], outputs={"train": 9}, queue=[row("12", "SUCCEEDED")]),
        {"conflict": False, "stage_state": "SUCCEEDED"},
    ),
    "a start recorded as failed stays so against a job that failed": (
        Run(ledger=None, steps=[step("train", "FAILED_STARTUP", "12")], queue=[row("12", "FAILED")]),
        {"conflict": False, "stage_state": "FAILED_STARTUP"},
    ),
    "an empty queue says that the job is not there": (
        Run(waves=[wave("train", 1, "running", "RUNNING", "12")], queue=[]),
        {"status": "ABSENT", "decision": "BLOCKED_RESTORE_EVIDENCE", "npa_exit": 0},
    ),
    "an empty queue confirms no handoff": (
        Run(waves=[PREP], plan=("prep", "train"), outputs={"prep": 9}, queue=[]),
        {"status": "VERIFICATION_UNAVAILABLE", "decision": "BLOCKED_RESTORE_EVIDENCE"},
    ),
    "a damaged event is not used": (
        Run(manifest="failed", ledger="failed", waves=[FAILED], queue=[row("12", "FAILED")], extra={"npa-workflow/supervisor/attempts/a/decision-0000.json": json.dumps(event("launch-2-1", "transient_infrastructure", "relaunch_incomplete_wave", "NODE_NOT_READY")).encode()}),
        {"class": "payload", "decision": "FIX_PAYLOAD", "supervisor": None},
    ),
    "a spec alone was never submitted": (
        Run(manifest=None, ledger=None),
        {"status": "NOT_SUBMITTED", "decision": "NO_ACTION", "npa_exit": 4},
    ),
    "jobs of a run without records are seen by their names": (
        Run(manifest=None, ledger=None, queue=[row("12", "PENDING", job_name="toy-01-train")]),
        {"status": "PENDING", "manifest_pending": True},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_a_run_is_judged_by_the_rules(name: str, tmp_path: Path) -> None:
    run, wanted = CASES[name]
    found = run.found(tmp_path, **wanted.get("_options", {}))
    seen = _seen(found)
    assert {key: seen[key] for key in wanted if key != "_options"} == {
        key: value for key, value in wanted.items() if key != "_options"
    }


@pytest.mark.parametrize("name", CASES)
def test_exactly_one_move_is_advised_and_its_preconditions_are_cited(name: str, tmp_path: Path) -> None:
    run, wanted = CASES[name]
    found = run.found(tmp_path, **wanted.get("_options", {}))
    decision = found["decision"]
    text = json.dumps(found)
    if decision["decision"] != "RESUME":
        assert "--resume-run" not in text
    if decision["decision"] in ("NO_ACTION", "KEEP_WATCHING", "BLOCKED_RESTORE_EVIDENCE"):
        assert not decision["command"] or decision["command"].startswith("runtriage ")
    assert decision["decision"] == "BLOCKED_RESTORE_EVIDENCE" or not any(
        check["holds"] is False for check in decision["preconditions"] if decision["decision"] == "RESUME"
    )
    assert found["automation_may_trust_state"] == (found["verification_status"] == "VERIFIED")
    if decision["explicit_operator_only"]:
        assert "--retries" not in (decision["command"] or "")


def _seen(found: dict[str, Any]) -> dict[str, Any]:
    life = found["workflow_lifecycle"] or {}
    stages = found["stages"].values()
    decision = found["decision"]
    return found | {
        "decision": decision["decision"],
        "completion_recorded": life.get("completion_recorded"),
        "driver_liveness": life.get("driver_liveness"),
        "raw": (life.get("manifest_evidence") or {}).get("status"),
        "source": life.get("source"),
        "trust": found["automation_may_trust_state"],
        "verification": found["verification_status"],
        "known": found["last_known"]["state"],
        "cancel_first": decision["cancel_first"],
        "relaunch": decision["relaunch"],
        "operator_only": decision["explicit_operator_only"],
        "retries_asked": "--retries 1" in (decision["command"] or ""),
        "conflict": any(stage["outcome_conflict"] for stage in stages),
        "stage_state": next((stage["state"] for stage in stages), None),
        "retries": max((stage["retry_count"] for stage in stages), default=0),
        "pods_for_job": (found["kubernetes"] or {}).get("pods_for_job"),
        "diagnostics": (found["kubernetes"] or {}).get("diagnostics"),
        "cluster_error": (found["kubernetes"] or {}).get("error_code"),
    }


def leaves(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(leaf for key, member in members for leaf in leaves(member, (*path, key)))]


def replaced(value: Any, path: tuple[Any, ...], new: Any) -> Any:
    if not path:
        return new
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[path[0]] = replaced(value[path[0]], path[1:], new)
    return copy


@pytest.mark.parametrize("odd", [None, {}, [None], float("inf"), 10**400], ids=str)
def test_no_value_of_any_record_breaks_the_judge(odd: Any) -> None:
    rich = wave(
        "a+b",
        1,
        "failed",
        "CANCELLED",
        "12",
        tasks=[{"job_id": "12", "retry_count": 1}],
        observations=[{"observed_at": "x"}],
        infrastructure_recovery={"used": 1, "limit": 1},
        **(PARTIAL | VERIFIED),
    )
    decided = event(
        "launch-1-1", "transient_infrastructure", "cancel_and_terminalize", "NODE_NOT_READY", used=0, limit=1
    )
    records: dict[str, Any] = {
        "waves": [rich],
        "steps": [step("a", "failed", "12")],
        "events": [decided],
        "queue": [row("12", "STARTING")],
        "pods": [pod("a-12-0a1b2c3d", gpus=1, **FULL)],
        "nodes": TWO_SMALL,
    }
    for path in leaves(records):
        if len(path) > 1:
            run = Run(manifest="running", ledger="running", plan=("a", "b"), **replaced(records, path, odd))
            assert run.judged()["decision"]["decision"]


def legacy(**states: str) -> Run:
    """A run of the older layout, with a state a stage."""
    manifest = {
        "schema_version": 1,
        "run_id": "toy",
        "workflow_name": "w",
        "updated_at": "2026-11-20T10:20:00Z",
        "stages": {
            name: {"sky_job_id": "7", "artifact_uri": f"s3://{BUCKET}/runs/toy/artifacts/{name}/"} for name in states
        },
    }
    files = {f"logs/{name}/status.json": json.dumps({"state": state}).encode() for name, state in states.items()}
    return Run(
        manifest=None,
        ledger=None,
        plan=(),
        queue=None,
        extra=files | {"manifest.json": json.dumps(manifest).encode()},
    )


@pytest.mark.parametrize(
    ("states", "status", "failing", "decision"),
    [
        ({"prep": "SUCCEEDED", "train": "FAILED"}, "FAILED", "train", "FIX_PAYLOAD"),
        ({"prep": "SUCCEEDED", "train": "SUCCEEDED"}, "SUCCEEDED", None, "NO_ACTION"),
        ({"prep": "SUCCEEDED", "train": "RUNNING"}, "VERIFICATION_UNAVAILABLE", None, "BLOCKED_RESTORE_EVIDENCE"),
    ],
)
def test_the_older_layout_is_read_from_its_stages(
    states: dict[str, str], status: str, failing: str | None, decision: str, tmp_path: Path
) -> None:
    found = legacy(**states).found(tmp_path)
    assert (found["status"], found["failing_stage"], found["decision"]["decision"]) == (status, failing, decision)


def test_secrets_in_records_are_not_told_and_addresses_and_hashes_are(tmp_path: Path) -> None:
    secret = "AKIAIOSFODNN7QWERTYU"
    run = Run(
        manifest="failed",
        ledger="failed",
        waves=[
            wave(
                "train",
                1,
                "failed",
                "FAILED",
                "12",
                error=f"denied for AWS_ACCESS_KEY_ID={secret} password=hunter2hunter2",
            )
        ],
        events=[event("npa-launch-0123456789abcdef0123456789abcdef", "payload", "terminalize", "PAYLOAD_EXIT_NONZERO")],
        queue=[row("12", "FAILED")],
    )
    text = json.dumps(run.found(tmp_path))
    assert secret not in text
    assert "hunter2hunter2" not in text
    assert f"s3://{BUCKET}/runs/toy/train/out.bin" in text
