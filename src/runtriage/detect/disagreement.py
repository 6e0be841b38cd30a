"""Two systems that record the same run's end differently: one says that it went well, another that it failed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from runtriage.detect.claims import evidence
from runtriage.detect.engine import Detector
from runtriage.model.catalogue import Catalogue
from runtriage.model.event import EXIT, STATE, Event
from runtriage.model.facts import Facts
from runtriage.model.finding import Match
from runtriage.model.records import ENDED_BADLY, ENDED_WELL, SYSTEMS


def find(facts: Facts, catalogue: Catalogue) -> Iterator[Match]:
    """Yield one match for each system that records a good end where another one, or the exit code, records a bad one."""
    ends = _ends(facts)
    bad = [(name, event) for name, event in ends.items() if _badly(event)]
    for name, event in ends.items():
        if _badly(event) or not bad:
            continue
        other, against = bad[0]
        yield Match(
            rule="records/disagree",
            mode="",
            role="context",
            maturity="stable",
            tier="scheduler",
            evidence=(evidence(event, _claim(name, event)), evidence(against, _claim(other, against))),
            subject=event.subject,
            start=event.when,
            captures={"well": _claim(name, event), "badly": _claim(other, against)},
            events=(event, against),
            title="Two records of the run's end disagree",
        )


def _ends(facts: Facts) -> dict[str, Event]:
    """Return the last word of each system on how the run ended."""
    last = max((event.subject.attempt for event in facts.events), default=0)
    found: dict[str, Event] = {}
    for event in facts.events:
        word = event.captures.get("state", "").lower().split(" ")[0]
        if event.kind == STATE and event.name in SYSTEMS and word in ENDED_WELL | ENDED_BADLY:
            found[SYSTEMS[event.name]] = event
        elif event.kind == EXIT and _whole(event) and event.subject.attempt == last:
            found[_CODE] = event
    return found


_CODE: Final = "the exit code"


def _whole(event: Event) -> bool:
    """Tell whether an exit is that of the whole program, recorded by who waited for it."""
    return (
        event.captures.get("by") in ("launcher", "kernel")
        and event.citation.pointer is not None
        and event.subject.rank is None
        and "code" in event.numbers
    )


def _badly(event: Event) -> bool:
    if event.kind == EXIT:
        return event.numbers.get("code", 0) != 0
    return event.captures.get("state", "").lower().split(" ")[0] in ENDED_BADLY


def _claim(name: str, event: Event) -> str:
    if event.kind == EXIT:
        return f"{name} is {event.numbers.get('code', 0):g}"
    return f"{name} records the run as {event.captures.get('state', '?')}"


DETECTORS = (Detector(id="disagreement", modes=(), find=find),)
