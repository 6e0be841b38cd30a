"""What became of a fault: did the run end there, or go on?"""

from __future__ import annotations

from runtriage.judge.order import byte
from runtriage.model.event import EXIT, FINISH, Event
from runtriage.model.facts import Facts, RankProgress
from runtriage.model.finding import Match

TERMINAL = "terminal"
RECOVERED = "recovered"
PROGRESSED = "progressed-after"
UNRESOLVED = "unresolved"

ENDING_TIERS = frozenset({"exception", "exit", "launcher"})
LASTING_FAMILIES = frozenset({"nan", "inf", "div", "eval", "stall"})
"""A run goes on printing steps with these faults; progress does not excuse them when a metric shows them."""


def outcome(match: Match, facts: Facts) -> str:
    """Return terminal, recovered, progressed-after or unresolved."""
    if match.tier == "metric":
        return TERMINAL
    if _finished_after(match, facts) or _later_attempt_went_further(match, facts):
        return RECOVERED
    if match.tier not in ("kernel", "scheduler") and _progressed(match, facts):
        return PROGRESSED
    return TERMINAL if match.tier in ENDING_TIERS else UNRESOLVED


def finished(facts: Facts) -> bool:
    """Tell whether the program said it completed, after its last progress, in its last attempt."""
    last = last_attempt(facts)
    return any(
        _is_end(event) and event.subject.attempt == last and _after_progress(event, facts, last)
        for event in facts.events
    )


def _after_progress(event: Event, facts: Facts, attempt: int) -> bool:
    """Tell whether no step came after an event; metrics of the step it ended at may be printed once more."""
    name = event.citation.artifact
    if _end_of_progress(facts, name, attempt) <= (event.citation.byte_end or 0):
        return True
    reached = [
        entry.last_step
        for entry in facts.progress
        if entry.artifact == name and entry.subject.attempt == attempt and entry.last_step is not None
    ]
    return event.step is not None and bool(reached) and event.step >= max(reached)


def _is_end(event: Event) -> bool:
    """Tell whether an event says that the whole program ended well, not just one rank of it."""
    if event.kind == FINISH:
        return True
    alone = event.subject.rank is None and event.subject.local_rank is None
    return event.kind == EXIT and event.numbers.get("code") == 0 and alone


def last_attempt(facts: Facts) -> int:
    """Return the number of the last attempt, counted from 0."""
    numbers = [event.subject.attempt for event in facts.events]
    numbers += [entry.subject.attempt for entry in facts.progress]
    return max(numbers, default=0)


def _end_of_progress(facts: Facts, name: str, attempt: int) -> int:
    ends = [
        entry.last_progress.byte_start or 0
        for entry in facts.progress
        if entry.artifact == name and entry.subject.attempt == attempt and entry.last_progress is not None
    ]
    return max(ends, default=0)


def _finished_after(match: Match, facts: Facts) -> bool:
    if not finished(facts):
        return False
    last = last_attempt(facts)
    if match.subject.attempt < last:
        return True
    own = match.evidence[0].citation.artifact
    ends = [event for event in facts.events if _is_end(event) and event.subject.attempt == last]
    same = [event for event in ends if event.citation.artifact == own]
    if same:
        return True
    return bool(ends) and match.tier not in ENDING_TIERS


def _later_attempt_went_further(match: Match, facts: Facts) -> bool:
    reached = match.step if match.step is not None else _furthest(facts, match.subject.attempt)
    if reached is None:
        return False
    return any(
        entry.subject.attempt > match.subject.attempt and entry.last_step is not None and entry.last_step > reached
        for entry in facts.progress
    )


def _furthest(facts: Facts, attempt: int) -> int | None:
    steps = [
        entry.last_step for entry in facts.progress if entry.subject.attempt == attempt and entry.last_step is not None
    ]
    return max(steps, default=None)


def _progressed(match: Match, facts: Facts) -> bool:
    return any(_went_on(match, entry) for entry in facts.progress if entry.subject.attempt == match.subject.attempt)


def _went_on(match: Match, entry: RankProgress) -> bool:
    if entry.last_progress is None or entry.last_step is None:
        return False
    known = match.subject.rank is not None and entry.subject.rank is not None
    if known and match.subject.rank != entry.subject.rank:
        return False
    if entry.artifact == match.evidence[0].citation.artifact:
        after = (entry.last_progress.byte_start or entry.last_progress.first_line or 0) > byte(match)
        return after and (match.step is None or entry.last_step > match.step)
    return known and match.step is not None and entry.last_step > match.step and _later(match, entry)


def _later(match: Match, entry: RankProgress) -> bool:
    if match.start is None or entry.last_progress_time is None:
        return False
    return entry.last_progress_time.seconds > match.start.seconds
