"""One word for a run, and whether it is verified."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from runtriage.judge.workflow_lifecycle import INCONSISTENT
from runtriage.judge.workflow_norm import LIVE, WAITING, family, live_word
from runtriage.judge.workflow_stages import SKIPPED
from runtriage.model.workflow import RunRecords, Task
from runtriage.model.workflow_evidence import RunEvidence
from runtriage.model.workflow_state import Lifecycle, Stage

VERIFIED: Final = "VERIFIED"
UNAVAILABLE: Final = "VERIFICATION_UNAVAILABLE"
CACHED: Final = "CACHED"
DURABLE: Final = "DURABLE_EVIDENCE_ONLY"
NOT_FOUND: Final = "NOT_FOUND"
_TOLERATED: Final = frozenset({"SUCCEEDED", "PENDING", "STARTING", "RUNNING", "RECOVERING", "CANCELLING"})
_NOT_LAUNCHED: Final = frozenset({"", "planned", "not_submitted", "plan_only"})


class Told(Struct, frozen=True):
    """The word shown, the last known state behind it, how far it is verified, and why not where it is not."""

    status: str
    known: str
    verification: str
    reason: str = ""
    code: str = ""
    category: str = ""


def told(evidence: RunEvidence, life: Lifecycle | None, stages: Sequence[Stage], startup: Stage | None) -> Told:
    """Return the run's word."""
    records = evidence.records
    known = _known(evidence, life, stages, startup)
    if evidence.cached:
        reason = unreadable(records) or (life.problem if life is not None and life.word != INCONSISTENT else "")
        return Told(CACHED, known, CACHED, reason or "only what storage keeps was read")
    if (closed := unreadable(records)) is not None:
        return Told(UNAVAILABLE, known, UNAVAILABLE, closed, "EVIDENCE_UNAVAILABLE", "STORAGE")
    if life is not None and life.problem and life.word != INCONSISTENT:
        return Told(UNAVAILABLE, known, UNAVAILABLE, life.problem, "LEDGER_STATE_INVALID", "RECORD")
    if (why := _queue_problem(evidence, life, stages)) is not None:
        return Told(UNAVAILABLE, known, UNAVAILABLE, why[2], why[0], why[1])
    if life is None and records.first_run and known == records.first_run:
        why = "only this machine's own note of the run tells its end; nothing of it lies in storage or in the queue"
        return Told(UNAVAILABLE, known, UNAVAILABLE, why, "LIVE_VERIFICATION_FAILED", "PROVIDER")
    live = evidence.queue.state == "live"
    return Told(known, known, VERIFIED if live else DURABLE)


def jobs_of(run_id: str, evidence: RunEvidence) -> list[Task]:
    """Return the rows of the queue that belong to a run by the name its jobs are given: the run, a number, and the stage."""
    own = re.compile(rf"{re.escape(run_id.lower())}(?:-\d{{2,}}-.*)?", re.DOTALL)
    rows = evidence.queue.rows
    found = [row for row in rows if row.job_id == run_id]
    return found or [row for row in rows if row.job_name and own.fullmatch(row.job_name.lower())]


def unreadable(records: RunRecords) -> str | None:
    """Return which document of the run could not be read, or None; a document that is absent was read."""
    bad = [each for each in records.documents if each.state in ("denied", "unavailable", "broken")]
    return "; ".join(f"{each.path}: {each.detail or each.state}" for each in bad[:3]) or None


def active(stages: Sequence[Stage]) -> Stage | None:
    """Return the first stage that has not ended."""
    return next(
        (stage for stage in stages if not family(stage.state) and stage.state not in ("UNKNOWN", SKIPPED)), None
    )


def _known(evidence: RunEvidence, life: Lifecycle | None, stages: Sequence[Stage], startup: Stage | None) -> str:
    if life is None:
        return _without_records(evidence)
    if life.word == INCONSISTENT:
        return INCONSISTENT
    if startup is not None and not life.terminal:
        return "FAILED_STARTUP"
    if life.terminal:
        return "UNKNOWN" if any(stage.conflict for stage in stages) else life.word
    current = active(stages)
    if evidence.queue.state == "live" and not evidence.queue.rows and current is not None and current.job_id:
        return "ABSENT"
    return _of_stages(life, [stage for stage in stages if stage.state != SKIPPED])


def _of_stages(life: Lifecycle, stages: Sequence[Stage]) -> str:
    if not stages:
        return life.word
    current = active(stages)
    if current is None:
        return _ended([stage.state for stage in stages], life)
    if current.state in WAITING and current.state != "RECOVERING":
        return "RETRYING" if current.retries > 0 or current.recovery_count > 0 else current.state
    live = live_word([current.job_word])
    return live if live and not family(live) else current.state if current.state != "UNKNOWN" else life.word


def _ended(states: Sequence[str], life: Lifecycle) -> str:
    """Return the word when every stage has ended although the run has not said so; success of all of them is not yet the run's."""
    if "UNKNOWN" in states:
        return "UNKNOWN"
    if any(family(state) == "FAILED" for state in states):
        return next((state for state in states if state in ("FAILED_STARTUP", "FAILED_SETUP")), "FAILED")
    return "CANCELLED" if "CANCELLED" in states else life.word


def _without_records(evidence: RunEvidence) -> str:
    records = evidence.records
    if unreadable(records) is not None:
        return "UNKNOWN"
    jobs = {row.job_id: row.status for row in jobs_of(records.run_id, evidence)}
    if jobs:
        return live_word(jobs.values()) or next(iter(jobs.values())).upper()
    if records.first_run:
        return records.first_run
    if records.launch_state.lower() not in _NOT_LAUNCHED:
        return "PARTIAL_SUBMISSION"
    found = any(each.state == "found" for each in records.documents) or records.launch_state
    return "NOT_SUBMITTED" if found else NOT_FOUND


def _queue_problem(
    evidence: RunEvidence, life: Lifecycle | None, stages: Sequence[Stage]
) -> tuple[str, str, str] | None:
    queue = evidence.queue
    if queue.state == "failed":
        return queue.code or "LIVE_VERIFICATION_FAILED", queue.category or "PROVIDER", queue.reason
    if life is None or life.terminal or life.word == INCONSISTENT:
        return None
    if queue.state == "not-attempted":
        return "LIVE_QUERY_NOT_ATTEMPTED", "CONTROLLER", queue.reason or "the queue of jobs was not asked"
    ambiguous = next((stage for stage in stages if stage.attribution == "ambiguous"), None)
    if ambiguous is not None:
        return "STAGE_JOB_ID_UNAVAILABLE", "ATTRIBUTION", f"{ambiguous.key} has two jobs at its latest attempt"
    return _missing_job(queue.rows != (), life, stages)


def _missing_job(filled: bool, life: Lifecycle, stages: Sequence[Stage]) -> tuple[str, str, str] | None:
    """Return why a live queue still does not verify a run that goes on: a job it should list is not in it."""
    odd = next(
        (stage for stage in stages if stage.job_word and not family(stage.job_word) and stage.job_word not in LIVE),
        None,
    )
    if odd is not None:
        return (
            "LIVE_RESPONSE_UNPARSEABLE",
            "RESPONSE",
            f"the queue calls job {odd.job_id} {odd.job_word[:40]!r}, which is no state",
        )
    current = active(stages)
    if current is not None and current.job_id and not current.job_word and filled:
        return "FAILED_CONTROLLER", "CONTROLLER", f"job {current.job_id} of {current.key} is not in the queue"
    if current is None and life.word == "RUNNING" and stages and all(stage.state == "SUCCEEDED" for stage in stages):
        for stage in stages:
            if not stage.job_id or stage.job_word not in _TOLERATED:
                return (
                    "STAGE_JOB_ID_UNAVAILABLE",
                    "ATTRIBUTION",
                    f"{stage.key} has no job in the queue that confirms it",
                )
    return None
