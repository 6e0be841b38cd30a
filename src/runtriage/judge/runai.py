"""The course of a Run:ai diagnosis: what to ask next, when to stop, and the category once nothing more can be asked."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from runtriage.judge import routing
from runtriage.judge.runai_phase import Stop, events_missing, phase_rule, preempted
from runtriage.judge.runai_resolve import resolve
from runtriage.judge.runai_signals import category, current, killed, signals
from runtriage.judge.runai_tier2 import container_requests
from runtriage.model.artifact import Outcome, Request, Unavailable
from runtriage.model.event import Event
from runtriage.model.facts import Facts
from runtriage.model.finding import Match
from runtriage.model.runai import HISTORY, METRICS, NOT_FOUND, PODS, SPEC, STATUS, kind

UNKNOWN: Final = "UNKNOWN"
_PAGE: Final = "50"
_SAMPLES: Final = "1000"
_UNCONFIRMED: Final = (routing.PENDING, routing.RUNNING)


class Course(Struct, frozen=True, kw_only=True):
    """Where a diagnosis stands: `requests` come next; without any it ends with `stop` or with `category`."""

    requests: tuple[Request, ...] = ()
    stop: Stop | None = None
    category: str | None = None
    workload: str = ""
    span: tuple[float, float] = (0.0, 0.0)

    @property
    def window(self) -> tuple[str, str]:
        """Begin and end of the look-back, as RFC 3339."""
        return rfc3339(self.span[0]), rfc3339(self.span[1])


def course(matches: Sequence[Match], facts: Facts) -> Course:
    """Return where the diagnosis of a live Run:ai workload stands; its first request says cluster, intent and look-back."""
    first = facts.outcomes[0].request
    end = float(first.args["asOf"])
    start = Course(span=(end - float(first.args["lookback"]), end))
    workload = first.args.get("workloadId", "")
    if not workload:
        chosen = resolve(first, matches, facts)
        if isinstance(chosen, Stop):
            return replace(start, stop=chosen)
        if isinstance(chosen, Request):
            return replace(start, requests=(chosen,))
        workload = chosen
    return _judge(replace(start, workload=workload), first, matches, facts)


def _judge(at: Course, first: Request, matches: Sequence[Match], facts: Facts) -> Course:
    status = answered(facts, STATUS, at.workload)
    if status is None:
        what = Request(kind=kind(STATUS), args={"workloadId": at.workload}, reason="phase, conditions and events")
        return replace(at, requests=(what,))
    if (phase := current(facts, at.workload)) is None:
        return replace(at, stop=_unread(status))
    mine = own(matches, at.workload)
    if (stop := _elsewhere(phase, first) or preempted(mine)) is not None:
        return replace(at, stop=stop)
    if (stop := phase_rule(phase, mine, facts)) is not None:
        due = _open(_history(at), facts) if stop.word in _UNCONFIRMED and events_missing(phase, facts) else ()
        return replace(at, requests=due) if due else replace(at, stop=stop)
    return _inspect(at, first, phase, mine, facts)


def _inspect(at: Course, first: Request, phase: Event, matches: Sequence[Match], facts: Facts) -> Course:
    """Go through spec and pods, history, metrics and containers, each only when it is due."""
    for step in (_spec_and_pods, _history):
        if due := _open(step(at), facts):
            return replace(at, requests=due)
    if (stop := preempted(matches)) is not None:
        return replace(at, stop=stop)
    settled = category(signals(matches), facts)
    due = _open(_metrics(at), facts) if settled == "OOM_KILLED" or (settled is None and killed(facts)) else ()
    if not due and first.args.get("context"):
        due = _open(container_requests(settled, phase, matches, facts), facts)
    return replace(at, requests=due) if due else replace(at, category=settled or UNKNOWN)


def own(matches: Sequence[Match], workload: str) -> list[Match]:
    """Return the matches without what was read of submissions that turned out not to be meant."""
    return [match for match in matches if not _foreign(match.evidence[0].citation.artifact, workload)]


def _foreign(artifact: str, workload: str) -> bool:
    return bool(workload) and artifact.startswith(f"{STATUS}/") and not artifact.endswith(f"/{workload}")


def _spec_and_pods(at: Course) -> list[Request]:
    what = {"workloadId": at.workload}
    return [
        Request(kind=kind(SPEC), args=what, reason="what was submitted"),
        Request(kind=kind(PODS), args=what, reason="the state and place of each pod"),
    ]


def _history(at: Course) -> list[Request]:
    arguments = {"workloadId": at.workload, "limit": _PAGE, "cutoff": at.window[0]}
    return [Request(kind=kind(HISTORY), args=arguments, reason="what happened to the workload, back to the cutoff")]


def _metrics(at: Course) -> list[Request]:
    start, end = at.window
    arguments = {"workloadId": at.workload, "start": start, "end": end, "numberOfSamples": _SAMPLES}
    return [Request(kind=kind(METRICS), args=arguments, reason="the highest memory use that was measured")]


def rfc3339(seconds: float) -> str:
    """Return a time in UTC as RFC 3339 writes it."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def answered(facts: Facts, tool: str, workload: str) -> Outcome | None:
    """Return how a request for a tool about one workload ended, or None when it was not made."""
    for outcome in facts.outcomes:
        if outcome.request.kind == kind(tool) and outcome.request.args.get("workloadId") == workload:
            return outcome
    return None


def _open(requests: Sequence[Request], facts: Facts) -> tuple[Request, ...]:
    """Return the requests that were not made yet."""
    made = [(outcome.request.kind, dict(outcome.request.args)) for outcome in facts.outcomes]
    return tuple(request for request in requests if (request.kind, dict(request.args)) not in made)


def _unread(outcome: Outcome) -> Stop:
    reason = outcome.reason if isinstance(outcome, Unavailable) else ""
    if reason.startswith(NOT_FOUND):
        return Stop("unresolved", f"No diagnosis: {reason}.", "Which workload is meant? Give its --workload-id.")
    said = reason or getattr(outcome, "error", "") or "the answer holds no phase"
    return Stop("no-access", f"The status of the workload could not be read: {said}.", "")


def _elsewhere(phase: Event, first: Request) -> Stop | None:
    got, wanted = phase.captures.get("cluster", ""), first.args["clusterId"]
    if got == wanted:
        return None
    where = f"belongs to cluster {got}" if got else "comes without the id of its cluster"
    text = f"No diagnosis: the workload {where}, and cluster {wanted} was asked for."
    return Stop("unresolved", text, "Is the cluster id right, or is another workload meant?", phase)
