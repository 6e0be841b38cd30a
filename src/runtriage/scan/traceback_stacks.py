"""Stacks of a program that lives on in its log: of a watchdog's dump, asked for by a signal, or taken from outside by py-spy."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Final

from msgspec import Struct, field

from runtriage.model.event import STATE
from runtriage.model.pattern import deferred
from runtriage.scan.contract import Reading, Row
from runtriage.scan.draft import Draft
from runtriage.scan.traceback_frames import Frame, is_user, read_frame
from runtriage.scan.traceback_rows import Line, Rows

_TIMEOUT: Final = deferred(r"Timeout \((?:\d{1,3} days?, )?\d{1,3}:\d\d:\d\d(?:\.\d{1,6})?\)!")
_THREAD: Final = deferred(
    r"(?:Current t|T)hread 0x[0-9a-f]{1,16} (?:\[(?P<name>.{0,80})\] )?\(most recent call first\):"
)
_SAMPLED: Final = deferred(
    r'Thread (?:0x[0-9A-Fa-f]{1,16}|\d{1,9}) \((?:idle|active)[^)]{0,30}\)(?:: "(?P<name>.{0,80})")?\s*$'
)
"""How py-spy heads a thread; it is run when somebody wonders where a program stands."""
_SAMPLE: Final = deferred(
    r"\s{2,12}(?P<function>\S.{0,200}?) \((?P<file>[^()]{1,300}?\.\w{1,4}):(?P<line>\d{1,7})\)\s*$"
)
_MAIN: Final = "MainThread"
_PACKAGES: Final = deferred(r".*[/\\](?:site|dist)-packages[/\\]|.*[/\\]lib(?:64)?[/\\]python3\.\d+t?[/\\]")
_INSTALLED: Final = deferred(r"[/\\](?:site|dist)-packages[/\\]")
_DUMP: Final = 4000
_FRAMES: Final = 60
_CITED: Final = 3
"""Frames that are cited: what a thread waits in, and who called it."""
_OTHERS: Final = 8
"""Threads beside the main one that are told of."""


class _Thread(Struct):
    line: Line
    name: str
    sampled: bool = False
    frames: list[Frame] = field(default_factory=list[Frame])
    places: list[Line] = field(default_factory=list[Line])


def read_stacks(cue: str, rows: Iterator[Row]) -> Reading:
    """Read a dump; its main thread is printed last, or says its name."""
    lines = Rows(rows)
    first = lines.peek()
    timed = first is not None and _TIMEOUT.search(first.text) is not None
    if first is not None and timed:
        lines.take()
    threads = [thread for thread in _threads(lines) if thread.frames]
    if not threads:
        return Reading(rows=max(lines.taken, 1))
    main = next((thread for thread in threads if thread.sampled and thread.name == _MAIN), threads[-1])
    others = [thread for thread in threads if thread is not main]
    drafts = [_draft(main, "stack/main", timed), *(_draft(one, "stack/thread", timed) for one in others[-_OTHERS:])]
    if first is not None and timed:
        message = {"message": first.text.strip()}
        drafts.append(Draft(kind=STATE, name="stack/timeout", start=first.start, end=first.end, captures=message))
    return Reading(drafts, lines.taken)


def _threads(lines: Rows) -> Iterator[_Thread]:
    held: _Thread | None = None
    while lines.taken < _DUMP and (line := lines.peek()) is not None:
        named = _THREAD.search(line.text) or _SAMPLED.match(line.text)
        if named:
            if held is not None:
                yield held
            held = _Thread(line, named["name"] or "", sampled=named.re.pattern == _SAMPLED.pattern)
        elif held is not None and (frame := _frame(line.text, held)):
            if len(held.frames) < _FRAMES:
                held.frames.append(frame)
                held.places.append(line)
        elif line.text.strip() and not line.text.startswith(("  ", "<")):
            break
        lines.take()
    if held is not None:
        yield held


def _frame(text: str, thread: _Thread) -> Frame | None:
    found = _SAMPLE.match(text) if thread.sampled else None
    return read_frame(text) if found is None else Frame(found["file"], int(found["line"]), found["function"])


def _own(thread: _Thread) -> Frame | None:
    """Return the innermost frame of the program; py-spy names modules of Python and packages without their folders."""
    own = (frame for frame in thread.frames if is_user(frame))
    return next(
        (frame for frame in own if not thread.sampled or _named(frame.file) not in sys.stdlib_module_names), None
    )


def _named(path: str) -> str:
    return path.partition("/")[0].partition(".")[0]


def _telling(thread: _Thread) -> list[Line]:
    """Return the lines of the innermost frames, or of those down to the first of a package, which says more than what it waits with."""
    last = next((at for at, frame in enumerate(thread.frames) if _INSTALLED.search(frame.file)), _CITED - 1)
    return thread.places[: last + 1][-_CITED:]


def _draft(thread: _Thread, name: str, timed: bool) -> Draft:
    own = _own(thread)
    captures = {
        "message": _shown(thread.frames[0]),
        "thread": thread.name,
        "own": "" if own is None else _shown(own),
        "frames": " < ".join(map(_shown, thread.frames)),
        "asked": "" if timed or thread.sampled else "yes",
    }
    cited = _telling(thread)
    return Draft(
        kind=STATE,
        name=name,
        start=cited[0].start,
        end=cited[-1].end,
        captures={key: value for key, value in captures.items() if value},
    )


def _shown(frame: Frame) -> str:
    return f"{frame.function.rpartition('.')[2] or '?'} ({_PACKAGES.sub('', frame.file)}:{frame.line})"
