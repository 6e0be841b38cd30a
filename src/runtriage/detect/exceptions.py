"""Exceptions no signature explains still get a class: by type, by the module that raised, by the code around it."""

from __future__ import annotations

import builtins
import csv
import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from runtriage.detect import eval_said, stall_said
from runtriage.detect.claims import evidence
from runtriage.detect.endings import SHELL_BASE
from runtriage.detect.engine import Detector
from runtriage.detect.loading import loads_of, while_loading
from runtriage.detect.looked_up import looked_up
from runtriage.detect.measured_words import measured
from runtriage.detect.own_words import ANSWERS, told_by_words
from runtriage.detect.signatures import continued, covering, exception_index, quoted
from runtriage.model.catalogue import Catalogue
from runtriage.model.event import EXCEPTION, SIGNATURE, STATEMENT, Event
from runtriage.model.event_names import MISMATCH, STAGE_FAILED, STAGE_HANDED, STAGE_LATE
from runtriage.model.facts import Facts
from runtriage.model.finding import Match
from runtriage.model.pattern import deferred
from runtriage.model.place import line_of, offset_of
from runtriage.model.taxonomy import GENERIC

_BOUND = 500
_TABLE = "exceptions.csv"
_BROKEN = deferred(r"(?:^|\.)(?:ConnectionResetError|ConnectionRefusedError|BrokenPipeError|EOFError)$")
_BETWEEN = deferred(r"multiprocessing/(?:connection|resource_sharer)\.py")
_SYMPTOMS = frozenset(
    {
        "nccl/unhandled-exception",
        "elastic/child-failed",
        "data/worker-killed",
        "crash/sigterm-external",
        "crash/exit-no-error",
    }
)
"""What a peer or a launcher raises because somebody else failed."""
_LOADING_FRAME = "loading-checkpoint"
_ENGINE_FRAME = "raised-in-an-engine"
_ENGINES = deferred(
    r"[/\\](?:luigi|prefect|dagster|airflow|metaflow|snakemake|flytekit|kfp|zenml|kedro)[/\\](?!_?vendor|cli)"
)
"""Files of an engine that runs the tasks of a workflow."""
_SENTENCE = "SystemExit RuntimeError"
"""The types whose rows a sentence without a type is held against."""
_OWN_WORDS = "own-words"
"""Stands for a mode in rows at which the words of a program's own are weighed; the next rows are for what they do not tell."""
_OF_LIBRARIES = frozenset({"data", "cfg", "io"})
"""What a library's words are about where its exception is one that any code raises."""
_RAISES = deferred(r"\b(?:raise|assert)\b")
_GAVE_UP = "crash/exit-no-error"
"""Tells of a sentence only that a program left with it, whatever the sentence is about."""
_UNNAMED = "crash/unhandled-exception"
_MEASURED = frozenset({"eval", "div", "stall"})
"""What a program judges of its own work, and remarks upon as often as it gives up over it."""
_SURE = frozenset({"nan", "inf", "eval", "div", "oom", "perm", "quota"})
"""Families whose words are seldom said of anything else."""
_STAGE = "orch/component-failed"
_STAGE_FIXES = ("read-first-exit", "find-first-attempt")
_UNRUN = "orch/workflow-upstream.unrun"
"""The signature of an engine's list of tasks that it left out."""
_VAGUE = frozenset(f"{family}/{GENERIC}" for family in ("crash", "cfg", "data", "io", "eval", "stall")) | {
    "orch/component-failed"
}
"""What is left to say of an exception whose type names a family at best."""
_UNNAMED_FIXES = ("read-the-failing-line",)


class _Row(Struct, frozen=True):
    type: re.Pattern[str]
    message: re.Pattern[str]
    frames: re.Pattern[str]
    phase: str
    mode: str
    fixes: tuple[str, ...]


@cache
def _rows() -> tuple[_Row, ...]:
    text = Path(__file__).with_name(_TABLE).read_text(encoding="utf-8")
    return tuple(
        _Row(
            deferred(row["type"] or "", re.IGNORECASE),
            deferred(row["message"] or "", re.IGNORECASE),
            deferred(row["frames"] or "", re.IGNORECASE),
            row["phase"],
            row["mode"],
            tuple(row["fixes"].split()),
        )
        for row in csv.DictReader(line for line in text.splitlines() if not line.startswith("#"))
    )


@lru_cache(maxsize=256)
def _rows_of(name: str) -> tuple[_Row, ...]:
    """Return the rows for a type of exception: most of thousands of exceptions are of few types."""
    return tuple(row for row in _rows() if row.type.search(name))


def find(facts: Facts, catalogue: Catalogue) -> Iterator[Match]:
    """Yield a match for each exception that no cause or symptom of the catalogue claims."""
    claimed = _claimed(facts, catalogue)
    loads = loads_of(facts)
    said = [each for each in facts.events if each.kind == STATEMENT]
    raised = {event.subject.attempt for event in facts.events if event.kind == EXCEPTION and not _said(event)}
    for event in facts.events:
        if (
            event.kind == EXCEPTION
            and id(event) not in claimed
            and not (_said(event) and event.subject.attempt in raised and "child" not in event.captures)
            and not (_said(event) and _of_a_report(event, said))
            and not _misses_what_comes(event, said)
        ):
            found = _spoken(_match(event, while_loading(event, loads), _begun(event, facts)), event, said)
            found = _of_a_value(found, event, facts)
            found = _left(found, event)
            found = _of_a_task(_of_a_stage(found, event, facts), event, facts)
            if not (_said(event) and (found.mode == _UNNAMED or _remarks(event, found.mode, facts))):
                yield found


def _spoken(found: Match, event: Event, said: Sequence[Event]) -> Match:
    """Give an exception of which only the family is known the meaning of the sentence that its message is."""
    first, last = event.citation.first_line, event.citation.last_line
    if first is None or found.mode not in _VAGUE:
        return found
    for each in said:
        same = each.citation.artifact == event.citation.artifact and each.citation.first_line is not None
        if not same or not first <= line_of(each.citation) <= (last or first):
            continue
        if each.name.startswith(MISMATCH):
            return replace(found, mode=eval_said.mode_of(each), fixes=eval_said.fixes_of(each))
        if stall_said.is_a_wait(each, event.captures.get("message", "")):
            return replace(found, mode=(mode := stall_said.mode_of(each.excerpt)), fixes=stall_said.FIXES[mode])
    return found


def _of_a_value(found: Match, event: Event, facts: Facts) -> Match:
    """Give a sentence of the program's own the meaning of the recorded value that it quotes, where only words had told what it is about."""
    if found.mode.partition("/")[0] in _SURE or not found.mode.endswith(f"/{GENERIC}"):
        return found
    own = _raised_by_user(event, event.captures.get("source", "")[:_BOUND])
    family = measured(event, facts) if own else None
    if family is None:
        return found
    mode, fixes = ANSWERS[family]
    return replace(found, mode=mode, fixes=fixes)


def _of_a_report(event: Event, said: Sequence[Event]) -> bool:
    """Tell whether a last sentence stands where a driver reports which stage failed: it is about that, whatever it names."""
    return any(
        each.name in (STAGE_FAILED, STAGE_HANDED) and each.citation.artifact == event.citation.artifact for each in said
    )


def _misses_what_comes(event: Event, said: Sequence[Event]) -> bool:
    """Tell whether it misses a file that another stage then wrote: that is told by the statement about the two."""
    first, last = event.citation.first_line, event.citation.last_line
    return first is not None and any(
        each.name == STAGE_LATE
        and each.citation.artifact == event.citation.artifact
        and first <= line_of(each.citation) <= (last or first)
        for each in said
    )


def _left(found: Match, event: Event) -> Match:
    """Give a last sentence that is about the end of a process, or stands above a farewell, the meaning of an end of the program's own."""
    if not _said(event) or found.mode != _UNNAMED:
        return found
    told = told_by_words("", event.captures.get("message", ""), "")
    return replace(found, mode=_GAVE_UP) if told or event.captures.get("leaves") == "yes" else found


def _of_a_stage(found: Match, event: Event, facts: Facts) -> Match:
    """Give the last words of a child process, of which nothing is known, the meaning of a stage that failed where its driver says that it was one."""
    if "child" not in event.captures or found.mode != _UNNAMED:
        return found
    drivers = (other for other in facts.events if other.kind == EXCEPTION and other.captures.get("chain") == "outer")
    told = any(classify(other)[0] == _STAGE for other in drivers)
    return replace(found, mode=_STAGE) if told else found


def _of_a_task(found: Match, event: Event, facts: Facts) -> Match:
    """Give an exception of which only the family is known the meaning of a task that failed, where its engine says which task that was and which were left out for it.

    What broke is the hand-over from one task to the next as much as the task: nothing but its own words tells the two apart, and training had not begun.
    """
    if _said(event) or found.role != "cause" or found.mode not in _VAGUE or _begun(event, facts):
        return found
    named = [
        other.name.partition("#")[0]
        for other in facts.events
        if other.kind == SIGNATURE and other.citation.artifact == event.citation.artifact
    ]
    if _UNRUN not in named or _STAGE not in (name.partition(".")[0] for name in named):
        return found
    return replace(found, mode=_STAGE, fixes=_STAGE_FIXES)


def _said(event: Event) -> bool:
    """Tell whether it is only a sentence that a program left with."""
    return event.captures.get("said") == "yes"


def _remarks(event: Event, mode: str, facts: Facts) -> bool:
    """Tell whether a last sentence may be a remark, on what was measured or on training that had begun, which ends no program."""
    return event.captures.get("complains") == "yes" and (mode.partition("/")[0] in _MEASURED or _begun(event, facts))


def _claimed(facts: Facts, catalogue: Catalogue) -> set[int]:
    exceptions = exception_index(facts.events)
    claimed: set[int] = set()
    for event in facts.events:
        if event.kind != SIGNATURE:
            continue
        signature = catalogue.signatures.get(event.name.partition("#")[0])
        if signature is None or signature.role in ("advice", "context") or signature.maturity == "sandbox":
            continue
        exception = covering(event, exceptions)
        if exception is not None and _said(exception) and signature.mode == _GAVE_UP:
            continue
        exception = exception or quoted(event, exceptions) or continued(event, signature, exceptions)
        if exception is not None:
            claimed.add(id(exception))
    return claimed


def _begun(event: Event, facts: Facts) -> bool:
    """Tell whether training had begun: this rank printed a step, or another one did, as the only rank that prints any."""
    if event.step is not None:
        return True
    return any(
        entry.subject.attempt == event.subject.attempt
        and entry.last_progress is not None
        and entry.last_step is not None
        and (entry.artifact != event.citation.artifact or offset_of(entry.last_progress) < offset_of(event.citation))
        for entry in facts.progress
    )


def _match(event: Event, loading: bool, begun: bool) -> Match:
    mode, fixes, vague = _classify(event, loading, begun)
    quiet = event.captures.get("ignored") == "yes" or event.captures.get("restated") == "yes"
    message = event.captures.get("message", "")
    where = event.captures.get("user_frame") or event.captures.get("raised_in")
    name = event.name.rpartition(".")[2]
    words = message[:_BOUND] if _said(event) else f"{name}: {message[:_BOUND]}" if message else name
    claim = " ".join(words.split())
    return Match(
        rule=f"exception/{name}",
        mode=mode,
        role="context"
        if quiet
        else "symptom"
        if _signalled(name, message) or _cut(event, mode, vague) or _passed_on(event) or _restates(event, mode)
        else _role(mode),
        maturity="incubating",
        tier="launcher" if mode.startswith("elastic/") else "log" if _said(event) else "exception",
        evidence=(evidence(event, f"{claim[:300]}{f' (at {where})' if where else ''}"),),
        subject=event.subject,
        start=event.when,
        step=event.step,
        count=event.count,
        captures={**event.captures, "exception": name},
        numbers=event.numbers,
        events=(event,),
        fixes=fixes,
        title="The program left with a sentence of its own" if _said(event) else f"{name} was raised and not handled",
    )


def _signalled(name: str, message: str) -> bool:
    """Tell whether a handler of a signal left with the code that stands for it: somebody else ended the program."""
    return name == "SystemExit" and message.isdecimal() and int(message[:4]) > SHELL_BASE


def _cut(event: Event, mode: str, vague: bool) -> bool:
    """Tell whether a traceback ends before it says what was raised, and neither frames nor type tell."""
    return event.captures.get("truncated") == "yes" and (mode == _UNNAMED or vague)


def _passed_on(event: Event) -> bool:
    """Tell whether it passes on what somebody else raised or called off: the exception itself stands below, with its own message.

    A connection between processes of one program (Python's multiprocessing, over which loader workers hand on tensors) breaks because
    the process at its other end is gone.
    """
    if _BROKEN.search(event.name) and _BETWEEN.search(event.captures.get("raised_in", "")):
        return True
    return "RayTaskError(" in event.name or event.name.endswith(
        ("Py4JJavaError", "UnfilteredStackTrace", "CancelledError", "WorkflowError")
    )


def _restates(event: Event, mode: str) -> bool:
    """Tell whether a driver only names the stage whose end it was told by another exception."""
    return mode == _STAGE and event.captures.get("chain") == "outer"


def _role(mode: str) -> str:
    return "symptom" if mode in _SYMPTOMS else "cause"


def classify(event: Event, loading: bool = False, begun: bool = False) -> tuple[str, tuple[str, ...]]:
    """Return the failure mode and fix ids for an exception that has no signature of its own."""
    return _classify(event, loading, begun)[:2]


def _classify(event: Event, loading: bool, begun: bool) -> tuple[str, tuple[str, ...], bool]:
    """Return mode and fixes, and whether the type alone was guessed from."""
    name = _SENTENCE if _said(event) else event.name[:_BOUND]
    message = event.captures.get("message", "")[:_BOUND]
    frames = " ".join(
        event.captures.get(key, "")
        for key in ("user_frame", "user_function", "raised_in", "function", "module", "loads", "fetches")
    )[: 4 * _BOUND]
    if loading:
        frames = f"{_LOADING_FRAME} {frames}"
    if _ENGINES.search(event.captures.get("raised_in", "")):
        frames = f"{_ENGINE_FRAME} {frames}"
    source = event.captures.get("source", "")[:_BOUND]
    if not message and name == "AssertionError":
        message = source.removeprefix("assert ")
    frames = " ".join([*looked_up(source), frames])
    phase = "during" if begun or event.step is not None else "before"
    if _raised_by_user(event, source):
        frames = f"{_OWN_WORDS} {frames}"
    return _told(name, "" if _said(event) else event.name, message, frames, phase, _own_places(event))


@lru_cache(maxsize=4096)
def _told(
    name: str, kind: str, message: str, frames: str, phase: str, places: str
) -> tuple[str, tuple[str, ...], bool]:
    """Return the same by what was raised (`kind` is its type, empty for a sentence of the program's own), its message, and where. Several detectors ask it of each event."""
    for row in _rows_of(name):
        if row.phase and row.phase != phase:
            continue
        if not (row.message.search(message) and row.frames.search(frames)):
            continue
        if row.mode != _OWN_WORDS:
            return row.mode, row.fixes, bool(row.phase) and not (row.message.pattern or row.frames.pattern)
        own = bool(row.frames.pattern)
        told = told_by_words(kind if own else "", message, places)
        if told and (own or told[0].partition("/")[0] in _OF_LIBRARIES):
            return *told, False
    return _UNNAMED, _UNNAMED_FIXES, True


def _raised_by_user(event: Event, source: str) -> bool:
    """Tell whether the words are the program's own: it left with them, or its own line raised them."""
    if _said(event):
        return True
    if event.captures.get("truncated") == "yes":
        return False
    if event.captures.get("raised_in", "") != event.captures.get("user_frame", " "):
        return False
    of_compiled_code = bool(source) and "." in event.name
    return _RAISES.search(source) is not None or not (of_compiled_code or hasattr(builtins, event.name))


def _own_places(event: Event) -> str:
    """Return the names of the function and file that raised, without the folders the file lies in."""
    path, _, _ = event.captures.get("raised_in", "").rpartition(":")
    file = path.replace("\\", "/").rpartition("/")[2].removesuffix(".py")
    return f"{event.captures.get('function', '')} {file}"


def _remedies() -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {_UNNAMED: _UNNAMED_FIXES}
    for mode, fixes in ANSWERS.values():
        found[mode] = (*found.get(mode, ()), *fixes)
    for row in _rows():
        if row.mode == _OWN_WORDS:
            continue
        found[row.mode] = (*found.get(row.mode, ()), *row.fixes)
    return found


DETECTORS = (Detector(id="exceptions", modes=(), find=find, remedies=_remedies),)
