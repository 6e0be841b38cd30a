"""A save that outlasts the limit of a collective: peers give up on a rank that is still writing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from runtriage.detect.claims import evidence
from runtriage.detect.engine import Detector
from runtriage.model.catalogue import Catalogue
from runtriage.model.event import CHECKPOINT, EXCEPTION, EXIT, LAUNCHER, SIGNATURE, Event
from runtriage.model.facts import Facts
from runtriage.model.finding import Match
from runtriage.model.place import line_of

_MODE = "ckpt/save-slow-causes-timeout"
_TIMEOUT = "nccl/watchdog-timeout.torch#timeout"
_SENT = "stall/rank0-only-work"
"""What the wait was for where the file had been written and was only sent elsewhere."""
_SIGABRT = -6
_WRAPPERS = ("ChildFailedError", "DistBackendError", "SignalException")
_FIXES = ("stall-check-storage", "dist-compare-ranks")


def find(facts: Facts, catalogue: Catalogue) -> Iterator[Match]:
    """Yield a match for a save that began after the last step, never ended, and before which no collective was waited for."""
    for artifact in {event.citation.artifact: None for event in facts.events if event.kind == CHECKPOINT}:
        events = [event for event in facts.events if event.citation.artifact == artifact]
        begun = _open_save(events, facts)
        waits = [event for event in events if event.kind == SIGNATURE and event.name == _TIMEOUT]
        if (
            begun is None
            or not waits
            or any(line_of(event.citation) < line_of(begun.citation) for event in waits)
            or _broke(facts)
        ):
            continue
        peers = len({event.subject.rank for event in waits})
        ran = max(event.numbers.get("ran_ms", 0.0) for event in waits) / 1000.0
        sends = begun.captures.get("sends") == "yes"
        what = "what was saved was still being sent elsewhere" if sends else "a save that began here had not ended"
        claim = f"{what} when {peers} ranks had waited {ran:,.0f} s for a collective"
        yield Match(
            rule="checkpoint/save-wait",
            mode=_SENT if sends else _MODE,
            role="cause",
            maturity="stable",
            tier="log",
            evidence=(evidence(begun, claim), evidence(waits[0], "the first to give up")),
            subject=begun.subject,
            start=begun.when,
            step=begun.step,
            events=(begun, waits[0]),
            fixes=_FIXES,
            title="A transfer outlasted the collective timeout" if sends else "A save outlasted the collective timeout",
        )


def _open_save(events: Sequence[Event], facts: Facts) -> Event | None:
    """Return the last save of an artifact where no step and no word of its end follows it."""
    told = [event for event in events if event.kind == CHECKPOINT and event.name in ("saving", "saved")]
    if not told or told[-1].name != "saving":
        return None
    last = told[-1]
    steps = [
        line_of(entry.last_progress)
        for entry in facts.progress
        if entry.artifact == last.citation.artifact and entry.last_progress is not None and entry.last_step is not None
    ]
    return last if max(steps, default=0) <= line_of(last.citation) else None


def _broke(facts: Facts) -> bool:
    """Tell whether anybody failed in a way of its own: then the save was cut and is no cause."""
    return any(
        (event.kind == EXCEPTION and not event.name.endswith(_WRAPPERS))
        or (event.kind in (EXIT, LAUNCHER) and event.numbers.get("code", 0) not in (0, _SIGABRT))
        for event in facts.events
    )


DETECTORS = (
    Detector(id="save-wait", modes=(_MODE, _SENT), find=find, remedies=lambda: dict.fromkeys((_MODE, _SENT), _FIXES)),
)
