"""Logs that exist and could not be had: a record that a run failed is weak while what would tell why is out of reach."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from runtriage.model.artifact import Collected, Failed, Outcome, Unavailable
from runtriage.model.facts import Facts
from runtriage.model.records import OUTPUTS
from runtriage.model.verdict import Incident

DOUBTED: Final = 0.5
"""Confidence in a bare end of a process at most, while a log of it could not be had."""
_SPOKEN: Final = frozenset({"exception", "log", "kernel", "recorder", "metric"})
_NAMES: Final = (".log", ".out", ".err")


def unheard(root: Incident, facts: Facts) -> str | None:
    """Return the first log that could not be had where all that is known is that a process ended; None where more is known."""
    if root.role != "symptom" or not root.mode.startswith("crash/"):
        return None
    if any(match.tier in _SPOKEN for match in root.matches):
        return None
    return next(_lost(facts), None)


def _lost(facts: Facts) -> Iterator[str]:
    """Yield names of logs that were asked for in vain; what was left out on purpose is none of them."""
    for outcome in facts.outcomes:
        yield from _refused(outcome)
    for read in facts.reads:
        if read.artifact.kind == "log" and read.cut and not read.bytes_read:
            yield read.artifact.path


def _refused(outcome: Outcome) -> tuple[str, ...]:
    if isinstance(outcome, Collected):
        return outcome.lost
    if not isinstance(outcome, Unavailable | Failed):
        return ()
    request = outcome.request
    path = request.args.get("path", "")
    if request.kind == "file" and path.endswith(_NAMES):
        return (path,)
    return (path or request.reason or request.kind,) if request.kind in OUTPUTS else ()
