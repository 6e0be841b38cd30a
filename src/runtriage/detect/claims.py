"""Evidence made from events, in the words a reader sees."""

from __future__ import annotations

from runtriage.model.event import Event
from runtriage.model.finding import Evidence
from runtriage.model.time import Instant

_MILLISECONDS = 1000.0


def evidence(event: Event, claim: str, quantity: str | None = None) -> Evidence:
    """Cite an event for a claim."""
    return Evidence(claim=claim, citation=event.citation, excerpt=event.excerpt, quantity=quantity)


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


def place(event: Event) -> str:
    """Return `file:line` (or the pointer) of an event."""
    where = event.citation
    if where.first_line is not None:
        return f"{where.artifact}:{where.first_line}"
    return f"{where.artifact}{where.pointer or ''}"
