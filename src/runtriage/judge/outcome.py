"""What became of a fault: did the run end there, or go on?"""

from __future__ import annotations

import re

from runtriage.judge.order import byte
from runtriage.judge.superseded import superseded
from runtriage.judge.units import Units
from runtriage.model.event import EXCEPTION, EXIT, FINISH, Event
from runtriage.model.facts import Facts, RankProgress
from runtriage.model.finding import Match
from runtriage.model.pattern import deferred
from runtriage.model.place import byte_of, line_of, offset_of

TERMINAL = "terminal"
RECOVERED = "recovered"
PROGRESSED = "progressed-after"
UNRESOLVED = "unresolved"

ENDING_TIERS = frozenset({"exception", "exit", "launcher"})

_BAD_END = deferred(r"\b(?:status|exit code|code|rc)[ =:]{1,2}[1-9]\d{0,2}\b")
"""An end that gives its own code: whatever else the line says, the program failed."""
_OVER = deferred(r"\bended\b(?!.{0,40}\b(?:success|normal|clean|well)\w*)", re.IGNORECASE)
"""Says that it is over, and not how it ended."""
_LOST = frozenset({"orch/slurm-node-fail", "orch/ray-node-dead"})
"""What ends every process of a job at once: steps behind it are those of the job that was started again."""
_ASIDE = ("ignored", "logged", "thread", "remote")
_MAIN = frozenset({"<module>", "main"})
_OF_STAGES = frozenset({"orch/component-failed", "orch/workflow-upstream"})
"""What a driver says of a stage: that one before it ended well is no end of the whole."""


class Course:
    """How far everyone came and how the run ended, looked up once for all faults."""

    def __init__(self, facts: Facts) -> None:
        self.last_attempt = last_attempt(facts)
        self.ends = [event for event in _ends(facts) if event.subject.attempt == self.last_attempt]
        """What says that the last attempt ended well."""
        self.broke_off = any(_breaks(event) for event in facts.events)
        """Whether something ended badly of which its program does not say that it goes on."""
        self.units = Units(facts)
        self._in: dict[tuple[int, str], list[RankProgress]] = {}
        self._of: dict[tuple[int, int], list[RankProgress]] = {}
        self._furthest: dict[int, int] = {}
        self.everywhere = [entry for entry in facts.progress if entry.last_step is not None or entry.last_epoch]
        self._steps = {entry.artifact for entry in facts.progress if entry.last_step is not None}
        for entry in facts.progress:
            self._note(entry)
        self.finished = any(self._after_progress(event) for event in self.ends)

    def _note(self, entry: RankProgress) -> None:
        attempt, rank = entry.subject.attempt, entry.subject.rank
        self._in.setdefault((attempt, entry.artifact), []).append(entry)
        if rank is not None:
            self._of.setdefault((attempt, rank), []).append(entry)
        if entry.last_step is not None:
            self._furthest[attempt] = max(entry.last_step, self._furthest.get(attempt, entry.last_step))

    def printed(self, attempt: int, artifact: str) -> list[RankProgress]:
        """Return what one artifact shows of an attempt."""
        return self._in.get((attempt, artifact), [])

    def steps_in(self, artifact: str) -> bool:
        """Tell whether an artifact prints steps."""
        return artifact in self._steps

    def near(self, match: Match) -> list[RankProgress]:
        """Return all progress in the attempt of a fault that its artifact or its rank made."""
        attempt, rank, own = match.subject.attempt, match.subject.rank, match.evidence[0].citation.artifact
        elsewhere = self._of.get((attempt, rank), []) if rank is not None else []
        return [*self.printed(attempt, own), *(entry for entry in elsewhere if entry.artifact != own)]

    def furthest(self, attempt: int) -> int | None:
        """Return the last step of an attempt."""
        return self._furthest.get(attempt)

    def later_than(self, attempt: int) -> int | None:
        """Return the last step of all attempts behind one."""
        return max((step for later, step in self._furthest.items() if later > attempt), default=None)

    def _after_progress(self, event: Event) -> bool:
        """Tell whether no step came after an event; metrics of the step it ended at may be printed once more."""
        entries = self.printed(self.last_attempt, event.citation.artifact)
        ends = [byte_of(entry.last_progress) for entry in entries if entry.last_progress is not None]
        if max(ends, default=0) <= (event.citation.byte_end or 0):
            return True
        reached = [entry.last_step for entry in entries if entry.last_step is not None]
        return event.step is not None and bool(reached) and event.step >= max(reached)


def outcome(match: Match, course: Course) -> str:
    """Return terminal, recovered, progressed-after or unresolved."""
    if course.units.hold(match):
        return RECOVERED
    if "yes" in (match.captures.get("hollow"), match.captures.get("unnoticed")):
        return TERMINAL  # that its driver calls all of it finished is what went wrong
    if match.captures.get("outlived") == "yes":
        return UNRESOLVED  # it stays in the data however the run ended
    if match.tier == "metric":
        return RECOVERED if match.captures.get("recovered") == "yes" else TERMINAL
    if match.captures.get("handled") == "yes" and not course.broke_off:
        return RECOVERED
    if _finished_after(match, course) or _later_attempt_went_further(match, course):
        return RECOVERED
    if match.tier == "scheduler" and superseded(match, course.everywhere):
        return RECOVERED
    heard = match.tier not in ("kernel", "scheduler") or match.mode in _LOST
    if heard and "thread" not in match.captures and _progressed(match, course):
        return PROGRESSED
    return TERMINAL if match.tier in ENDING_TIERS else UNRESOLVED


def finished(facts: Facts) -> bool:
    """Tell whether the program said it completed, after its last progress, in its last attempt."""
    return Course(facts).finished


def _breaks(event: Event) -> bool:
    """Tell whether an event is of a process that went wrong and did not say that it would go on."""
    if event.captures.get("handled") == "yes":
        return False
    if event.kind == EXCEPTION:
        logged = event.captures.get("logged") == "yes" and "main" not in event.captures
        return not logged and event.captures.get("ignored") != "yes"
    return event.kind == EXIT and event.numbers.get("code") != 0


def _ends(facts: Facts) -> list[Event]:
    """Return the events that say that the program ended well; a source line that a traceback quotes says nothing."""
    tracebacks: dict[str, list[Event]] = {}
    for event in facts.events:
        if event.kind == EXCEPTION and "first_line" in event.numbers:
            tracebacks.setdefault(event.citation.artifact, []).append(event)
    return [
        event
        for event in facts.events
        if good_end(event)
        and not any(_quotes(item, event) for item in tracebacks.get(event.citation.artifact, ()))
        and not (_only_over(event) and any(_left_behind(item, event, facts) for item in facts.events))
    ]


def _only_over(event: Event) -> bool:
    return event.kind == FINISH and event.captures.get("how") == "message" and _OVER.search(event.excerpt) is not None


def _left_behind(fault: Event, event: Event, facts: Facts) -> bool:
    """Tell whether a program broke off above an event of its artifact, and no progress stands between: a wrapper saw it go."""
    where = fault.citation
    if not _breaks(fault) or where.artifact != event.citation.artifact or any(map(fault.captures.get, _ASIDE)):
        return False
    made = [entry.last_progress for entry in facts.progress if entry.artifact == where.artifact]
    last = max((byte_of(each) for each in made if each is not None), default=-1)
    return last <= byte_of(where) < byte_of(event.citation)


def _quotes(exception: Event, event: Event) -> bool:
    if event.citation.first_line is None:
        return False
    return exception.numbers["first_line"] <= event.citation.first_line < line_of(exception.citation)


def good_end(event: Event) -> bool:
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


def _finished_after(match: Match, course: Course) -> bool:
    if not course.finished:
        return False
    if match.subject.attempt < course.last_attempt:
        return True
    own = match.evidence[0].citation.artifact
    same = [event for event in course.ends if event.citation.artifact == own]
    if same:
        return not _breaks_off(match, same)
    return match.tier not in ENDING_TIERS


def _breaks_off(match: Match, ends: list[Event]) -> bool:
    """Tell whether an error of the main program, or a stage's that failed, came after every line that called the run complete: it had more to do."""
    if match.mode in _OF_STAGES:
        return all((event.citation.byte_end or 0) <= byte(match) for event in ends)
    of_main = match.captures.get("main") == "yes" or match.captures.get("user_function") in _MAIN
    if match.tier != "exception" or not of_main:
        return False
    aside = any(match.captures.get(name) for name in _ASIDE) or match.captures.get("bare") == "yes"
    return not aside and all((event.citation.byte_end or 0) <= byte(match) for event in ends)


def _later_attempt_went_further(match: Match, course: Course) -> bool:
    attempt = match.subject.attempt
    if match.step is None and match.tier == "kernel" and not course.steps_in(match.evidence[0].citation.artifact):
        return False  # the log of a kernel does not know which attempt it speaks of
    reached = match.step if match.step is not None else course.furthest(attempt)
    later = course.later_than(attempt)
    return reached is not None and later is not None and later > reached


def _progressed(match: Match, course: Course) -> bool:
    alone = _spoke_last(match, course)
    return any(_went_on(match, entry) for entry in course.near(match) if not (alone and _relayed(entry)))


def _spoke_last(match: Match, course: Course) -> bool:
    """Tell whether an error of a program without a name of its own is the last it printed: what its workers say arrives later."""
    if match.tier != "exception" or match.subject.pid is not None or match.subject.rank is not None:
        return False
    entries = course.printed(match.subject.attempt, match.evidence[0].citation.artifact)
    own = [entry.last_line for entry in entries if entry.subject == match.subject]
    ends = [byte_of(line) for line in own if line is not None]
    return bool(ends) and max(ends) <= byte(match)


def _relayed(entry: RankProgress) -> bool:
    """Tell whether the lines of a worker came through the log of the program that started it."""
    return entry.subject.pid is not None and entry.subject.role is not None


def _went_on(match: Match, entry: RankProgress) -> bool:
    if entry.last_progress is None or (entry.last_step is None and not entry.last_epoch):
        return False
    known = match.subject.rank is not None and entry.subject.rank is not None
    if known and match.subject.rank != entry.subject.rank:
        return False
    if entry.artifact == match.evidence[0].citation.artifact:
        after = offset_of(entry.last_progress) > byte(match)
        return after and (match.step is None or (entry.last_step is not None and entry.last_step > match.step))
    further = entry.last_step is not None and match.step is not None and entry.last_step > match.step
    return known and further and _later(match, entry)


def _later(match: Match, entry: RankProgress) -> bool:
    if match.start is None or entry.last_progress_time is None:
        return False
    return entry.last_progress_time.seconds > match.start.seconds
