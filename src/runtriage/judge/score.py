"""How well an incident stands as the root: facts for and against it, each with its weight."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from runtriage.judge.disagreement import against
from runtriage.judge.explains import explains
from runtriage.judge.incidents import generic
from runtriage.judge.order import Clocks
from runtriage.judge.outcome import PROGRESSED, RECOVERED, TERMINAL
from runtriage.model.finding import Match
from runtriage.model.verdict import Fact, Hypothesis, Incident

TIER: Final[Mapping[str, float]] = {
    "kernel": 3.0,
    "scheduler": 2.2,
    "exception": 2.4,
    "recorder": 2.0,
    "log": 1.6,
    "metric": 1.4,
    "exit": 1.0,
    "launcher": 0.4,
    "config": 0.2,
}
"""Trust in who reports: who stands outside of the run and what was raised first weigh most, what only repeats others least."""

ROLE: Final[Mapping[str, float]] = {"cause": 2.0, "confirmation": 0.8, "symptom": -0.6}
COVERAGE: Final = 2.0
FIRST: Final = 1.0
EXPLAINED: Final = -2.5
WENT_ON: Final = -5.0
ENDED: Final = 0.8
GENERIC: Final = -0.5
SANDBOX: Final = -3.0
DEATHS: Final = frozenset({"crash/sigkill-unknown", "data/worker-killed"})
"""Ends nobody explains that still explain what peers report."""
RETURNED: Final = frozenset({"cuda/cudnn-failed", "cuda/cublas-exec-failed"})
"""Statuses of a library that a check in native code then ends the process for: the check knows no more than they do."""
INNER: Final = 0.6
REPEATS: Final = 0.8
LOGGED: Final = -0.8
TOLD: Final = -2.5
WAITS: Final = frozenset(
    {
        "nccl/watchdog-timeout",
        "nccl/heartbeat-stuck",
        "nccl/desync-report",
        "nccl/rank-divergent-control-flow",
        "nccl/collective-mismatch",
        "nccl/uneven-batches",
        "gloo/collective-timeout",
        "gloo/monitored-barrier",
    }
)
"""Reports of ranks that waited in vain: that no step was made meanwhile is the same thing seen from outside."""
EARLIER: Final = -3.0
"""An end of an attempt that was not the last, where the last one came to another end of its own."""
_SPOKEN: Final = frozenset({"exception", "exit", "log"})
"""Reports that stand in the output of the attempt they are about; a kernel's or scheduler's may be of any."""
_LEFT_BEHIND: Final = frozenset({"nccl", "gloo", "rdzv", "elastic", "ckpt", "orch", "cuda", "net"})
"""Families of what an attempt meets before its first step because of how the one before ended: peers, ports, devices, files."""
OVERTAKEN: Final = -1.2
"""A metric that drifts while the program then dies of something hard on its own: the curve is no reason for that."""


def hypotheses(incidents: Sequence[Incident], ticks: Clocks, good: Sequence[Match] = ()) -> tuple[Hypothesis, ...]:
    """Return one hypothesis for each incident, best first; equal scores keep the order of appearance.

    `good` holds the records that say that the run ended well: they speak against each of them.
    """
    live = [incident for incident in incidents if incident.outcome not in (RECOVERED, PROGRESSED)]
    found = [_hypothesis(incident, incidents, live, ticks, against(incident, good)) for incident in incidents]
    return tuple(sorted(found, key=lambda item: -item.score))


def _hypothesis(
    incident: Incident, incidents: Sequence[Incident], live: Sequence[Incident], ticks: Clocks, denied: Fact | None
) -> Hypothesis:
    reach = _reach(incident, live, ticks)
    reasons = (*_facts(incident, incidents, live, reach, ticks), *((denied,) if denied else ()))
    return Hypothesis(
        incident=incident,
        explains=tuple(item.id for item in reach),
        facts=reasons,
        score=round(sum(fact.weight for fact in reasons), 4),
    )


def _reach(incident: Incident, live: Sequence[Incident], ticks: Clocks) -> list[Incident]:
    """Return what the incident explains, directly or through others."""
    reached: dict[str, Incident] = {}
    frontier = [incident]
    while frontier:
        source = frontier.pop()
        for other in live:
            if other.id not in reached and other is not incident and explains(source, other, ticks):
                reached[other.id] = other
                if other.role != "cause":
                    frontier.append(other)
    return list(reached.values())


def _facts(
    incident: Incident,
    incidents: Sequence[Incident],
    live: Sequence[Incident],
    reach: Sequence[Incident],
    ticks: Clocks,
) -> Iterator[Fact]:
    first = incident.matches[0]
    where = first.evidence[0].citation
    yield Fact(name="tier", text=f"reported by the {first.tier}", weight=TIER.get(first.tier, 1.0), citation=where)
    yield Fact(name="role", text=f"acts as {incident.role}", weight=ROLE.get(incident.role, 0.0))
    others = [item for item in live if item is not incident]
    if others:
        share = 0.0 if _told(incident, incidents) else len(reach) / len(others)
        yield Fact(
            name="coverage", text=f"explains {len(reach)} of {len(others)} other incidents", weight=COVERAGE * share
        )
    yield from _standing(incident, live, ticks)
    later = superseded(incident, live, ticks)
    if later is not None:
        yield Fact(
            name="earlier",
            text=f"it ended attempt {incident.attempt + 1}; attempt {later.attempt + 1} ended by {later.mode}",
            weight=EARLIER,
            citation=later.matches[0].evidence[0].citation,
        )
    yield from _nature(incident, incidents)


def _standing(incident: Incident, live: Sequence[Incident], ticks: Clocks) -> Iterator[Fact]:
    if incident.outcome in (RECOVERED, PROGRESSED):
        yield Fact(name="went-on", text="the run went on after it", weight=WENT_ON)
        return
    rivals = [item for item in live if item is not incident and _stands(item) and not _told(item, live)]
    for rival in rivals:
        reason = explains(rival, incident, ticks)
        if reason and not explains(incident, rival, ticks):
            yield Fact(
                name="explained",
                text=f"explained by {rival.mode}: {reason}",
                weight=EXPLAINED,
                citation=rival.matches[0].evidence[0].citation,
            )
            return
    yield Fact(name="first", text="nothing recorded explains it", weight=FIRST)
    if incident.outcome == TERMINAL:
        yield Fact(name="ended", text="its process made no progress afterwards", weight=ENDED)


def superseded(incident: Incident, live: Sequence[Incident], ticks: Clocks) -> Incident | None:
    """Return what the last attempt ended by where that is something else than what ended the incident's own; None where it came back."""
    last = max((item.attempt for item in live), default=0)
    if incident.attempt >= last or incident.matches[0].tier not in _SPOKEN:
        return None
    there = [item for item in live if item.attempt == last]
    if any(item.primary_class == incident.primary_class or explains(incident, item, ticks) for item in there):
        return None
    return next((item for item in there if _ends_alone(item)), None)


def _ends_alone(incident: Incident) -> bool:
    """Tell whether an incident ends an attempt by a cause of its own, which nothing left over from an earlier one explains."""
    if not _stands(incident) or incident.outcome != TERMINAL or generic(incident.mode):
        return False
    return incident.step is not None or incident.mode.partition("/")[0] not in _LEFT_BEHIND


def _told(incident: Incident, incidents: Sequence[Incident]) -> bool:
    """Tell whether an incident only says that no step was made while ranks report what they waited for."""
    if incident.mode != "stall/no-progress" or incident.matches[0].tier != "metric":
        return False
    gone = (RECOVERED, PROGRESSED)
    return any(o.mode in WAITS and o.attempt == incident.attempt and o.outcome not in gone for o in incidents)


def _hard(incident: Incident) -> bool:
    return (
        incident.role == "cause"
        and incident.outcome == TERMINAL
        and incident.primary_class in ("process-crash", "cuda-runtime", "oom")
        and not generic(incident.mode)
        and incident.matches[0].tier in ("exception", "exit", "kernel")
    )


def _stands(incident: Incident) -> bool:
    return (incident.role == "cause" or incident.mode in DEATHS | RETURNED) and incident.matches[
        0
    ].maturity != "sandbox"


def _nature(incident: Incident, incidents: Sequence[Incident]) -> Iterator[Fact]:
    first = incident.matches[0]
    if generic(incident.mode):
        yield Fact(name="generic", text="no signature knows this exception", weight=GENERIC)
    if first.maturity == "sandbox":
        yield Fact(name="sandbox", text="its rule is not proven yet", weight=SANDBOX)
    if first.captures.get("chain") == "inner":
        yield Fact(name="inner", text="it is the innermost cause of a chain", weight=INNER)
    if first.captures.get("logged") == "yes":
        yield Fact(name="logged", text="a logger printed it and the program went on", weight=LOGGED)
    if _told(incident, incidents):
        yield Fact(name="told", text="ranks report themselves what they waited for", weight=TOLD)
    if first.tier == "metric" and incident.mode.startswith("div/") and any(_hard(other) for other in incidents):
        yield Fact(name="overtaken", text="the program died of something a curve does not cause", weight=OVERTAKEN)
    if any(
        other is not incident and other.mode == incident.mode and other.attempt != incident.attempt
        for other in incidents
    ):
        yield Fact(name="repeats", text="it came back in another attempt", weight=REPEATS)
