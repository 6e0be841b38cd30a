"""The report of a driver at the end of a log: one of its stages failed, and those behind it were not begun; or one refuses what another made."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from runtriage.detect.claims import match_of
from runtriage.detect.engine import Detector
from runtriage.model.catalogue import Catalogue
from runtriage.model.event import SIGNATURE, STATEMENT, Event
from runtriage.model.event_names import STAGE_EMPTY, STAGE_FAILED, STAGE_HANDED, STAGE_HOLLOW, STAGE_LATE
from runtriage.model.facts import Facts
from runtriage.model.finding import Match
from runtriage.model.place import byte_of, last_line_of, line_of

_MODES: Final = {
    STAGE_FAILED: "orch/component-failed",
    STAGE_HANDED: "orch/workflow-upstream",
    STAGE_HOLLOW: "orch/workflow-upstream",
    STAGE_LATE: "orch/workflow-upstream",
}
_FIXES: Final = ("read-first-exit", "find-first-attempt")
_LATE_FIXES: Final = ("declare-dependency", "read-first-exit")
_LEFT_FIXES: Final = ("provide-input", "find-first-attempt")
_SUMMARY: Final = "orch/workflow-upstream.external#"
_EMPTY: Final = "data/empty-dataset"
_EMPTY_FIXES: Final = ("check-data-path", "find-first-attempt")
_TITLES: Final = {
    STAGE_FAILED: "A stage failed and the ones behind it were not begun",
    STAGE_HANDED: "A stage was handed what it cannot use",
    STAGE_HOLLOW: "A stage brought nothing and its driver did not notice",
    STAGE_LATE: "A stage was begun before the one that writes its input",
}


def find(facts: Facts, catalogue: Catalogue) -> Iterator[Match]:
    """Yield a match for each such report: a symptom, which whatever the failed stage printed itself explains, or what it was handed."""
    yield from (_match(event) for event in facts.events if event.kind == STATEMENT and event.name in _MODES)
    yield from _starved(facts)
    yield from _left_out(facts)


def _left_out(facts: Facts) -> Iterator[Match]:
    """Yield a match for each log whose last summary of a workflow says that no task failed and some were not begun; a later one that all went well takes it back."""
    told = [event for event in facts.events if event.kind == SIGNATURE and event.name.startswith(_SUMMARY)]
    last = {
        event.citation.artifact: event
        for event in sorted(told, key=lambda event: byte_of(event.last or event.citation))
    }
    for event in last.values():
        if event.name != f"{_SUMMARY}well":
            yield match_of(
                event,
                f"the workflow left tasks out: {event.captures.get('reason', 'an input was missing')}",
                rule="log/left-out",
                mode="orch/workflow-upstream",
                role="cause",
                tier="scheduler",
                scope="job",
                captures={**event.captures, "unnoticed": "yes"},
                fixes=_LEFT_FIXES,
                title="A workflow left tasks out, and none failed",
            )


def _starved(facts: Facts) -> Iterator[Match]:
    """Yield a match for each task that wrote nothing, in a log of its own, where another log fails for a lack of data."""
    lacking = [event for event in facts.events if event.kind == SIGNATURE and event.name.startswith(_EMPTY)]
    failed = {event.citation.artifact for event in lacking}
    attempt = max((event.subject.attempt for event in lacking), default=0)
    for event in facts.events:
        if event.name == STAGE_EMPTY and failed and event.citation.artifact not in failed:
            yield replace(_empty(event), subject=replace(event.subject, attempt=attempt))


def _empty(event: Event) -> Match:
    return match_of(
        event,
        "a task before it wrote nothing and was taken for a success",
        rule="log/stage-empty",
        mode=_EMPTY,
        role="cause",
        tier="log",
        scope="job",
        captures={"unnoticed": "yes"},
        fixes=_EMPTY_FIXES,
        title="A task wrote nothing for the next one to read",
    )


def of_a_report(event: Event, facts: Facts) -> bool:
    """Tell whether an event lies in the lines that a driver's report is cited by."""
    first = line_of(event.citation)
    return any(
        other.kind == STATEMENT
        and other.name in _MODES
        and other.citation.artifact == event.citation.artifact
        and line_of(other.citation) <= first <= last_line_of(other.citation)
        for other in facts.events
    )


def _match(event: Event) -> Match:
    hollow = event.name == STAGE_HOLLOW
    return match_of(
        event,
        _claim(event),
        rule="log/stage-failed",
        mode=_MODES[event.name],
        role="symptom" if event.name == STAGE_FAILED else "cause",
        tier="scheduler",
        scope="job",
        captures={**event.captures, "hollow": "yes"} if hollow else event.captures,
        fixes=_LATE_FIXES if event.name == STAGE_LATE else _FIXES,
        title=_TITLES[event.name],
    )


def _claim(event: Event) -> str:
    held = event.numbers.get("held", 1.0)
    stage = event.captures.get("stage", "")
    if event.name == STAGE_HANDED:
        return "a stage refuses what a stage before it made"
    if event.name == STAGE_HOLLOW:
        return "a stage brought nothing, its driver went on, and a later stage refuses"
    if event.name == STAGE_LATE:
        return f"{stage} misses a file that {event.captures.get('writer', 'another stage')} writes only afterwards: nothing made it wait"
    told = "line says" if held == 1 else "lines say"
    return f"{f'stage {stage}' if stage else 'a stage'} failed, and {held:g} {told} what was not begun for it"


DETECTORS = (
    Detector(
        id="failed-stage",
        modes=(),
        find=find,
        remedies=lambda: (
            dict.fromkeys(_MODES.values(), (*_FIXES, *_LATE_FIXES[:1], *_LEFT_FIXES[:1])) | {_EMPTY: _EMPTY_FIXES}
        ),
    ),
)
