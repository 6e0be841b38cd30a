"""What the run was doing when it failed, where that changes what to do about it."""

from __future__ import annotations

import re

from runtriage.model.event import PHASE
from runtriage.model.facts import Facts
from runtriage.model.pattern import deferred
from runtriage.model.place import byte_of
from runtriage.model.verdict import Incident

_EVALUATES = deferred(r"(?<![a-z])(?:eval|evaluate|evaluation|validate|validation|val)(?![a-z])", re.IGNORECASE)


def evaluating(root: Incident, facts: Facts) -> bool:
    """Tell whether an evaluation had begun and no training step came between it and the root, or the root was raised in one."""
    first = root.matches[0]
    if _EVALUATES.search(first.captures.get("user_function", "")):
        return True
    where = first.evidence[0].citation
    here = byte_of(where)
    begun = [
        byte_of(event.citation)
        for event in facts.events
        if event.kind == PHASE and event.name == "eval" and event.citation.artifact == where.artifact
    ]
    begun = [start for start in begun if start < here]
    steps = [
        byte_of(entry.last_progress)
        for entry in facts.progress
        if entry.artifact == where.artifact and entry.last_progress is not None
    ]
    return bool(begun) and not any(max(begun) < step < here for step in steps)


def factors(root: Incident, facts: Facts) -> tuple[str, ...]:
    """Return what the phase adds to the reasons of a failure: memory that ran out as evaluation began."""
    return ("evaluation had just begun",) if root.primary_class == "oom" and evaluating(root, facts) else ()


def fixes(root: Incident, facts: Facts) -> tuple[str, ...]:
    """Return the remedies that go first because of the phase."""
    return ("shrink-eval",) if factors(root, facts) else ()
