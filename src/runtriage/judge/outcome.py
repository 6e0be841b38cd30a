"""What became of a fault: did the run end there, or go on?"""

from __future__ import annotations

from runtriage.judge.order import byte
from runtriage.model.event import EXCEPTION, EXIT, FINISH, Event
from runtriage.model.facts import Facts, RankProgress
from runtriage.model.finding import Match
from runtriage.model.pattern import deferred

TERMINAL = "terminal"
RECOVERED = "recovered"
PROGRESSED = "progressed-after"
UNRESOLVED = "unresolved"

ENDING_TIERS = frozenset({"exception", "exit", "launcher"})

_BAD_END = deferred(r"\b(?:status|exit code|code|rc)[ =:]{1,2}[1-9]\d{0,2}\b")
"""An end that gives its own code: whatever else the line says, the program failed."""
_ASIDE = ("ignored", "logged", "thread", "remote")
_MAIN = frozenset({"<module>", "main"})


def outcome(match: Match, facts: Facts) -> str:
    """Return terminal, recovered, progressed-after or unresolved."""
    if match.tier == "metric":
        return TERMINAL
    if _finished_after(match, facts) or _later_attempt_went_further(match, facts):
        return RECOVERED
    if match.tier not in ("kernel", "scheduler") and "thread" not in match.captures and _progressed(match, facts):
        return PROGRESSED
    return TERMINAL if match.tier in ENDING_TIERS else UNRESOLVED


def finished(facts: Facts) -> bool:
    """Tell whether the program said it completed, after its last progress, in its last attempt."""
    last = last_attempt(facts)
    return any(event.subject.attempt == last and _after_progress(event, facts, last) for event in _ends(facts))


def _ends(facts: Facts) -> list[Event]:
    """Return the events that say that the program ended well; a source line that a traceback quotes says nothing."""
    tracebacks = [event for event in facts.events if event.kind == EXCEPTION and "first_line" in event.numbers]
    return [event for event in facts.events if _is_end(event) and not any(_quotes(item, event) for item in tracebacks)]


def _quotes(exception: Event, event: Event) -> bool:
    if exception.citation.artifact != event.citation.artifact or event.citation.first_line is None:
        return False
    return exception.numbers["first_line"] <= event.citation.first_line < (exception.citation.first_line or 0)


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
        return _BAD_END.search(event.excerpt) is None
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
    ends = [event for event in _ends(facts) if event.subject.attempt == last]
    same = [event for event in ends if event.citation.artifact == own]
    if same:
        return not _breaks_off(match, same)
    return bool(ends) and match.tier not in ENDING_TIERS


def _breaks_off(match: Match, ends: list[Event]) -> bool:
    """Tell whether an error of the main program came after every line that called the run complete: it had more to do."""
    if match.tier != "exception" or match.captures.get("user_function") not in _MAIN:
        return False
    aside = any(match.captures.get(name) for name in _ASIDE) or match.captures.get("bare") == "yes"
    return not aside and all((event.citation.byte_end or 0) <= byte(match) for event in ends)


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
    alone = _spoke_last(match, facts)
    return any(
        _went_on(match, entry)
        for entry in facts.progress
        if entry.subject.attempt == match.subject.attempt and not (alone and _relayed(entry))
    )


def _spoke_last(match: Match, facts: Facts) -> bool:
    """Tell whether an error of a program without a name of its own is the last it printed: what its workers say arrives later."""
    if match.tier != "exception" or match.subject.pid is not None or match.subject.rank is not None:
        return False
    name = match.evidence[0].citation.artifact
    own = [entry.last_line for entry in facts.progress if entry.artifact == name and entry.subject == match.subject]
    ends = [line.byte_start or 0 for line in own if line is not None]
    return bool(ends) and max(ends) <= byte(match)


def _relayed(entry: RankProgress) -> bool:
    """Tell whether the lines of a worker came through the log of the program that started it."""
    return entry.subject.pid is not None and entry.subject.role is not None and entry.subject.rank is None


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
