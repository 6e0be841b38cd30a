"""Verdicts on Run:ai workloads: one that asks on, one that stops, and the ordinary one held to the category that was proved."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from runtriage.judge import routing
from runtriage.judge.category import PRIMARY_CLASS
from runtriage.judge.category import category as category_of
from runtriage.judge.confidence import floor
from runtriage.judge.runai import UNKNOWN, Course
from runtriage.judge.runai_phase import Stop
from runtriage.judge.runai_workload import workload
from runtriage.model.artifact import Request
from runtriage.model.facts import Facts
from runtriage.model.finding import Evidence, Match
from runtriage.model.verdict import Hypothesis, Verdict

_PROVED: Final = 0.75
"""Least confidence where the platform itself states the category."""


def unfinished(course: Course) -> Verdict:
    """Return the verdict of a diagnosis that still asks."""
    return replace(_empty("The diagnosis is not complete."), missing=course.requests)


def stopped(course: Course, stop: Stop, matches: Sequence[Match], facts: Facts) -> Verdict:
    """Return the verdict on a workload that is not to be diagnosed."""
    state = stop.state
    evidence = (Evidence(claim=stop.text, citation=state.citation, excerpt=state.excerpt),) if state else ()
    return replace(
        _empty(stop.text),
        run_status=routing.status(stop.word),
        confidence=0.9,
        evidence=evidence,
        root=state.citation if state is not None and stop.word != routing.COMPLETED else None,
        routed=stop.word,
        workload=workload(course, matches, facts),
    )


def accepted(best: Hypothesis, course: Course, facts: Facts) -> bool:
    """Tell whether a hypothesis agrees with the category that was proved; what a log prints of a failing GPU explains an exit code."""
    if best.incident is None or course.category in (None, UNKNOWN):
        return False
    found = category_of(best.incident, (best.incident,), facts)
    printed = best.incident.matches[0].tier in ("exception", "log", "kernel") and not best.incident.matches[
        0
    ].rule.startswith("state/")
    return found == course.category or (course.category == "CRASH_APP_ERROR" and found == "NODE_FAILURE" and printed)


def settled(verdict: Verdict | None, course: Course, matches: Sequence[Match], facts: Facts) -> Verdict:
    """Return the final verdict: the ordinary one with its category, or an abstention that says what is missing."""
    told = workload(course, matches, facts)
    if course.category in (None, UNKNOWN):
        return _unknown(course, matches, facts)
    if verdict is None:
        text = "The platform's own records name the category; nothing that was read says more."
        bare = _empty(text)
        return replace(
            bare,
            run_status="crashed",
            primary_class=PRIMARY_CLASS[course.category],
            confidence=_PROVED,
            workload_category=course.category,
            workload=told,
        )
    return replace(
        verdict,
        abstained=None,
        confidence=max(verdict.confidence, _PROVED, floor()),
        workload_category=verdict.workload_category if verdict.workload_category == "NODE_FAILURE" else course.category,
        primary_class=verdict.primary_class or PRIMARY_CLASS[course.category],
        workload=told,
    )


def _unknown(course: Course, matches: Sequence[Match], facts: Facts) -> Verdict:
    told = workload(course, matches, facts)
    text = "The workload failed, and nothing that could be read says why."
    cited = [item for item in told.evidence if item.citation is not None]
    return replace(
        _empty(text),
        run_status="crashed",
        confidence=0.3,
        evidence=tuple(Evidence(claim=item.text, citation=item.citation) for item in cited if item.citation)[:6],
        missing=_missing(facts),
        abstained="no signal that was read identifies the cause",
        workload_category=UNKNOWN,
        workload=told,
    )


def _missing(facts: Facts) -> tuple[Request, ...]:
    if any(read.artifact.source.startswith("k8s/") for read in facts.reads):
        return (Request(kind="scheduler", reason="the node's own log around the end shows who ended the container"),)
    return (
        Request(
            kind="k8s",
            reason="previous logs, container states and events of the pods; name a kubectl context with --context",
        ),
    )


def _empty(text: str) -> Verdict:
    return Verdict(
        run_status="unknown",
        primary_class=None,
        mode=None,
        confidence=0.5,
        summary=text,
        proximate="",
        root_cause=text,
    )
