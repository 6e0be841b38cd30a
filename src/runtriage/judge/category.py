"""The workload category of a verdict, as platforms name it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from runtriage.model.event import STATE
from runtriage.model.facts import Facts
from runtriage.model.taxonomy import modes
from runtriage.model.verdict import Incident

_NEVER_STARTED: Final = frozenset({"orch/k8s-failed-scheduling", "orch/preempted", "orch/gang-incomplete"})
_WORDLESS: Final = frozenset({"orch/k8s-backoff-limit"})
"""Modes that say that something failed too often, not what."""
_EXITED: Final = "crash/exit-no-error"
"""An exit code that is known says more than a table that only calls the pod failed."""
_OPEN: Final = frozenset({"CRASH_APP_ERROR", "UNKNOWN"})
"""Categories that give way to what the containers' states show."""

PRIMARY_CLASS: Final[Mapping[str, str | None]] = {
    "CRASH_APP_ERROR": "process-crash",
    "OOM_KILLED": "oom",
    "IMAGE_PULL_FAILED": "pipeline-orchestration",
    "INIT_FAILED": "pipeline-orchestration",
    "DATASOURCE_MOUNT_FAILED": "pipeline-orchestration",
    "NODE_FAILURE": "pipeline-orchestration",
    "SCHEDULING_POLICY_TERMINATED": "pipeline-orchestration",
    "UNKNOWN": None,
}
"""The primary class of a category where nothing tells more than the category itself."""


def category(root: Incident, incidents: Sequence[Incident], facts: Facts) -> str | None:
    """Return the category of a root: the platform's own word first, then what its containers show, then the mode's.

    Runs that never got what they asked for have none.
    """
    exited = root.mode == _EXITED and any(match.numbers.get("code") for match in root.matches)
    for match in root.matches:
        said = match.captures.get("category")
        if said and not (exited and said == "UNKNOWN"):
            return said
    named = "UNKNOWN" if root.mode in _WORDLESS and root.role == "symptom" else modes()[root.mode].category
    if root.mode in _NEVER_STARTED or (root.mode.startswith("quota/") and named == "UNKNOWN"):
        return None
    if named in _OPEN and _init_failed(facts):
        return "INIT_FAILED"
    if named in _OPEN and root.primary_class == "stalled" and any(item.mode == "orch/time-limit" for item in incidents):
        return "SCHEDULING_POLICY_TERMINATED"
    return named


def _init_failed(facts: Facts) -> bool:
    """Tell whether an init container failed and no other container of its pod ever ended."""
    ended = [event for event in facts.events if event.kind == STATE and event.name == "k8s/container-ended"]
    failed = {event.subject.pod for event in ended if event.captures.get("init") == "yes" and event.numbers.get("code")}
    began = {event.subject.pod for event in ended if event.captures.get("init") != "yes"}
    return bool(failed) and not began
