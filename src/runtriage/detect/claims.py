"""Evidence made from events, in the words a reader sees."""

from __future__ import annotations

from collections.abc import Mapping

from runtriage.model.event import Event
from runtriage.model.finding import Evidence, Match
from runtriage.model.time import Instant

_MILLISECONDS = 1000.0


def evidence(event: Event, claim: str, quantity: str | None = None) -> Evidence:
    """Cite an event for a claim."""
    return Evidence(claim=claim, citation=event.citation, excerpt=event.excerpt, quantity=quantity)


def match_of(
    event: Event,
    claim: str,
    *,
    rule: str,
    mode: str,
    role: str,
    tier: str,
    title: str,
    fixes: tuple[str, ...],
    scope: str = "rank",
    captures: Mapping[str, str] | None = None,
    began: Event | None = None,
) -> Match:
    """Return the match of a rule that one event shows by itself: it has the event's place, step, count and, where no others are given, captures.

    `began` is where the same thing began, if that is another event: it is what is cited, and its time is the start.
    """
    first = began or event
    return Match(
        rule=rule,
        mode=mode,
        role=role,
        maturity="stable",
        tier=tier,
        evidence=(evidence(first, claim),),
        subject=event.subject,
        scope=scope,
        start=first.when,
        step=event.step,
        count=event.count,
        captures=event.captures if captures is None else captures,
        numbers=event.numbers,
        events=(event,),
        fixes=fixes,
        title=title,
    )


def effective_start(event: Event) -> Instant | None:
    """Return when the thing an event reports began: a watchdog that `ran for` N ms began N ms before its print."""
    ran = event.numbers.get("ran_ms")
    if event.when is None or ran is None:
        return event.when
    return Instant(
        text=event.when.text,
        seconds=event.when.seconds - ran / _MILLISECONDS,
        zoned=event.when.zoned,
        dated=event.when.dated,
        clock=event.when.clock,
        precision=event.when.precision,
        uncertainty=max(event.when.uncertainty, 1.0),
    )
