"""The one next move on a workflow run. Rules are tried from the most careful to the least; the first that fits decides."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from runtriage.judge.workflow_cause import outputs_state
from runtriage.judge.workflow_commands import Commands
from runtriage.judge.workflow_norm import family
from runtriage.judge.workflow_plan import authorized, plan_differences
from runtriage.judge.workflow_status import CACHED, NOT_FOUND, UNAVAILABLE, Told
from runtriage.model.workflow import Wave
from runtriage.model.workflow_evidence import OutputCheck, RunEvidence
from runtriage.model.workflow_state import Cause, Check, DecisionWord, Lifecycle, Source, Stage, WorkflowDecision
from runtriage.model.workflow_words import CONFIGURATION, NONE, PAYLOAD, PLAN_NOT_COMPUTED, UNKNOWN

_RELOADED: Final = "physical-ai-data-factory"
_NOT_RESUBMITTED: Final = frozenset(
    {"auth", "rbac", "context", "identity", "certificate", "config", "capacity", "workload", "schema"}
)
_UNRESOLVED: Final = frozenset(
    {
        "block_indeterminate",
        "block_after_uncertain_success",
        "recovery_deadline_exhausted_verified_absent",
        "interrupted_verified_absent",
    }
)
_UNSETTLED: Final = {
    "ABSENT": "the queue is empty although a job of the run should be in it: it ended unseen, or belongs to another identity",
    "PARTIAL_SUBMISSION": "a launch was tried and no job of it is known",
}
_CHANGED: Final = "the plan changed"
EXHAUSTED: Final = "INFRASTRUCTURE_RECOVERY_EXHAUSTED"


class Situation(Struct, frozen=True, kw_only=True):
    """What a decision is made from."""

    evidence: RunEvidence
    told: Told
    life: Lifecycle | None
    stages: Sequence[Stage]
    active: Stage | None
    failing: Stage | None
    cause: Cause
    startup: Stage | None
    commands: Commands


def decide(now: Situation) -> WorkflowDecision:
    """Return exactly one decision with the preconditions that were checked for it."""
    blocked = _blocked(now)
    if blocked is not None:
        return blocked
    if now.told.known in ("SUCCEEDED", "NOT_SUBMITTED", NOT_FOUND):
        return _nothing_failed(now)
    if now.startup is not None:
        return _resume(now, cancel_first=True)
    if now.life is not None and not now.life.terminal and not family(now.told.known):
        return _still_running(now)
    return _ended(now)


def _blocked(now: Situation) -> WorkflowDecision | None:
    """Return the refusal to decide where the evidence does not carry a decision."""
    why = ""
    if now.told.status == CACHED:
        why = "only cached evidence was read; ask again with the controller reachable"
    elif now.told.status == UNAVAILABLE:
        why = f"the state of the run is not verified: {now.told.reason}"
    elif now.told.known in ("UNKNOWN", "EVIDENCE_INCONSISTENT", "ABSENT", "PARTIAL_SUBMISSION"):
        why = (
            (now.life.problem if now.life else "")
            or now.cause.text
            or _UNSETTLED.get(now.told.known, f"the run is {now.told.known}")
        )
    elif now.cause.blocked:
        why = now.cause.text
    elif now.failing is not None and outputs_state(now.failing) == "indeterminate":
        why = f"whether {now.failing.key} produced its declared outputs could not be read"
    if not why:
        return None
    return _decision(
        "BLOCKED_RESTORE_EVIDENCE", why, (Check(text=why, holds=False, source=now.cause.source),), now.commands.status()
    )


def _nothing_failed(now: Situation) -> WorkflowDecision:
    if now.told.known == NOT_FOUND:
        asked = now.evidence.queue.state == "live"
        why = "every place it could lie was read" if asked else "storage holds nothing of it, the queue was not asked"
        return _decision("NO_ACTION", f"there is no such run: {why}", ())
    if now.told.known == "NOT_SUBMITTED":
        return _decision("NO_ACTION", "nothing was submitted, so there is nothing to cancel or resume", ())
    checks = (_recorded(now), *_outputs_checks(now.stages))
    failed = next((check for check in checks if check.holds is not True), None)
    if failed is not None and failed.holds is None:
        return _decision("BLOCKED_RESTORE_EVIDENCE", failed.text, checks, now.commands.status())
    if failed is not None:
        stage = now.failing.key if now.failing else ""
        return _decision(
            "FIX_PAYLOAD", f"the run says it succeeded, but: {failed.text}", checks, now.commands.logs(stage)
        )
    records = now.evidence.records
    if records.load_failed and records.workflow == _RELOADED and records.final_artifacts:
        found = Check(
            text=f"{records.final_artifacts[0]} is there",
            holds=True,
            source=Source(artifact=records.final_artifacts[0]),
        )
        return _decision(
            "RELOAD_ARTIFACTS",
            "the run is complete; only loading its result failed",
            (*checks, found),
            now.commands.reload(),
        )
    return _decision("NO_ACTION", "the run completed and every declared output is there", checks)


def _still_running(now: Situation) -> WorkflowDecision:
    cause = now.cause
    live = now.active is not None and bool(now.active.job_word) and not family(now.active.job_word)
    job = Check(
        text=f"job {now.active.job_id} is live as {now.active.job_word}"
        if live and now.active
        else "no live job is wedged",
        holds=live,
        source=Source(artifact="sky jobs queue"),
    )
    if cause.kind == CONFIGURATION and live:
        cancel = now.commands.cancel()
        if cause.code == "PINNED_CLIENT":
            return _decision(
                "CANCEL", f"{cause.text}; the remedy lies outside the run", (job,), cancel, cancel_first=True
            )
        return WorkflowDecision(
            word="FIX_CONFIG_START_FRESH",
            because=f"{cause.text}; it never fails by itself",
            checks=(job,),
            command=now.commands.fresh(),
            cancel_first=True,
            cancel_command=cancel,
        )
    if cause.kind == PAYLOAD and now.active is not None:
        return WorkflowDecision(
            word="FIX_PAYLOAD",
            because=cause.text,
            checks=(job,),
            command=now.commands.logs(now.active.key),
            cancel_first=live,
            cancel_command=now.commands.cancel() if live else "",
        )
    reason = cause.text or "the run goes on and nothing blocks it"
    return _decision("KEEP_WATCHING", reason, (_open(now),), now.commands.watch())


def _ended(now: Situation) -> WorkflowDecision:
    cause, name = now.cause, now.failing.key if now.failing else ""
    ended = Check(text=f"the run is {now.told.known}", holds=True, source=_lifecycle_source(now))
    if cause.kind == CONFIGURATION:
        return _decision("FIX_CONFIG_START_FRESH", cause.text, (ended,), now.commands.fresh())
    if cause.kind == PAYLOAD:
        return _decision("FIX_PAYLOAD", cause.text, (ended,), now.commands.logs(name))
    if now.told.known == "CANCELLED" and cause.kind == NONE:
        return _decision("NO_ACTION", "the run was cancelled and nothing of it is running", (ended,))
    if now.life is not None and not now.life.terminal:
        return _decision(
            "KEEP_WATCHING", f"{cause.text}; the driver may still be recovering", (_open(now),), now.commands.watch()
        )
    if cause.kind == UNKNOWN:
        return _decision(
            "BLOCKED_RESTORE_EVIDENCE", cause.text or "why the run failed is not known", (ended,), now.commands.status()
        )
    return _resume(now)


def _resume(now: Situation, *, cancel_first: bool = False) -> WorkflowDecision:
    """Return the advice to resume, or the refusal where a precondition does not hold."""
    checks = _resume_checks(now, cancel_first=cancel_first)
    failed = next((check for check in checks if check.holds is False), None)
    if failed is not None and failed.text.startswith(_CHANGED):
        return WorkflowDecision(
            word="FIX_CONFIG_START_FRESH",
            because=failed.text,
            checks=checks,
            command=now.commands.fresh(),
            cancel_first=cancel_first,
            cancel_command=now.commands.cancel() if cancel_first else "",
        )
    if failed is not None:
        return _decision("BLOCKED_RESTORE_EVIDENCE", failed.text, checks, now.commands.status())
    wave = now.failing.wave if now.failing else None
    adopted = now.failing is not None and outputs_state(now.failing) == "valid"
    refused = wave is not None and (family(wave.sky_status) == "FAILED" or wave.category in _NOT_RESUBMITTED)
    absent = wave is not None and in_flight(wave) and wave.launches > 0 and not (now.failing and now.failing.job_word)
    exhausted = now.cause.code == EXHAUSTED or bool(wave and wave.exhausted)
    because = now.cause.text
    if exhausted:
        because = "automatic recovery is used up; resuming is an act of the operator once the cause is gone, and payload retries stay as they are"
    return WorkflowDecision(
        word="RESUME",
        because=because,
        checks=checks,
        command=now.commands.resume(retries=refused and not adopted and not exhausted, absent=absent and not adopted),
        cancel_first=cancel_first,
        cancel_command=now.commands.cancel() if cancel_first else "",
        operator_only=exhausted,
        relaunch=not adopted,
    )


def _resume_checks(now: Situation, *, cancel_first: bool) -> tuple[Check, ...]:
    records, failing = now.evidence.records, now.failing
    spec = records.spec
    missing = [
        (stage, check)
        for stage in now.stages
        if stage.state == "SUCCEEDED"
        for check in stage.outputs
        if check.state != "valid"
    ]
    state = outputs_state(failing) if failing is not None else "undeclared"
    live = [stage for stage in now.stages if stage.job_word and not family(stage.job_word)]
    return (
        Check(text="every stage that succeeded still has its outputs", holds=not missing)
        if not missing
        else Check(text=f"{missing[0][1].uri} of {missing[0][0].key} is {missing[0][1].state}", holds=False),
        Check(
            text=f"the outputs of {failing.key if failing else 'the failed stage'} are {state}: all there or all absent is needed",
            holds=state in ("absent", "valid"),
            source=failing.source if failing else None,
        ),
        Check(
            text="the queue of jobs was read",
            holds=now.evidence.queue.state == "live",
            source=Source(artifact="sky jobs queue"),
        ),
        Check(
            text="no job of the run is live", holds=not live or cancel_first, source=Source(artifact="sky jobs queue")
        ),
        Check(
            text="the spec names its bucket",
            holds=bool(spec.bucket) if spec else None,
            source=Source(artifact=spec.path) if spec else None,
        ),
        _plan_check(now),
    )


def _plan_check(now: Situation) -> Check:
    """Return what a resumed run is held against: what is stored may show that the plan changed, never that it did not."""
    records = now.evidence.records
    spec, ledger = records.spec, records.ledger
    differences = plan_differences(records)
    if differences:
        return Check(text=f"{_CHANGED}: {differences[0].text}", holds=False, source=differences[0].source)
    wave = authorized(records)
    if ledger is not None and wave is not None:
        text = f"an operator let attempt {wave.attempt} of this run go on ({(wave.decision or wave.category)[:60]}); submit the spec that act was for"
        return Check(text=text, holds=None, source=Source(artifact=ledger.path, pointer=wave.place))
    if ledger is None or not ledger.fingerprint:
        source = Source(artifact=spec.path) if spec else None
        return Check(text="the plan is unchanged: submit the very spec the run keeps", holds=None, source=source)
    return Check(
        text=f"the plan is unchanged: its fingerprint was {ledger.fingerprint[:80]} and is not computed here ({PLAN_NOT_COMPUTED}); submit the very "
        "spec the run keeps",
        holds=None,
        source=Source(artifact=ledger.path, pointer="/plan_fingerprint"),
    )


def in_flight(wave: Wave) -> bool:
    """Tell whether an attempt may still be running as far as its record goes."""
    return not family(wave.status) or wave.decision in _UNRESOLVED or wave.decision.startswith("resume_block_")


def _recorded(now: Situation) -> Check:
    done = now.life is not None and now.life.completion_recorded
    return Check(text="completion is recorded", holds=done, source=_lifecycle_source(now))


def _outputs_checks(stages: Sequence[Stage]) -> tuple[Check, ...]:
    return tuple(
        _output_check(stage, check) for stage in stages if stage.state == "SUCCEEDED" for check in stage.outputs
    )


def _output_check(stage: Stage, check: OutputCheck) -> Check:
    holds = {"valid": True, "indeterminate": None}.get(check.state, False)
    return Check(text=f"{check.uri} of {stage.key} is {check.state}", holds=holds, source=Source(artifact=check.uri))


def _open(now: Situation) -> Check:
    return Check(text="the run is not recorded as ended", holds=True, source=_lifecycle_source(now))


def _lifecycle_source(now: Situation) -> Source | None:
    records, life = now.evidence.records, now.life
    if life is None:
        return None
    document = records.ledger if life.source == "durable_runtime_ledger" else records.manifest
    return Source(artifact=document.path, pointer="/status") if document else None


def _decision(
    word: DecisionWord, because: str, checks: tuple[Check, ...], command: str = "", *, cancel_first: bool = False
) -> WorkflowDecision:
    return WorkflowDecision(word=word, because=because, checks=checks, command=command, cancel_first=cancel_first)
