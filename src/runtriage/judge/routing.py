"""Runs that need no diagnosis: what a platform's own states say of them, and when that settles the matter."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from runtriage.judge.outcome import PROGRESSED, RECOVERED, finished
from runtriage.judge.superseded import superseded
from runtriage.model.event import STATE
from runtriage.model.facts import Facts, RankProgress
from runtriage.model.finding import Match
from runtriage.model.place import line_of
from runtriage.model.verdict import Incident

COMPLETED: Final = "completed"
PREEMPTED: Final = "preempted"
SUSPENDED: Final = "suspended"
PENDING: Final = "pending"
RUNNING: Final = "running"
_PREEMPTED: Final = "orch/preempted"
_UNPLACED: Final = "orch/k8s-failed-scheduling"
_OWN_FAULTS: Final = ("ckpt/", "cfg/")
"""What a program finds when it starts."""
_VERDICTS_OF_JOBS: Final = frozenset({"state/k8s/job-condition", "state/k8s/job-outcome", "state/vertex/error"})
_STATUS: Final = {COMPLETED: "completed", RUNNING: "running"}

_TEXT: Final = {
    COMPLETED: "No failure: the platform reports that the run completed.",
    PREEMPTED: "Not a failure of the run: it was preempted to make room for another one.",
    SUSPENDED: "Not a failure of the run: it is suspended.",
    PENDING: "Not a failure of the run: it waits to be placed.",
    RUNNING: "No failure found; the platform reports the run as running.",
}


def decided(matches: Sequence[Match], facts: Facts) -> Match | None:
    """Return the state that settles the matter whatever a log prints: completed, else preempted, else suspended.

    A job that is complete says nothing where another one of the same documents failed; a run that was preempted once and
    finished later was not ended by it.
    """
    routed = {match.captures["routed"]: match for match in reversed(matches) if match.captures.get("decides") == "yes"}
    failed = any(match.rule in _VERDICTS_OF_JOBS and match.mode and "routed" not in match.captures for match in matches)
    if COMPLETED in routed and not failed:
        return routed[COMPLETED]
    if finished(facts):
        return None
    return routed.get(PREEMPTED) or _preempted(matches, facts) or routed.get(SUSPENDED)


def _preempted(matches: Sequence[Match], facts: Facts) -> Match | None:
    """Return the last word of a scheduler in a log that it preempted the job, where no step came after it."""
    told = [match for match in matches if match.mode == _PREEMPTED and match.tier == "scheduler"]
    last = told[-1] if told else None
    if (
        last is None
        or any(_after(entry, last) for entry in facts.progress)
        or superseded(last, facts.progress)
        or any(_anew(match, last) for match in matches)
    ):
        return None
    return replace(last, captures={**last.captures, "routed": PREEMPTED})


def _anew(match: Match, preempted: Match) -> bool:
    """Tell whether an error stands below a preemption that no end from outside brings about: the program was started again and failed by itself."""
    here, there = match.evidence[0].citation, preempted.evidence[0].citation
    own = match.tier == "exception" and match.role == "cause" and match.mode.startswith(_OWN_FAULTS)
    return own and here.artifact == there.artifact and line_of(here) > line_of(there)


def standing(matches: Sequence[Match], facts: Facts) -> Sequence[Match]:
    """Return the matches without those of a preemption after which the job ran again and failed, as its accounts say."""
    return [match for match in matches if match.mode != _PREEMPTED] if _recorded_failed(facts) else matches


def _recorded_failed(facts: Facts) -> bool:
    """Tell whether the accounts close the job as failed: it was put back into the queue and failed there."""
    jobs = [event for event in facts.events if event.kind == STATE and event.name == "slurm/job"]
    return bool(jobs) and all(event.captures.get("state", "").startswith("FAILED") for event in jobs)


def _after(entry: RankProgress, match: Match) -> bool:
    """Tell whether progress went on behind a match, in its log or in a later attempt."""
    where = match.evidence[0].citation
    if entry.subject.attempt > match.subject.attempt and entry.last_step is not None:
        return True
    ends = entry.last_progress.first_line if entry.last_progress else None
    return entry.artifact == where.artifact and (ends or 0) > line_of(where)


def waiting(
    best: Incident | None, incidents: Sequence[Incident], matches: Sequence[Match], facts: Facts
) -> Match | None:
    """Return the state that holds the run back where that is all there is: nothing failed, nobody waits for it in vain."""
    live = [item for item in incidents if item.outcome not in (RECOVERED, PROGRESSED)]
    if best is not None:
        first = best.matches[0]
        alone = first.captures.get("routed") == PENDING and all(item.mode == _UNPLACED for item in live)
        return _reasoned(first, live) if alone else None
    routed = {match.captures["routed"]: match for match in reversed(matches) if "routed" in match.captures}
    if facts.progress or COMPLETED in routed or RUNNING in routed:
        return None
    return routed.get(PENDING)


def _reasoned(first: Match, live: Sequence[Incident]) -> Match:
    """Return the record that says why a run waits to be placed, where the first one only says that it does."""
    if first.captures.get("message"):
        return first
    told = (match for item in live for match in item.matches)
    return next(
        (match for match in told if match.captures.get("routed") == PENDING and match.captures.get("message")), first
    )


def said(matches: Sequence[Match], facts: Facts) -> frozenset[str]:
    """Return what states say of a run in which nothing failed; pods speak for it only together."""
    found = {match.captures["routed"] for match in matches if "routed" in match.captures}
    phases = {
        event.captures.get("reason", "")
        for event in facts.events
        if event.kind == STATE and event.name == "k8s/pod-phase"
    }
    if phases and phases <= {"Succeeded"}:
        found.add(COMPLETED)
    if "Running" in phases and phases <= {"Running", "Succeeded"}:
        found.add(RUNNING)
    return frozenset(found)


def status(word: str) -> str:
    """Return the run status that goes with a word."""
    return _STATUS.get(word, "unknown")


def text(word: str) -> str:
    """Return the one-sentence answer for a run that is routed out."""
    return _TEXT[word]
