"""Crashes that print no Python traceback of their own: C++ terminate, fatal interpreter errors, syntax errors, bare last lines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from runtriage.model.event import EXCEPTION
from runtriage.model.pattern import deferred
from runtriage.scan.contract import Reading, Row
from runtriage.scan.draft import Draft
from runtriage.scan.rows import hangs
from runtriage.scan.traceback_frames import Frames, read_frame
from runtriage.scan.traceback_line import (
    is_code,
    is_header,
    is_link,
    is_log,
    is_section,
    read_exception,
    went_on,
    without_margin,
)
from runtriage.scan.traceback_notebook import read_arrow
from runtriage.scan.traceback_rows import Line, Rows
from runtriage.scan.traceback_user_code import read_fact

FATAL: Final = "Fatal Python error"
_MESSAGE: Final = 2000
_LINES: Final = 3
"""At most this many lines make the message of an exception that stands alone."""
_DUMP: Final = 4000
STACK: Final = 20
"""Lines above an exception that may hold the end of a stack whose header is not in the text."""
_START: Final = 16
_STATEMENTS: Final = ("raise ", "assert ", "return ")
"""How source begins where the indentation was lost."""
_WITH_FRAMES: Final = frozenset({"AssertionError", "NotImplementedError"})
"""Names that say something without a message only below a stack."""
_TERMINATE = deferred(
    r"terminate called (?:after throwing an instance of '(?P<type>[^']{1,400})'|without an active exception|recursively)"
    r"|terminating (?:due to|with) uncaught exception(?: of type (?P<clang>[\w:<>, ]{1,200}?))?(?:: (?P<message>.*))?$"
)
_WHAT = deferred(r"\s*what\(\):\s?(?P<message>.*)$")
_FATAL = deferred(r"Fatal Python error: (?:(?P<where>[\w.]+): )?(?P<message>.*)$")
_THREAD = deferred(r"(?P<current>Current thread|Thread) 0x[0-9a-f]+(?: \[.{0,80}\])? \(most recent call first\):")
_SWEEP = deferred(
    r"(?:wandb: )?(?:ERROR )?Run \w{6,12} errored: (?P<type>[A-Z]\w{1,60})\((?:\d{1,5}, )?(?P<message>.{0,1500}?),?\)\s*$"
)
_MEMBER = deferred(
    r'\s{1,16}"message": "(?P<type>[A-Z]\w{0,60}(?:Error|Exception|Interrupt)): (?P<message>[^"\\]{0,1000})",?\s*$'
)
"""The exception in the record that torchelastic's error handler writes, one member a line."""
_JULIA = deferred(r"ERROR: LoadError: (?P<type>[A-Z]\w{2,60})(?:\(.{0,200}\))?(?:: (?P<message>.{0,1500}))?$")
_SCRIPT = deferred(r"(?:[\w.@+-]{0,80}/){0,12}[\w.+-]{1,80}\.(?:py|sh|R|jl|pl|rb|lua): ")
_STEP_ENDED = deferred(
    r"g?make(?:\[\d{1,3}\])?: \*\*\* |(?:snakemake|ninja|dvc|just|task|error)\b.{0,80}\b(?:failed|exit)|(?:[\w.-]{1,60}: )?(?:exit(?:ed)? (?:with )?(?:code|status)|exit status|returned?) ?[:=]? ?[1-9]",
    re.IGNORECASE,
)
"""What ran a script of several says of its end."""
_QUOTE: Final = 'ErrorMessage "'
"""What SageMaker's toolkit puts before the last lines of a program that failed; the quotation mark behind the last one closes them."""
_QUOTED: Final = 40
_SYNTAX: Final = ("SyntaxError", "IndentationError", "TabError")


def read_terminate(cue: str, rows: Iterator[Row]) -> Reading:
    """Read what C++ prints when an exception leaves main: its type and what() says."""
    lines = Rows(rows)
    first = lines.take()
    found = _TERMINATE.search(first.text) if first else None
    if first is None or found is None:
        return Reading()
    message, end = found["message"] or "", first.end
    following = lines.peek()
    if following and (what := _WHAT.match(following.text)):
        lines.take()
        message, end = what["message"].strip(), following.end
    name = found["type"] or found["clang"] or "std::terminate"
    captures = {"module": "c++"} | ({"message": message[:_MESSAGE]} if message else {})
    draft = Draft(kind=EXCEPTION, name=name, start=first.start, end=end, captures=captures, numbers={"frames": 0.0})
    return Reading([draft], lines.taken)


def read_fatal(cue: str, rows: Iterator[Row]) -> Reading:
    """Read `Fatal Python error: ...` and the stacks that faulthandler prints below it."""
    lines = Rows(rows)
    first = lines.take()
    found = _FATAL.search(first.text) if first else None
    if first is None or found is None:
        return Reading()
    frames, end = _dump(lines, first)
    captures = frames.captures() | {"message": found["message"].strip()[:_MESSAGE], "fatal": "yes"}
    numbers = {"frames": float(frames.count), "from": float(first.start), "to": float(end)}
    draft = Draft(kind=EXCEPTION, name=FATAL, start=first.start, end=first.end, captures=captures, numbers=numbers)
    return Reading([draft], lines.taken)


def _dump(lines: Rows, first: Line) -> tuple[Frames, int]:
    stacks: list[tuple[bool, Frames]] = []
    end = first.end
    while lines.taken < _DUMP and (line := lines.peek()) is not None:
        if thread := _THREAD.search(line.text):
            stacks.append((thread["current"].startswith("Current"), Frames(first_is_innermost=True)))
        elif (frame := read_frame(line.text)) and stacks:
            stacks[-1][1].add(frame)
        elif line.text.strip() and not line.text.startswith(("  ", "Python runtime state", "Extension modules", "<")):
            break
        lines.take()
        end = line.end if line.text.strip() else end
    current = [frames for is_current, frames in stacks if is_current]
    return (current or [frames for _, frames in stacks[-1:]] or [Frames()])[0], end


def read_syntax(cue: str, rows: Iterator[Row]) -> Reading:
    """Read a syntax error that CPython prints without a traceback header: a place, the source line, a marker, the error."""
    lines = Rows(rows)
    first = lines.take()
    frame = read_frame(first.text) if first else None
    if first is None or frame is None:
        return Reading()
    while lines.taken < 6 and (line := lines.take()) is not None:
        found = read_exception(line.text, after_frames=True)
        if found and found[0] in _SYNTAX:
            frames = Frames()
            frames.add(frame)
            numbers = {"frames": 1.0, "from": float(first.start), "to": float(line.end)}
            captures = frames.captures() | {"message": found[1][:_MESSAGE]}
            draft = Draft(
                kind=EXCEPTION, name=found[0], start=line.start, end=line.end, captures=captures, numbers=numbers
            )
            return Reading([draft], lines.taken)
    return Reading()


def read_bare(cue: str, rows: Iterator[Row]) -> Reading:
    """Read an exception line that stands without the header of its traceback. The first rows are the lines above it."""
    lines = Rows(rows)
    frames, top, asserted = _above(lines)
    line = lines.take()
    if line is not None and line.text.startswith(_QUOTE):
        return _of_service(lines, line)
    other = _of_another(line.text) if line else None
    if line is None or (is_log(line.text) and other is None) or is_header(line.text):
        return Reading(rows=max(lines.taken, 1))
    found = read_exception(without_margin(line.text), after_frames=False) or other or _of_step(lines, line.text)
    placed = bool(frames.count or asserted)
    counts = found is not None and found[0].endswith("Failed") and not found[1][:1].isalpha()
    if (
        found is None
        or counts
        or found[0].endswith("Warning")
        or (found[0] in _WITH_FRAMES and not (found[1] or placed))
    ):
        return Reading(rows=lines.taken)
    message, start, end = _rest(lines, line, found[1])
    captures = frames.captures() if frames.count else {"bare": "yes"}
    if asserted and not frames.count:
        captures["source"] = asserted
    if message:
        captures["message"] = message[:_MESSAGE]
    following = lines.peek()
    if following is not None and went_on(following.text):
        captures["logged"] = "yes"
    numbers = {"frames": float(frames.count)} | ({"from": float(top), "to": float(end)} if frames.count else {})
    draft = Draft(kind=EXCEPTION, name=found[0], start=start, end=end, captures=captures, numbers=numbers)
    return Reading([draft], lines.taken)


def _of_service(lines: Rows, line: Line) -> Reading:
    """Read the exception with which the lines that a service quotes of a program end."""
    line = line._replace(text=line.text.removeprefix(_QUOTE))
    while not line.text.rstrip().endswith('"') and lines.taken < _QUOTED and (below := lines.take()) is not None:
        line = below
    found = read_exception(line.text.strip().removesuffix('"').strip(), after_frames=True)
    if found is None:
        return Reading(rows=lines.taken)
    captures = {"bare": "yes"} | ({"message": found[1][:_MESSAGE]} if found[1] else {})
    draft = Draft(
        kind=EXCEPTION, name=found[0], start=line.start, end=line.end, captures=captures, numbers={"frames": 0.0}
    )
    return Reading([draft], lines.taken)


def _of_step(lines: Rows, text: str) -> tuple[str, str] | None:
    """Return the exception behind the name of a script, where what started the script says right below that it ended badly."""
    named = _SCRIPT.match(text)
    below = lines.peek()
    if named is None or below is None or _STEP_ENDED.match(below.text) is None:
        return None
    return read_exception(text[named.end() :], after_frames=False)


def _of_another(text: str) -> tuple[str, str] | None:
    """Return the exception that ended a run of a sweep, as its agent writes it down, a script of Julia, or a worker of torchelastic."""
    found = _SWEEP.match(text) or _JULIA.match(text) or _MEMBER.match(text)
    return (found["type"], (found["message"] or "").strip("'\"")) if found else None


def _above(lines: Rows) -> tuple[Frames, int, str]:
    """Return the frames above the exception, where the first begins, and the assertion that stands right above, if one does."""
    frames, top, asserted = Frames(), 0, ""
    while (line := lines.peek()) is not None and lines.taken < STACK and hangs(line.text[:_START].encode()):
        if _MEMBER.match(line.text):
            break
        lines.take()
        asserted = line.text.strip() if line.text.lstrip().startswith("assert ") else ""
        if frame := read_frame(line.text):
            top = top if frames.count else line.start
            frames.add(frame)
        elif arrow := read_arrow(line.text):
            frames.point(arrow)
        elif not line.text.strip() or is_code(line.text) or (frames.count and line.text.startswith(_STATEMENTS)):
            frames.quote(line.text.strip())
        else:
            frames, top = Frames(), 0
    return frames, top, asserted


def _rest(lines: Rows, line: Line, first: str) -> tuple[str, int, int]:
    """Return the message, and where it stands: one that is empty or ends in a colon goes on below."""
    if (fact := read_fact(first, lines)) is not None:
        return f"{first} {fact.words}", fact.line.start, fact.line.end
    parts, end = [first], line.end
    if not first and not line.text.rstrip().endswith(":"):  # printed without a message: what follows is somebody else's
        return "", line.start, end
    while len(parts) < _LINES and (not parts[-1] or parts[-1].endswith(":")) and (below := lines.peek()) is not None:
        text = below.text
        if not text.strip() or is_header(text) or is_link(text) or is_log(text) or is_section(text):
            break
        if read_frame(text) or (parts[-1] and read_exception(text, after_frames=False)):
            break
        lines.take()
        parts.append(text.strip())
        end = below.end
    return "\n".join(part for part in parts if part), line.start, end
