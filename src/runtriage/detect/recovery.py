"""What the log itself calls over: a link that came up again, a server that answers again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from runtriage.detect.claims import effective_start
from runtriage.model.catalogue import Catalogue
from runtriage.model.event import EXCEPTION, SIGNATURE, Event
from runtriage.model.place import line_of
from runtriage.model.time import Instant

_CLEAR = "clear-"
"""How the patterns of a signature's `clears` are named."""


def is_clear(event: Event) -> bool:
    """Return whether an event says that a signature's trouble is over."""
    return event.kind == SIGNATURE and event.name.partition("#")[2].startswith(_CLEAR)


def clears_of(events: Sequence[Event]) -> dict[str, list[Event]]:
    """Return the events that end a trouble, by signature."""
    found: dict[str, list[Event]] = {}
    for event in events:
        if is_clear(event):
            found.setdefault(event.name.partition("#")[0], []).append(event)
    return found


def troubles_of(events: Sequence[Event], catalogue: Catalogue) -> list[Event]:
    """Return the events that a trouble may have led to."""
    return [event for event in events if _speaks(event, catalogue)]


def recovered(event: Event, clears: Mapping[str, Sequence[Event]], troubles: Sequence[Event]) -> bool:
    """Return whether a trouble ended before anything else went wrong; one that something fell into keeps its role."""
    signature = event.name.partition("#")[0]
    ends = [clear for clear in clears.get(signature, ()) if _same_thing(event, clear) and _after(event, clear)]
    if not ends:
        return False
    others = [trouble for trouble in troubles if not trouble.name.startswith(f"{signature}#")]
    return not any(_between(event, trouble, ends[0]) for trouble in others)


def _speaks(event: Event, catalogue: Catalogue) -> bool:
    if event.kind == EXCEPTION:
        return event.captures.get("ignored") != "yes"
    if event.kind != SIGNATURE or is_clear(event):
        return False
    signature = catalogue.signatures.get(event.name.partition("#")[0])
    return signature is not None and signature.role in ("cause", "symptom") and signature.maturity != "sandbox"


def _same_thing(event: Event, clear: Event) -> bool:
    """Return whether nothing the two lines name differs: the process, the host, the device or server."""
    if event.citation.artifact != clear.citation.artifact:
        return False
    if any(clear.captures[name] != value for name, value in event.captures.items() if name in clear.captures):
        return False
    return all(ours is None or ours == theirs for ours, theirs in zip(_who(event), _who(clear), strict=True))


def _who(event: Event) -> tuple[int | str | None, ...]:
    who = event.subject
    return who.attempt, who.rank, who.node, who.pod


def _after(event: Event, clear: Event) -> bool:
    return line_of(clear.last or clear.citation) > line_of(event.last or event.citation)


def _between(event: Event, trouble: Event, end: Event) -> bool:
    """Return whether something went wrong, or a wait that failed later began, while the trouble lasted."""
    if trouble.citation.artifact == event.citation.artifact:
        return line_of(event.citation) < line_of(trouble.citation) < line_of(end.last or end.citation)
    began, ended, start, printed = event.when, end.when, effective_start(trouble), trouble.when
    if began is None or ended is None or start is None or printed is None:
        return False
    if len({_scale(when) for when in (began, ended, start, printed)}) > 1:
        return False
    return printed.seconds >= began.seconds and (start.seconds <= ended.seconds or end.count > 1)


def _scale(when: Instant) -> tuple[bool, str]:
    """Return what two times must share to be compared."""
    return when.dated, "UTC" if when.zoned else when.clock
