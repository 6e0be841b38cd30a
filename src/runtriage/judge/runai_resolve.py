"""From the name of a Run:ai workload to the one submission that is meant."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from runtriage.judge.runai_phase import Stop, confirmed
from runtriage.judge.runai_signals import current
from runtriage.model.artifact import Empty, Request
from runtriage.model.event import Event
from runtriage.model.facts import Facts
from runtriage.model.finding import Match
from runtriage.model.runai import ACTIVE, STATUS, kind

_TERMINAL: Final = frozenset({"failed", "crashed", "stopped", "completed", "succeeded"})
_ACTIVE: Final = frozenset({"running", "pending"})
_QUESTION: Final = "Which workload is meant? Give its --workload-id."


def resolve(first: Request, matches: Sequence[Match], facts: Facts) -> str | Request | Stop:
    """Return the id of the workload, the status to read before that is known, or why no workload can be meant."""
    listed = facts.outcomes[0]
    found = _candidates(first, facts)
    if (
        not found
        and not isinstance(listed, Empty)
        and (reason := getattr(listed, "reason", "") or getattr(listed, "error", ""))
    ):
        return Stop("no-access", f"The workloads of the project could not be listed: {reason}.", "")
    if first.args.get("intent") != ACTIVE:
        ended = [item for item in found if item.captures.get("state", "").lower() in _TERMINAL]
        return ended[0].captures["workload"] if ended else _none(first, found, "in a terminal phase")
    for item in (item for item in found if item.captures.get("state", "").lower() in _ACTIVE):
        workload = item.captures["workload"]
        if not _status_read(workload, facts):
            return Request(
                kind=kind(STATUS), args={"workloadId": workload}, reason="whether this submission shows the symptom"
            )
        phase = current(facts, workload)
        if phase is not None and confirmed(phase, matches, facts):
            return workload
    return _none(first, found, "running or pending with the symptom confirmed")


def _status_read(workload: str, facts: Facts) -> bool:
    return any(
        outcome.request.kind == kind(STATUS) and outcome.request.args.get("workloadId") == workload
        for outcome in facts.outcomes
    )


def _candidates(first: Request, facts: Facts) -> list[Event]:
    """Return the submissions that really bear the name in the project and cluster, newest first."""
    exact = {"called": first.args["name"], "cluster": first.args["clusterId"], "project": first.args["projectName"]}
    found = [
        event
        for event in facts.events
        if event.name == "runai/candidate"
        and event.captures.get("workload")
        and all(event.captures.get(key) == value for key, value in exact.items())
    ]
    return sorted(found, key=lambda event: -(event.when.seconds if event.when else 0.0))


def _none(first: Request, found: Sequence[Event], what: str) -> Stop:
    seen = ", ".join(dict.fromkeys(event.captures.get("state", "?") for event in found))
    others = f"; its submissions are {seen}" if seen else "; no submission has that name there"
    text = f"No diagnosis: no workload {first.args['name']} of project {first.args['projectName']} is {what}{others}."
    return Stop("unresolved", text, _QUESTION, found[0] if found else None)
