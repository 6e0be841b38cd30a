"""Each thing that was said about a Run:ai workload, in one line with the tool it came from, and what could not be read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from runtriage.judge.runai_signals import memory, signals
from runtriage.model import amount
from runtriage.model.artifact import Failed, Skipped, Unavailable
from runtriage.model.event import Event
from runtriage.model.facts import Facts
from runtriage.model.finding import Match
from runtriage.model.runai import HISTORY, KIND, METRICS, PODS, SPEC, STATUS, kind
from runtriage.model.workload import Sourced

if TYPE_CHECKING:
    from runtriage.judge.runai import Course

_TEXT: Final = 240
_PODS: Final = 4
_RECORDS: Final = 3
_LOGS: Final = 3


def evidence(course: Course, matches: Sequence[Match], facts: Facts) -> Iterator[Sourced]:
    """Yield what each source said, in the order in which the sources were asked."""
    if course.stop is not None:
        if course.stop.state is not None:
            yield _told(course.stop.state, tool_of(course.stop.state.citation.artifact))
        return
    yield from _status(course, facts)
    yield from _spec(facts)
    yield from _pods(facts)
    yield from _history(course, matches)
    yield from _metrics(facts)
    yield from _containers(matches)


def tool_of(artifact: str) -> str:
    """Return the source of a document: a tool, or the call that reads the same from Kubernetes."""
    head, _, rest = artifact.partition("/")
    if head.startswith(("get_workload", "list_workload")):
        return head
    what, _, name = rest.partition("/")
    if what == "logs":
        return f"kubectl logs {name.partition('.')[0]}{' --previous' if '.previous.' in name else ''}, namespace {head}"
    if what == "pods":
        return f"kubectl get pod {name.removesuffix('.json')}, namespace {head}"
    if what == "events":
        return f"kubectl get events, namespace {head}"
    return f"kubectl get node {rest.removesuffix('.json')}" if head == "nodes" else f"kubectl, {artifact}"


def clipped(text: str) -> str:
    """Return text on one line, at most 240 characters."""
    line = " ".join(text.split())
    return line if len(line) <= _TEXT else f"{line[: _TEXT - 1]}…"


def peak(facts: Facts) -> Event | None:
    """Return the highest sample of host memory."""
    peaks = [event for event in facts.events if event.name == "runai/memory-peak"]
    asked = f"{METRICS}/"
    return max(
        peaks, key=lambda event: (event.numbers["bytes"], event.citation.artifact.startswith(asked)), default=None
    )


def _told(event: Event, source: str) -> Sourced:
    reason, message = event.captures.get("reason", ""), event.captures.get("message", "")
    label = {"runai/event": "Event reason", "k8s/event": "Event reason", "runai/condition": "Reported reason"}
    if event.name in label and reason:
        said = f"{label[event.name]}: {reason}{f'; message: {chr(34)}{clipped(message)}{chr(34)}' if message else ''}"
    else:
        state = event.captures.get("state", "")
        said = f"Phase: {state}{f'; message: {chr(34)}{clipped(message)}{chr(34)}' if message else ''}"
    return Sourced(said, source, event.citation)


def _status(course: Course, facts: Facts) -> Iterator[Sourced]:
    seen: set[str] = set()
    told = [event for event in facts.events if event.citation.artifact == f"{STATUS}/{course.workload}"]
    for event in sorted(told, key=lambda event: event.name != "runai/event"):
        said = f"{event.captures.get('reason', '')}|{event.captures.get('message', '')}"
        if (
            event.name in ("runai/event", "runai/condition", "runai/phase")
            and event.captures.get("message")
            and said not in seen
        ):
            if event.name != "runai/phase" or not any(event.captures["message"] in other for other in seen):
                yield _told(event, STATUS)
            seen.add(said)


def _spec(facts: Facts) -> Iterator[Sourced]:
    for event in facts.events:
        if event.name == "runai/spec":
            request, limit = event.captures.get("request"), event.captures.get("limit")
            if request or limit:
                amounts = f"{amount.memory(request or 'not set')} / {amount.memory(limit or 'not set')}"
                yield Sourced(f"Submitted memory request/limit: {amounts}", SPEC, event.citation)
            if event.captures.get("image"):
                yield Sourced(f"Submitted image: {clipped(event.captures['image'])}", SPEC, event.citation)
            if event.captures.get("restart"):
                yield Sourced(f"Restart policy: {event.captures['restart']}", SPEC, event.citation)


def _pods(facts: Facts) -> Iterator[Sourced]:
    pods = [event for event in facts.events if event.name == "runai/pod"]
    fine = ("running", "succeeded", "completed")
    pods.sort(key=lambda event: event.captures.get("reason", "").lower() in fine)
    for event in pods[:_PODS]:
        limit = f"; memory limit: {amount.memory(event.captures['limit'])}" if event.captures.get("limit") else ""
        node = f"; node: {event.subject.node}" if event.subject.node else ""
        phase = event.captures.get("reason", "not given")
        yield Sourced(f"Pod {event.subject.pod} k8sPhase: {phase}{limit}{node}", PODS, event.citation)
    if len(pods) > _PODS:
        yield Sourced(f"{len(pods) - _PODS:,} more pods", PODS, pods[_PODS].citation)


def _history(course: Course, matches: Sequence[Match]) -> Iterator[Sourced]:
    found = [item for item in signals(matches) if item.source == HISTORY and item.category == course.category]
    events = sorted((item.match.events[0] for item in found), key=lambda event: event.name != "runai/event")
    told = {
        (event.captures.get("message"), event.when.seconds if event.when else None): event for event in reversed(events)
    }
    for event in sorted(told.values(), key=lambda event: -(event.when.seconds if event.when else 0.0))[:_RECORDS]:
        when = f" at {event.when.text}" if event.when else ""
        yield Sourced(f"Recorded{when}: {_told(event, HISTORY).text}", HISTORY, event.citation)


def _metrics(facts: Facts) -> Iterator[Sourced]:
    asked = next((item for item in facts.outcomes if item.request.kind == kind(METRICS)), None)
    if asked is None or isinstance(asked, (Unavailable, Failed, Skipped)):
        return
    top = peak(facts)
    if top is None:
        yield Sourced("No CPU-memory samples in the window: no peak observed", METRICS)
        return
    source = tool_of(top.citation.artifact)
    ceiling = memory(facts, "limit")
    limit = f" against a limit of {amount.memory(ceiling)}" if ceiling else ""
    yield Sourced(f"Peak CPU memory usage: {amount.sampled(top.numbers['bytes'])}{limit}", source, top.citation)


def _containers(matches: Sequence[Match]) -> Iterator[Sourced]:
    shown: dict[str, int] = {}
    for match in matches:
        where = match.evidence[0].citation
        if where.artifact.startswith(("get_workload", "list_workload")) or match.role in ("advice", "context"):
            continue
        source = tool_of(where.artifact)
        shown[source] = shown.get(source, 0) + 1
        if shown[source] <= _LOGS:
            yield Sourced(clipped(match.evidence[0].claim), source, where)


def gaps(course: Course, phase: Event | None, facts: Facts) -> Iterator[str]:
    """Yield what could not be read or is not there, each with what it costs the diagnosis."""
    for outcome in facts.outcomes:
        name = outcome.request.kind.removeprefix(KIND)
        if isinstance(outcome, (Unavailable, Failed, Skipped)):
            yield f"{name}: {outcome.error if isinstance(outcome, Failed) else outcome.reason}"
    if course.stop is not None or phase is None:
        return
    names = {event.name for event in facts.events}
    if "runai/events-missing" in names:
        yield "get_workload_status: the events could not be fetched (null), which does not mean that there were none"
    if _answered(SPEC, facts) and "runai/spec" not in names:
        yield "get_workload_spec: no submitted spec for this kind of workload"
    if _answered(PODS, facts) and "runai/pod" not in names:
        yield "get_workload_pods: no pods were returned"
    elif _answered(PODS, facts) and not any(
        event.name == "runai/pod" and event.captures.get("limit") for event in facts.events
    ):
        yield "get_workload_pods: no resources are given for the pods"
    if course.category == "UNKNOWN" and not any(outcome.request.kind.startswith("k8s/") for outcome in facts.outcomes):
        yield "kubectl: not asked, so container states and previous logs are not known"


def _answered(tool: str, facts: Facts) -> bool:
    return any(
        item.request.kind == kind(tool) and not isinstance(item, (Unavailable, Failed, Skipped))
        for item in facts.outcomes
    )
