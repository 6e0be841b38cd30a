"""What the answers about a Run:ai workload prove, and which of several signals stands for the end of the run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from runtriage.model.event import Event
from runtriage.model.facts import Facts
from runtriage.model.finding import Match
from runtriage.model.taxonomy import modes

STRENGTH: Final = (
    "OOM_KILLED",
    "IMAGE_PULL_FAILED",
    "INIT_FAILED",
    "DATASOURCE_MOUNT_FAILED",
    "SCHEDULING_POLICY_TERMINATED",
    "NODE_FAILURE",
    "CRASH_APP_ERROR",
)
"""Categories by how direct their signals are; an exit code speaks only where no system signal does."""
_WORDLESS: Final = frozenset({"orch/crash-loop", "orch/k8s-backoff-limit", "orch/k8s-failed-scheduling"})
"""Modes that say that something fails again and again, not what."""
_STARTS: Final = frozenset({"Running", "Initializing", "Creating", "Resuming", "Pending"})
_NEAR: Final = 3600.0
"""Seconds before the end within which a record is about that end."""
_TEARDOWN: Final = 600.0
"""Seconds a controller may take to kill what is left after a failure."""
_KILLED: Final = 137.0


class Signal(Struct, frozen=True):
    """One direct sign of a category, from the tool (or `k8s`) that gave it."""

    category: str
    match: Match
    source: str

    @property
    def seconds(self) -> float | None:
        """When it happened, where its record says so."""
        return self.match.start.seconds if self.match.start else None


def tool(match: Match) -> str:
    """Return the tool whose answer a match cites."""
    return match.evidence[0].citation.artifact.partition("/")[0]


def signals(matches: Sequence[Match]) -> list[Signal]:
    """Return the direct signals among the states, in reading order."""
    found: list[Signal] = []
    for match in matches:
        if not match.rule.startswith(("state/runai/", "state/k8s/")) or not match.mode:
            continue
        category = match.captures.get("category") or modes()[match.mode].category
        if category not in STRENGTH or match.mode in _WORDLESS:
            continue
        if match.mode == "crash/exit-no-error" and not match.numbers.get("code"):
            continue
        found.append(Signal(category, match, tool(match)))
    return found


def category(found: Sequence[Signal], facts: Facts) -> str | None:
    """Return the category of the end of the run: the strongest signal about it, else the newest since the last start.

    An exit code of long before a kill says nothing about who killed.
    """
    end, kill = _end(facts), _kill(facts)
    open_ = [item for item in found if item.category != "CRASH_APP_ERROR" or not _before(item, kill - _TEARDOWN)]
    near = [item for item in open_ if end is None or not _before(item, end - _NEAR)]
    if near:
        return min(near, key=lambda item: STRENGTH.index(item.category)).category
    start = _start(facts, end)
    later = [item for item in open_ if not _before(item, start)]
    return max(later, key=lambda item: item.seconds or 0.0).category if later else None


def _before(item: Signal, seconds: float) -> bool:
    return item.seconds is not None and item.seconds < seconds


def _kill(facts: Facts) -> float:
    """Return when a container was killed last, in seconds, or minus infinity."""
    times = [event.when.seconds for event in facts.events if event.when is not None and _unsettled(event)]
    return max(times, default=float("-inf"))


def killed(facts: Facts) -> bool:
    """Tell whether a container was killed by SIGKILL, whatever the reason."""
    return any(_unsettled(event) for event in facts.events)


def _unsettled(event: Event) -> bool:
    return event.numbers.get("code") == _KILLED and event.name.startswith(("runai/", "k8s/container"))


def _end(facts: Facts) -> float | None:
    phase = current(facts)
    return phase.when.seconds if phase is not None and phase.when else None


def _start(facts: Facts, end: float | None) -> float:
    starts = [
        event.when.seconds
        for event in facts.events
        if event.name == "runai/phase-update" and event.captures.get("state") in _STARTS and event.when
    ]
    return max((seconds for seconds in starts if end is None or seconds < end), default=float("-inf"))


def current(facts: Facts, workload: str | None = None) -> Event | None:
    """Return the state that tells the phase of the workload that is diagnosed: the last one whose status was read."""
    phases = [
        event
        for event in facts.events
        if event.name == "runai/phase" and workload in (None, event.captures.get("workload"))
    ]
    return phases[-1] if phases else None


def memory(facts: Facts, field: str) -> str:
    """Return the submitted memory `request` or `limit`, or what a pod asks for, or an empty string."""
    for name in ("runai/spec", "runai/pod"):
        for event in facts.events:
            if event.name == name and event.captures.get(field):
                return event.captures[field]
    return ""
