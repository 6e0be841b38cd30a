"""Matches of the catalogue: one event, one meaning; an exception on the same lines lends its frames."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from runtriage.detect.claims import effective_start, evidence
from runtriage.detect.engine import Detector
from runtriage.detect.gpu_memory import growing, of_jax, told
from runtriage.detect.kernel_time import KernelTime
from runtriage.detect.loading import loads_of, mode_while_loading, mode_while_writing, while_fetching
from runtriage.detect.recovery import clears_of, is_clear, recovered, troubles_of
from runtriage.detect.spelling import correction
from runtriage.model.amount import memory
from runtriage.model.catalogue import Catalogue, Signature
from runtriage.model.event import EXCEPTION, SIGNATURE, Event
from runtriage.model.facts import Facts
from runtriage.model.finding import Match
from runtriage.model.handled import goes_on
from runtriage.model.pattern import deferred
from runtriage.model.place import last_line_of, line_of
from runtriage.model.subject import Subject

_EXCEPTION_LINES = 12
"""How many lines of a multi-line exception message a signature may sit on and still speak for that exception."""
_CONTINUED = 2
"""How many lines below an exception its message may go on."""
_QUOTED = 40
"""How much of a message a source line must repeat; further on it may be formatted."""
_LEAST_QUOTED = 8
_HEAD = 200
_COMPILER_WARNS = deferred(r"(?:^|[\s\]:])W\d{4} \d\d:\d\d:\d\d\.\d{3,9} \d+ torch/_dynamo/convert_frame\.py:\d+\]")

_WARNS = deferred(r"(?:^|\.py:\d{1,6}: )\w*Warning: ")
"""What Python's `warnings` print: the program went on after it."""
_FRAMED = deferred(r"#{1,4}\s.{1,400}\s#{1,4}")

_PLACE = frozenset({"rank", "node", "pod", "gpu", "pid", "ran_ms"})
_UNNAMED = frozenset({"what", "reason", "detail"})
"""Captures that are words of their own, and no value of something."""
_BYTES = deferred(r"(\d{7,18}) bytes")
"""A number of bytes that nobody reads at a glance."""
_VALUE = 60
_VALUES = 4


def find(facts: Facts, catalogue: Catalogue) -> Iterator[Match]:
    """Yield one match for each signature event."""
    exceptions = exception_index(facts.events)
    clears = clears_of(facts.events)
    loads = loads_of(facts)
    troubles = troubles_of(facts.events, catalogue) if clears else []
    clock = KernelTime(facts, catalogue)
    grown = growing(facts)
    for event in facts.events:
        if event.kind != SIGNATURE or is_clear(event):
            continue
        signature = catalogue.signatures.get(event.name.partition("#")[0])
        if signature is None or not _applies(signature, facts):
            continue
        exception = covering(event, exceptions) or continued(event, signature, exceptions)
        signature = while_fetching(signature, exception, catalogue)
        found = match(event, signature, exception or quoted(event, exceptions))
        if len(found.events) > 1 and (exception is None or _whole(event, exception)):
            found = replace(found, evidence=(evidence(found.events[1], found.evidence[0].claim),))
        wrong = correction(event, facts)
        if wrong is not None:
            proof = evidence(event, f"{signature.title}: {wrong}")
            found = replace(found, evidence=(proof,), captures={**found.captures, "correction": wrong})
        found = replace(found, mode=mode_while_writing(mode_while_loading(found.mode, exception, loads), exception))
        found = of_jax(told(found, event, grown), facts, catalogue)
        over = recovered(event, clears, troubles) or clock.misses(event) or _fell_back(event) or _posted(event)
        yield replace(found, role="context") if over else found


def matched(facts: Facts, begins: tuple[str, ...]) -> bool:
    """Tell whether a signature whose id begins in one of these ways matched anywhere."""
    return last_matched(facts, begins) is not None


def last_matched(facts: Facts, begins: tuple[str, ...]) -> Event | None:
    """Return the last line that a signature whose id begins in one of these ways matched."""
    return next(
        (event for event in reversed(facts.events) if event.kind == SIGNATURE and event.name.startswith(begins)), None
    )


def exception_index(events: Sequence[Event]) -> dict[str, list[Event]]:
    """Return the exceptions of each artifact, in reading order."""
    index: dict[str, list[Event]] = {}
    for event in events:
        if event.kind == EXCEPTION:
            index.setdefault(event.citation.artifact, []).append(event)
    return index


def covering(event: Event, exceptions: dict[str, list[Event]]) -> Event | None:
    """Return the exception whose message an event's line belongs to, or None."""
    line = event.citation.first_line
    if line is None:
        return None
    for candidate in exceptions.get(event.citation.artifact, ()):
        first = candidate.citation.first_line
        if first is not None and first <= line <= max(
            candidate.citation.last_line or first, first + _message_lines(candidate)
        ):
            return candidate
    return None


def _fell_back(event: Event) -> bool:
    """Tell whether the compiler only warns: with errors suppressed it logs them at level W and runs the code uncompiled."""
    return _COMPILER_WARNS.search(event.excerpt[:_HEAD]) is not None


def _whole(event: Event, exception: Event) -> bool:
    """Tell whether a message of a few lines starts on the event's line: what matters may stand below it."""
    return exception.citation.first_line == event.citation.first_line != exception.citation.last_line


def quoted(event: Event, exceptions: dict[str, list[Event]]) -> Event | None:
    """Return the exception whose traceback quotes an event's line as source: the line that raised it holds its message."""
    line = event.citation.first_line
    if line is None:
        return None
    for candidate in exceptions.get(event.citation.artifact, ()):
        message = candidate.captures.get("message", "")[:_QUOTED]
        if candidate.numbers.get("first_line", line + 1) <= line < line_of(candidate.citation):
            return candidate if len(message) >= _LEAST_QUOTED and message in event.excerpt else None
    return None


def continued(event: Event, signature: Signature, exceptions: dict[str, list[Event]]) -> Event | None:
    """Return the exception right above an event whose signature is about exceptions: its message went on behind an empty line."""
    line = event.citation.first_line
    if line is None or signature.tier != "exception":
        return None
    ends = [
        (last_line_of(candidate.citation), candidate)
        for candidate in exceptions.get(event.citation.artifact, ())
        if candidate.numbers.get("frames", 0) > 0
    ]
    near = [candidate for end, candidate in ends if 0 < line - end <= _CONTINUED and not _anew(event, candidate)]
    return near[-1] if near else None


def _anew(event: Event, exception: Event) -> bool:
    """Tell whether a line begins something new: another rank speaks, or it prints a time where the exception prints none."""
    return event.subject.rank != exception.subject.rank or (event.when is not None and exception.when is None)


def _message_lines(exception: Event) -> int:
    return min(int(exception.numbers.get("message_lines", 1)), _EXCEPTION_LINES) - 1


def match(event: Event, signature: Signature, exception: Event | None = None) -> Match:
    """Turn one signature event into a match."""
    lent = dict(exception.captures) if exception else {}
    return Match(
        rule=signature.id,
        mode=signature.mode,
        role=_role(signature.role, exception),
        maturity=signature.maturity,
        tier=signature.tier,
        evidence=(evidence(event, _claim(signature, event, lent.get("message", ""))),),
        subject=_subject(event),
        scope=signature.scope,
        start=effective_start(event),
        step=event.step,
        count=event.count,
        captures={**lent, **event.captures, **_handled(event, signature, exception)},
        numbers=event.numbers,
        events=(event,) if exception is None else (event, exception),
        fixes=signature.fixes,
        title=signature.title,
    )


def _handled(event: Event, signature: Signature, exception: Event | None) -> dict[str, str]:
    """Say of a line without a traceback whether its program says beside the fault that it goes on; a kernel speaks for no program."""
    alone = exception is None and signature.tier in ("log", "exception")
    warns = signature.role == "confirmation" and _WARNS.search(event.excerpt[:_HEAD]) is not None
    return {"handled": "yes"} if alone and (warns or goes_on(event.excerpt)) else {}


def _posted(event: Event) -> bool:
    """Tell whether a line is of a notice in a frame of signs: it speaks of what may happen, and is no report."""
    return _FRAMED.fullmatch(event.excerpt.strip()) is not None


def _claim(signature: Signature, event: Event, message: str = "") -> str:
    """Return the title with the values the line carries; one that is broken off at its end goes on as in the `message` of the exception."""
    told = {
        name: _whole_value(value.strip(), event.excerpt.rstrip(), message) for name, value in event.captures.items()
    }
    values = [
        value if name in _UNNAMED else f"{_named(name.replace('_', ' '), value, event.excerpt)} {value}"
        for name, value in told.items()
        if name not in _PLACE and 0 < len(value) <= _VALUE
    ]
    return f"{signature.title}: {', '.join(values[:_VALUES])}" if values else signature.title


def _whole_value(value: str, line: str, message: str) -> str:
    rest = message.partition(value)[2].split("\n")[0] if value and line.endswith(value) else ""
    if count := _BYTES.fullmatch(value):
        return f"{value} ({memory(count[1])})"
    return f"{value}{rest}" if rest[:1] == " " and len(value + rest) <= _VALUE else value


def _named(name: str, value: str, line: str) -> str:
    """Return what a value is of, in the singular where the line says so: `task 0` is the number of one task."""
    one = name.removesuffix("s")
    return one if f"{one} {value}" in line and f"{name} {value}" not in line else name


def _subject(event: Event) -> Subject:
    """Return whom the line is about: its prefix says so, else the line itself."""
    named = event.subject
    rank, pid = event.numbers.get("rank"), event.numbers.get("pid")
    return replace(
        named,
        rank=int(rank) if named.rank is None and rank is not None else named.rank,
        pid=int(pid) if named.pid is None and pid is not None else named.pid,
        node=named.node or event.captures.get("node"),
        pod=named.pod or event.captures.get("pod"),
        gpu=named.gpu or event.captures.get("gpu"),
    )


def _role(role: str, exception: Event | None) -> str:
    if exception is not None and exception.captures.get("ignored") == "yes" and role == "cause":
        return "context"
    return role


def _applies(signature: Signature, facts: Facts) -> bool:
    chosen = facts.options.framework
    return chosen is None or not signature.frameworks or chosen in signature.frameworks


DETECTORS = (Detector(id="signatures", modes=(), find=find),)
