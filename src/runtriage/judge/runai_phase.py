"""Whether a Run:ai workload is a failure to diagnose: preemption and the rule for each phase."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from runtriage.judge import routing
from runtriage.judge.runai_signals import Signal, signals
from runtriage.model.event import Event
from runtriage.model.facts import Facts
from runtriage.model.finding import Match
from runtriage.model.pattern import deferred
from runtriage.model.runai import HISTORY

_FAILED: Final = frozenset({"failed", "crashed", "stopped"})
_DONE: Final = frozenset({"completed", "succeeded"})
_IN_SCOPE: Final = frozenset(
    {"IMAGE_PULL_FAILED", "INIT_FAILED", "DATASOURCE_MOUNT_FAILED", "OOM_KILLED", "CRASH_APP_ERROR"}
)
_LOOP: Final = deferred(r"\bCrashLoopBackOff\b|\bback-?off restarting failed container", re.IGNORECASE)


class Stop(Struct, frozen=True):
    """Why there is nothing to diagnose: a word, a sentence, what to ask the user, and the state that says so."""

    word: str
    text: str
    question: str
    state: Event | None = None


def preempted(matches: Sequence[Match]) -> Stop | None:
    """Return the stop for a workload that made room for another one."""
    for match in matches:
        if match.captures.get("routed") == routing.PREEMPTED and match.rule.startswith("state/runai/"):
            text = routing.text(routing.PREEMPTED)
            return Stop(
                routing.PREEMPTED, text, "Which workload took its place, and may it be resumed?", match.events[0]
            )
    return None


def phase_rule(phase: Event, matches: Sequence[Match], facts: Facts) -> Stop | None:
    """Return None where a failure is confirmed and the diagnosis goes on, else where it stops."""
    name = phase.captures.get("state", "")
    word = name.lower()
    if word in _FAILED:
        return None
    if word in _DONE:
        return Stop(
            routing.COMPLETED, routing.text(routing.COMPLETED), "Was another submission of this workload meant?", phase
        )
    if word == "suspended":
        return Stop(
            routing.SUSPENDED, routing.text(routing.SUSPENDED), "Should it be resumed, and who paused it?", phase
        )
    if word == "pending":
        if confirmed(phase, matches, facts):
            return None
        question = "What does the scheduler wait for: a quota, a free GPU, or a node that fits?"
        return Stop(routing.PENDING, routing.text(routing.PENDING), question, phase)
    if word == "running":
        if confirmed(phase, matches, facts):
            return None
        return Stop(routing.RUNNING, routing.text(routing.RUNNING), "Was a past run of this workload meant?", phase)
    text = f"Not a terminal phase: Run:ai reports the workload as {name}."
    return Stop("other", text, f"Should the diagnosis wait until it leaves {name}?", phase)


def events_missing(phase: Event, facts: Facts) -> bool:
    """Tell whether the events of a status could not be fetched, so that history has to speak for them."""
    return any(
        event.name == "runai/events-missing" and event.citation.artifact == phase.citation.artifact
        for event in facts.events
    )


def confirmed(phase: Event, matches: Sequence[Match], facts: Facts) -> bool:
    """Tell whether what is known of an active workload confirms a failure: of a waiting one to start, of a running one again and again."""
    spoken = {phase.citation.artifact}
    if events_missing(phase, facts):
        spoken |= {event.citation.artifact for event in facts.events if event.citation.artifact.startswith(HISTORY)}
    told = [event for event in facts.events if event.citation.artifact in spoken]
    if any(_LOOP.search(f"{event.captures.get('reason', '')} {event.captures.get('message', '')}") for event in told):
        return True
    direct = [
        item
        for item in signals(matches)
        if item.category in _IN_SCOPE and item.match.evidence[0].citation.artifact in spoken
    ]
    if phase.captures.get("state", "").lower() == "running":
        return any(event.numbers.get("restarts", 0) > 1 for event in told) or _again(direct)
    return bool(direct)


def _again(direct: Sequence[Signal]) -> bool:
    """Tell whether a container of a running workload crashed more than once."""
    crashes = [item for item in direct if item.category in ("CRASH_APP_ERROR", "OOM_KILLED")]
    return len({item.seconds for item in crashes}) > 1
