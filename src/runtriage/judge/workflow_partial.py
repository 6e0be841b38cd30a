"""A launch that left a reservation in the queue without a payload."""

from __future__ import annotations

from typing import Final

from runtriage.judge.workflow_norm import family
from runtriage.model.workflow import PartialLaunch, Wave
from runtriage.model.workflow_state import Cause, Source, Stage
from runtriage.model.workflow_words import CONFIGURATION, TRANSIENT, UNKNOWN

_CAUSES: Final = frozenset({"kubernetes_transport", "kubernetes_rate_limit", "kubernetes_server"})


def partial_cause(wave: Wave, stage: Stage, outputs: str, at: Source) -> Cause:
    """Return whether a partial launch is recoverable infrastructure, or what stands in the way of saying so."""
    partial = wave.partial
    if partial is None:
        return Cause(kind=UNKNOWN, blocked=True)
    if wave.cancellation != "verified":
        word = wave.cancellation or "not recorded"
        return _blocked(
            "CANCELLATION_UNVERIFIED", f"cancelling the reserved job {wave.job_id} is {word}, not verified", at
        )
    if stage.job_word and not family(stage.job_word):
        return _blocked(
            "CANCELLATION_UNVERIFIED", f"the queue still lists the cancelled job {wave.job_id} as {stage.job_word}", at
        )
    if partial.preflight_error:
        return Cause(
            kind=CONFIGURATION, code="PREFLIGHT_NOT_READY", text=partial.preflight_error, source=at, blocked=True
        )
    if (problem := _unproven(wave, partial)) is not None:
        return _blocked("AMBIGUOUS_ATTEMPT_IDENTITY", problem, at)
    if outputs not in ("absent", "valid"):
        return _blocked("OUTPUT_EVIDENCE_AMBIGUOUS", f"the declared outputs of {stage.name} are {outputs}", at)
    used_up = wave.used is not None and wave.limit is not None and wave.used >= wave.limit
    code = "INFRASTRUCTURE_RECOVERY_EXHAUSTED" if wave.exhausted or used_up else partial.cause.upper()
    return Cause(kind=TRANSIENT, code=code, text="the launch broke off before a payload was submitted", source=at)


def _unproven(wave: Wave, partial: PartialLaunch) -> str | None:
    if partial.cause not in _CAUSES:
        return f"the partial launch names no transient cause ({partial.cause or 'none'})"
    if partial.observable is not False:
        return "whether a payload was submitted is not recorded"
    if partial.parent_launch and partial.parent_launch != wave.launch_id:
        return "the partial launch belongs to another attempt"
    if partial.parent_job and partial.parent_job != wave.job_id:
        return "the partial launch names another job"
    if partial.preflight_hash and partial.preflight_hash != partial.rendered_hash:
        return "the wave was rendered differently for the check before the launch"
    if not partial.outputs_absent_at:
        return "that the outputs were absent before cancelling is not recorded"
    return _rows(wave)


def _rows(wave: Wave) -> str | None:
    if not wave.reconciled:
        return None
    *earlier, last = wave.reconciled
    if any(row.state != "absent" for row in earlier):
        return "an earlier look at the queue did not find the job absent"
    if last.state != "found" or last.job_id != wave.job_id or last.observable is True:
        return "the last look at the queue does not show the reserved job alone"
    return None


def _blocked(code: str, text: str, at: Source) -> Cause:
    return Cause(kind=UNKNOWN, code=code, text=text, source=at, blocked=True)
