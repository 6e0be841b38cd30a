"""Runs judged by their own records and the queue: lifecycle, attempts, outputs, verification."""

from __future__ import annotations

from runtriage.model.workflow_evidence import QueueAnswer
from tests.api.workflow_parts import FAILED, PREP, PREP_ROW, Cases, ended, step
from tests.api.workflow_runs import Run, row, wave

CASES: Cases = {
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
    "a failed job whose every task succeeded is a contradiction": (
        Run(waves=[wave("train", 1, "running", "RUNNING", "12")], queue=[row("12", "FAILED")], tasks=[row("12", "SUCCEEDED")]),
        {"status": "UNKNOWN", "class": "unknown", "decision": "BLOCKED_RESTORE_EVIDENCE", "conflict": True, "npa_exit": 0},
    ),
    "a failed job whose every task the ledger saw succeed is a contradiction": (
        Run(waves=[wave("train", 1, "running", "RUNNING", "12", tasks=[row("12", "SUCCEEDED")])], queue=[row("12", "FAILED")]),
        {"status": "UNKNOWN", "class": "unknown", "decision": "BLOCKED_RESTORE_EVIDENCE", "conflict": True, "npa_exit": 0},
    ),
    "tasks that the ledger last saw running contradict no end of their job": (
        Run(manifest="failed", ledger="failed", waves=[wave("train", 1, "failed", "FAILED", "12", tasks=[row("12", "RUNNING")])], queue=[row("12", "FAILED")]),
        {"status": "FAILED", "class": "payload", "decision": "FIX_PAYLOAD", "conflict": False},
    ),
    "a failed group may have members that did well, and one that never ran": (
        Run(manifest="failed", ledger="failed", waves=[wave("a+b", 1, "failed", "FAILED", "12")], steps=[step("a", "failed", "12"), step("b", "failed", "12"), step("c", "failed", error="skipped after g batch 1 failed")], plan=("a", "b", "c"), outputs={"a": 9}, queue=[row("12", "SUCCEEDED", "a"), row("12", "FAILED", "b", task_id=1)]),
        {"status": "FAILED", "class": "payload", "decision": "FIX_PAYLOAD", "failing_stage": "b", "not_run": ["c"], "valid_stages": ["a"]},
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
    "a failed setup and a failed record are one family": (
        ended("FAILED_SETUP"),
        {"status": "FAILED", "class": "payload", "decision": "FIX_PAYLOAD", "conflict": False},
    ),
    "a failed record against a job that succeeded is a contradiction": (
        ended("FAILED", queue="SUCCEEDED"),
        {"status": "UNKNOWN", "class": "unknown", "conflict": True, "decision": "BLOCKED_RESTORE_EVIDENCE"},
    ),
    "a job that lags behind its stage is no contradiction": (
        Run(waves=[PREP], plan=("prep", "train"), outputs={"prep": 9}, queue=[row("11", "RUNNING", "prep")]),
        {"status": "RUNNING", "conflict": False, "decision": "KEEP_WATCHING"},
    ),
    "two jobs at one attempt are ambiguous": (
        Run(waves=[wave("train", 1, "running", "RUNNING", "12"), wave("train", 1, "running", "RUNNING", "13")], queue=[row("12", "RUNNING"), row("13", "RUNNING")]),
        {"status": "VERIFICATION_UNAVAILABLE", "decision": "BLOCKED_RESTORE_EVIDENCE"},
    ),
    "a success without its declared output is not one": (
        Run(manifest="completed", ledger="succeeded", waves=[wave("train", 1, "succeeded", "SUCCEEDED", "12")], outputs={"train": 0}, queue=[row("12", "SUCCEEDED")]),
        {"status": "SUCCEEDED", "class": "payload", "decision": "FIX_PAYLOAD", "failing_stage": "train"},
    ),
    "a manifest alone names the first planned stage without a record": (
        Run(manifest="failed", ledger=None, steps=[step("prep", "ok", "11")], plan=("prep", "train"), outputs={"prep": 9}, queue=[PREP_ROW]),
        {"status": "FAILED", "failing_stage": "train"},
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
    "a spec alone was never submitted": (
        Run(manifest=None, ledger=None),
        {"status": "NOT_SUBMITTED", "decision": "NO_ACTION", "npa_exit": 4},
    ),
    "jobs of a run without records are seen by their names": (
        Run(manifest=None, ledger=None, queue=[row("12", "PENDING", job_name="toy-01-train")]),
        {"status": "PENDING", "manifest_pending": True},
    ),
}  # fmt: skip
