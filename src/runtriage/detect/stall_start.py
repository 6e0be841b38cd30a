"""A run that was begun and stood still before its first step: in a compilation, in its set-up, or behind a fork."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from runtriage.detect.claims import evidence
from runtriage.detect.engine import Detector
from runtriage.detect.stall import WINDOW
from runtriage.model.catalogue import Catalogue
from runtriage.model.event import EXIT, FINISH, PHASE, SIGNATURE, Event
from runtriage.model.facts import Facts
from runtriage.model.finding import Match

_COMPILE, _IDLE, _FORK = "stall/compile-or-jit-lock", "stall/no-progress", "stall/gil-or-fork-deadlock"
_BEGUN = {
    "compile": (_COMPILE, "a compilation that began"),
    "setup": (_IDLE, "the set-up of the ranks"),
    "eval": (_IDLE, "an evaluation before the first step"),
}
_FIXES = {
    _COMPILE: ("stall-check-build-lock", "stall-dump-stacks"),
    _IDLE: ("stall-dump-stacks", "find-who-killed"),
    _FORK: ("stall-spawn-workers", "stall-dump-stacks"),
}


def find(facts: Facts, catalogue: Catalogue) -> Iterator[Match]:
    """Yield a match where nothing came of the last thing that was begun, for longer than such a thing takes."""
    if any(entry.progress_lines or entry.last_epoch is not None for entry in facts.progress) or facts.series:
        return
    begun = _begun(facts.events)
    if begun is None or begun.when is None:
        return
    mode, what = _BEGUN.get(begun.name, (_FORK, "training that was begun after a fork"))
    silent = _end(begun, facts) - begun.when.seconds
    if silent < WINDOW or _done(facts.events):
        return
    claim = f"nothing came of {what} for {silent:,.0f} s; no step was ever printed"
    yield Match(
        rule="progress/stall-start",
        mode=mode,
        role="cause",
        maturity="stable",
        tier="metric",
        evidence=(evidence(begun, claim),),
        subject=begun.subject,
        start=begun.when,
        captures={"hang": "yes"},
        numbers={"silent_seconds": silent},
        events=(begun,),
        fixes=_FIXES[mode],
        title="The run never began to make progress",
    )


def _begun(events: Sequence[Event]) -> Event | None:
    """Return what was begun last; that training was only counts where a fork could have broken it."""
    forked = any(event.kind == SIGNATURE and event.name.startswith(_FORK) for event in events)
    names = {*_BEGUN, "train"} if forked else set(_BEGUN)
    found = [event for event in events if event.kind == PHASE and event.name in names and event.when is not None]
    return found[-1] if found else None


def _end(begun: Event, facts: Facts) -> float:
    """Return the last time that the same clock shows behind what was begun."""
    assert begun.when is not None
    clock = (begun.when.clock, begun.when.dated)
    later = [entry.last_line_time for entry in facts.progress if entry.artifact == begun.citation.artifact]
    later += [event.when for event in facts.events if event.kind == EXIT]
    return max(
        (when.seconds for when in later if when is not None and (when.clock, when.dated) == clock),
        default=begun.when.seconds,
    )


def _done(events: Sequence[Event]) -> bool:
    """Tell whether the program said, or returned, that it was done."""
    return any(event.kind == FINISH or (event.kind == EXIT and event.numbers.get("code") == 0) for event in events)


DETECTORS = (
    Detector(
        id="stall-start",
        modes=tuple(_FIXES),
        find=find,
        remedies=lambda: dict(_FIXES),
    ),
)
