"""A program's own word that it waits or that nothing moves, where the log ends with it: a wait that was over says nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from msgspec.structs import replace

from runtriage.detect.claims import match_of
from runtriage.detect.endings import ends
from runtriage.detect.engine import Detector
from runtriage.detect.own_words import told_by_words
from runtriage.detect.signatures import covering, exception_index
from runtriage.detect.stall_place import CALLED_OFF, stands, was_silent
from runtriage.model.catalogue import Catalogue
from runtriage.model.event import EXCEPTION, EXIT, FINISH, SIGNATURE, STATEMENT, Event
from runtriage.model.event_names import ENDING, STAGE_FAILED, STANDSTILL
from runtriage.model.facts import Facts, RankProgress
from runtriage.model.finding import Match
from runtriage.model.pattern import deferred
from runtriage.model.place import Citation, byte_of, last_line_of

SPAN: Final = 120.0
"""Seconds over which a short word must have been repeated, by the clock or by what it says itself, before it counts."""
WAITED: Final = 300.0
"""The same where nothing but waiting is said: anything may wait for some minutes."""
SOON: Final = 60.0
"""The same for a word that was said again and again."""
AGAIN, OFTEN = 2, 8
"""Repetitions of such a word: with a clock, and without one."""
BEHIND, NEAR = 400, 40
"""Lines that may follow a last word before the end, as dumps of stacks and teardown do, and those that may follow a wait."""
_WAITING: Final = ("waiting", "short", "long")
_FALLBACK: Final = "stall/no-progress"
_BADLY: Final = deferred(r"\b(?:status|exit code|code|rc)[ =:]{1,2}[1-9]\d{0,2}\b", re.IGNORECASE)
"""An end that gives a code of its own."""
_NO_ERROR: Final = "crash/exit-no-error"
_ASIDE: Final = frozenset({"logged", "ignored", "said"})
_MODES: Final = tuple(
    (mode, deferred(rf"(?<![a-z])(?:{words})(?![a-z])", re.IGNORECASE))
    for mode, words in (
        (
            "stall/queue-pending",
            r"free (?:gpu|slot|worker|device|card|node)\w*|gpu slots?|quota|resources|allocation|scheduled",
        ),
        ("stall/gil-or-fork-deadlock", r"dead-?lock\w*|gil|mutex"),
        ("stall/zombie-previous-attempt", r"\S*lock(?:ed)?(?: file)?|locks?|flock|semaphore\w*|held by|port"),
        ("stall/compile-or-jit-lock", r"compil\w+|nvcc|ninja"),
        ("stall/nccl-init", r"barrier|all_?reduce|all_?gather|rendezvous|collective|peers?|ranks?|communicator"),
        ("stall/storage-read-blocked", r"nfs|mount\w*|lustre|gpfs|filesystem|file system|disk|storage|s3|bucket"),
        (
            "stall/dataloader-blocked",
            r"batch(?:es)?(?!\W{1,3}\d| (?:was |were )?(?:trained|done|finished|completed|processed))|(?:data ?)?loaders?|samples?|shards?|queues?|buffers?|prefetch\w*|data|producers?|records?|workers?|rollouts?|actors?|tokens?",
        ),
    )
)
_SPEAKER: Final = deferred(r"[A-Za-z][\w.\[\]-]*")
"""The first word of a line that is no number."""
FIXES: Final = {
    "stall/queue-pending": ("stall-wait-for-resources",),
    "stall/gil-or-fork-deadlock": ("stall-dump-stacks", "stall-spawn-workers"),
    "stall/zombie-previous-attempt": ("stall-check-build-lock", "stall-dump-stacks"),
    "stall/compile-or-jit-lock": ("stall-check-build-lock", "stall-dump-stacks"),
    "stall/nccl-init": ("dist-compare-ranks", "stall-dump-stacks"),
    "stall/storage-read-blocked": ("stall-find-blocked", "stall-check-storage"),
    "stall/dataloader-blocked": ("stall-dump-stacks", "stall-check-storage"),
    _FALLBACK: ("stall-dump-stacks", "find-who-killed"),
}


def find(facts: Facts, catalogue: Catalogue) -> Iterator[Match]:
    """Yield a match for the strongest such word of each subject behind its last step."""
    exceptions = exception_index([event for event in facts.events if "said" not in event.captures])
    faults = _faults(facts, catalogue)
    told: set[tuple[str, int]] = set()
    said = [event for event in facts.events if event.kind == STATEMENT and event.name.startswith(STANDSTILL)]
    parts = _parts(facts) if said else {}
    reports = [event for event in facts.events if event.kind == STATEMENT and event.name == STAGE_FAILED]
    for event in sorted(said, key=_rank):
        where = (event.citation.artifact, event.subject.attempt)
        if where in told or covering(event, exceptions) is not None:
            continue
        if not _counts(event, parts[event.citation.artifact], facts, said):
            continue
        if any(_of_its_driver(event, report) for report in reports) or _refuses(event, parts[event.citation.artifact]):
            continue
        if not any(_speaks_for_itself(event, fault, said) for fault in faults):
            told.add(where)
            yield _match(event, _first(event, parts[event.citation.artifact], said))


def _parts(facts: Facts) -> dict[str, Facts]:
    """Return the events and the progress of each artifact that has events."""
    events: dict[str, list[Event]] = {}
    for event in facts.events:
        events.setdefault(event.citation.artifact, []).append(event)
    progress: dict[str, list[RankProgress]] = {}
    for entry in facts.progress:
        progress.setdefault(entry.artifact, []).append(entry)
    return {
        artifact: replace(facts, events=tuple(own), progress=tuple(progress.get(artifact, ())))
        for artifact, own in events.items()
    }


def _refuses(event: Event, facts: Facts) -> bool:
    """Tell whether a sentence with a time in it is one with which the program left over something else."""
    return event.name.endswith(("short", "waiting")) and any(
        other.kind == EXCEPTION
        and other.captures.get("said") == "yes"
        and "complains" not in other.captures
        and other.citation.artifact == event.citation.artifact
        and other.citation.first_line == event.citation.first_line
        and _is_about_else(other.captures.get("message", ""))
        for other in facts.events
    )


def is_a_wait(said: Event, words: str) -> bool:
    """Tell whether a statement in the words of an exception says that those are about a wait."""
    if not said.name.startswith(STANDSTILL) or said.name.endswith("ending"):
        return False
    return not (said.name.endswith(("short", "waiting")) and _is_about_else(words))


def _is_about_else(words: str) -> bool:
    """Tell whether the words of a refusal are about something that is no wait."""
    told = told_by_words("", words, "")
    return told is not None and not told[0].startswith("stall/")


def _of_its_driver(event: Event, report: Event) -> bool:
    """Tell whether who waited is the driver that then reports which stage failed, and went on with that."""
    speaker, driver = _SPEAKER.search(event.excerpt), _SPEAKER.search(report.excerpt.rpartition("\n")[2])
    if speaker is None or driver is None or event.citation.artifact != report.citation.artifact:
        return False
    return speaker[0] == driver[0] and byte_of(event.last or event.citation) <= byte_of(report.citation)


def _faults(facts: Facts, catalogue: Catalogue) -> list[Event]:
    """Return what went wrong otherwise in the run, and the lines of waits that the catalogue knows."""
    found = [
        event
        for event in facts.events
        if event.kind == EXCEPTION and event.name not in CALLED_OFF and event.captures.keys().isdisjoint(_ASIDE)
    ]
    for event in facts.events:
        if event.kind == SIGNATURE:
            signature = catalogue.signatures.get(event.name.partition("#")[0])
            if signature is None or signature.role == "context" or signature.maturity == "sandbox":
                continue
            if signature.mode != _NO_ERROR:
                found.append(event)
    return found


def _speaks_for_itself(event: Event, fault: Event, said: Sequence[Event]) -> bool:
    """Tell whether a fault accounts for a wait: it is the same line, came before, or came while nothing was given up yet."""
    if fault.subject.attempt != event.subject.attempt:
        return False
    same = fault.citation.artifact == event.citation.artifact
    if same and fault.citation.first_line == event.citation.first_line:
        return True
    if fault.kind == SIGNATURE:
        return False
    before = same and byte_of(fault.citation) < byte_of(event.citation)
    return before or not (event.name.endswith("gave-up") or _ended_between(event, fault, said))


def _ended_between(event: Event, fault: Event, said: Sequence[Event]) -> bool:
    """Tell whether a long wait was followed by a word that somebody ends the run, and only then by what went wrong."""
    if not event.name.endswith("long") or fault.citation.artifact != event.citation.artifact:
        return False
    first, last = byte_of(event.last or event.citation), byte_of(fault.citation)
    return any(
        other.name == ENDING
        and other.citation.artifact == event.citation.artifact
        and first < byte_of(other.citation) < last
        for other in said
    )


def mode_of(words: str) -> str:
    """Return the failure mode of what a sentence says is waited for."""
    return next((mode for mode, shape in _MODES if shape.search(words)), _FALLBACK)


def _rank(event: Event) -> tuple[int, int]:
    order = ("gave-up", "long", "place", "silent", "begun", "short", "waiting", "ending", "moves")
    return order.index(event.name.removeprefix(STANDSTILL)), byte_of(event.citation)


def _counts(event: Event, part: Facts, facts: Facts, said: Sequence[Event]) -> bool:
    """Tell whether the log ends with an event, in a wait that lasted; `part` are the facts of its artifact alone."""
    last = event.last or event.citation
    own = [entry for entry in part.progress if entry.subject.attempt == event.subject.attempt]
    since = max((byte_of(entry.last_progress) for entry in own), default=0)
    if byte_of(last) < since or _done(part, last) or any(_complete(entry) for entry in own):
        return False
    behind = max((last_line_of(entry.last_line) for entry in own), default=last_line_of(last)) - last_line_of(last)
    name = event.name.removeprefix(STANDSTILL)
    if name in ("ending", "moves"):
        return False
    if name == "begun":
        return any(
            ends(other) and other.captures.get("by") != "scheduler" and byte_of(last) < byte_of(other.citation)
            for other in facts.events
        )
    if name == "silent":
        return was_silent(event, part)
    if name == "place":
        return stands(event, own, part)
    if name in ("gave-up", "long"):
        return behind <= BEHIND
    if behind > NEAR:
        return False
    sure = name == "short" or event.count >= OFTEN
    if sure and any(ends(other) and byte_of(last) < byte_of(other.citation) for other in facts.events):
        return True
    fresh = byte_of(event.citation) >= since
    return fresh and _lasted(event, own, SPAN if name == "short" else WAITED, said)


def _lasted(event: Event, own: Sequence[RankProgress], least: float, said: Sequence[Event]) -> bool:
    """Tell whether such words go on for long: by the clock, by what they say, or by being said very often."""
    least = SOON if event.count >= OFTEN // 2 and event.name.endswith("short") else least
    like = [other for other in said if other.name == event.name and other.citation.artifact == event.citation.artifact]
    if (
        max(other.numbers.get("seconds", 0.0) for other in like) >= least
        and sum(other.count for other in like) >= AGAIN
    ):
        return True
    ends = [entry.last_line_time for entry in own if entry.last_line_time is not None]
    began = event.when
    if began is None or not ends:
        return event.count >= OFTEN
    span = max(
        (end.seconds - began.seconds for end in ends if (end.clock, end.dated) == (began.clock, began.dated)),
        default=0.0,
    )
    return event.count >= AGAIN and span >= least


def _done(part: Facts, last: Citation) -> bool:
    return any(
        byte_of(event.citation) > byte_of(last)
        and (
            (event.kind == FINISH and _BADLY.search(event.excerpt) is None)
            or (event.kind == EXIT and event.numbers.get("code") == 0 and event.captures.get("by") != "program")
        )
        for event in part.events
    )


def _complete(entry: RankProgress) -> bool:
    """Tell whether the planned end was printed; beside epochs it may be that of each of them."""
    if entry.total_steps is None or entry.last_step is None or (entry.last_epoch or 0) >= 1:
        return False
    return entry.last_step >= entry.total_steps


def _claim(event: Event) -> str:
    """Return what the line of an event shows: words about a wait, or a place in work that went no further."""
    name = event.name.removeprefix(STANDSTILL)
    if name == "silent":
        return f"no line for {event.numbers['seconds']:,.0f} s behind this one, until what ended the run says that it lasted too long"
    if name == "begun":
        return "this was begun last, and nothing came of it before the run was ended"
    if name == "place" and "lacks" not in event.captures:
        return "work went no further than this line says, while the log went on"
    times = f", said {event.count:,} times up to the end" if event.count > 1 else ""
    return f"the program says itself that it waits or does not move{times}"


def _first(event: Event, part: Facts, said: Sequence[Event]) -> Event:
    """Return the first word of the same wait behind the last step: where it began, which later ones only repeat."""
    since = max((byte_of(entry.last_progress) for entry in part.progress), default=0)
    mode = mode_of(event.excerpt)
    earlier = [
        other
        for other in said
        if other.citation.artifact == event.citation.artifact
        and other.name.endswith(_WAITING)
        and since <= byte_of(other.citation) < byte_of(event.citation)
        and mode_of(other.excerpt) == mode
    ]
    return min(earlier, key=lambda other: byte_of(other.citation), default=event)


def _match(event: Event, first: Event) -> Match:
    mode = mode_of(event.excerpt)
    return match_of(
        event,
        _claim(event),
        rule="progress/said",
        mode=mode,
        role="cause",
        tier="log",
        began=first,
        captures={"hang": "yes"},
        fixes=FIXES[mode],
        title="The program says that it makes no progress",
    )


DETECTORS = (Detector(id="stall-said", modes=(), find=find, remedies=lambda: dict(FIXES)),)
