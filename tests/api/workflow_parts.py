"""What the cases of workflow runs are put together from."""

from __future__ import annotations

from typing import Any

from tests.api.workflow_runs import BUCKET, Run, node, pod, row, unschedulable, wave

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

Cases = dict[str, tuple[Run, dict[str, Any]]]
"""A run, and what is right to say about it."""
