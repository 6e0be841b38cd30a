"""What speaks against a failure: another system's record that the run ended well."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from runtriage.judge.outcome import RECOVERED
from runtriage.model.finding import Evidence, Finding, Match
from runtriage.model.records import SYSTEMS
from runtriage.model.verdict import Fact, Incident

FIRM: Final = -0.4
"""Weight of the record of a system against what the run itself printed: trackers take a caught exception for a good end."""
WEAK: Final = -1.2
"""The same against another record, which says no more than that the run failed."""
DOUBTED: Final = 0.6
"""Confidence in a good end that another record denies."""
_RULES: Final = frozenset(f"state/{name}" for name in SYSTEMS)
_OWN: Final = frozenset({"exception", "kernel", "log", "metric", "recorder"})


def good_ends(matches: Sequence[Match]) -> list[Match]:
    """Return the records of systems that say that the run ended well, without settling the matter."""
    return [match for match in matches if match.rule in _RULES and match.captures.get("routed") == "completed"]


def against(incident: Incident, good: Sequence[Match]) -> Fact | None:
    """Return what the first of them weighs against a failure."""
    if not good:
        return None
    said = good[0].evidence[0]
    weight = FIRM if incident.matches[0].tier in _OWN else WEAK
    return Fact(name="contradicted", text=f"contradicted: {said.claim}", weight=weight, citation=said.citation)


def spoken(findings: Sequence[Finding]) -> list[Evidence]:
    """Return the record that speaks against a failure, as evidence; none where no system does."""
    return [match.evidence[0] for match in good_ends([item for item in findings if isinstance(item, Match)])[:1]]


def denials(incidents: Sequence[Incident]) -> list[Evidence]:
    """Return the records of systems that call a run failed which is taken for one that ended well."""
    return [
        incident.matches[0].evidence[0]
        for incident in incidents
        if incident.outcome == RECOVERED and incident.matches[0].rule in _RULES
    ]
