"""What is told of a Run:ai workload: each signal with its source, what is missing, and how often the same failure came."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from runtriage.judge.runai_evidence import evidence, gaps, peak
from runtriage.judge.runai_signals import Signal, current, memory, signals
from runtriage.model.facts import Facts
from runtriage.model.finding import Match
from runtriage.model.runai import METRICS, kind
from runtriage.model.workload import Memory, Workload

if TYPE_CHECKING:
    from runtriage.judge.runai import Course

_ONE: float = 120.0
"""Records of one category within so many seconds tell of one termination."""


def workload(course: Course, matches: Sequence[Match], facts: Facts) -> Workload:
    """Return the workload with its evidence; of an unresolved one only what was asked for is known."""
    first = facts.outcomes[0].request.args
    phase = current(facts, course.workload) if course.workload else None
    told: Mapping[str, str] = phase.captures if phase is not None else {}
    found = [item for item in signals(matches) if item.category == course.category]
    since, until = course.window
    return Workload(
        id=course.workload or told.get("workload", ""),
        name=told.get("called") or first.get("name", ""),
        phase=told.get("state", ""),
        project=told.get("project") or first.get("projectName", ""),
        cluster=first.get("clusterId", ""),
        evidence=tuple(evidence(course, matches, facts)),
        gaps=tuple(gaps(course, phase, facts)),
        occurrences=occurrences(found, course),
        restarts=int(max((match.numbers.get("restarts", 0.0) for match in matches), default=0.0)),
        since=since,
        until=until,
        lookback=float(first.get("lookback", 0.0)),
        signal=_signal(found),
        mode=_mode(found),
        memory=_memory(facts),
        restart_policy=next(_captured(facts, "restart"), ""),
        stopped=course.stop.word if course.stop else "",
        question=course.stop.question if course.stop else "",
    )


def occurrences(found: Sequence[Signal], course: Course) -> int:
    """Return how many distinct failures the look-back holds: what lies within two minutes of the first record is one."""
    begin, end = course.span
    times = sorted(item.seconds for item in found if item.seconds is not None and begin <= item.seconds <= end)
    count, opened = 0, float("-inf")
    for seconds in times:
        if seconds - opened > _ONE:
            count, opened = count + 1, seconds
    return count


def _signal(found: Sequence[Signal]) -> str:
    """Return the message that tells most: one that a cause printed, newest source first."""
    texts = [item.match.captures.get("message", "") for item in found if item.match.role == "cause"]
    texts += [item.match.captures.get("message", "") for item in found]
    return next((text for text in texts if text), "")


def _mode(found: Sequence[Signal]) -> str:
    causes = [item.match.mode for item in found if item.match.role == "cause"] or [item.match.mode for item in found]
    named = [mode for mode in causes if not mode.startswith("orch/image-pull")]
    return (named or causes or [""])[0]


def _memory(facts: Facts) -> Memory:
    measured = any(
        outcome.request.kind == kind(METRICS) and not hasattr(outcome, "reason") and not hasattr(outcome, "error")
        for outcome in facts.outcomes
    )
    top = peak(facts)
    return Memory(
        request=memory(facts, "request"),
        limit=memory(facts, "limit"),
        peak=top.numbers["bytes"] if top is not None else None,
        measured=measured,
    )


def _captured(facts: Facts, name: str) -> Iterator[str]:
    return (event.captures[name] for event in facts.events if event.name == "runai/spec" and event.captures.get(name))
