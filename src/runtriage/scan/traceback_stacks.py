"""Stacks that faulthandler prints into a log of a program that lives on: of a watchdog's dump, or one that was asked for by a signal."""

from __future__ import annotations

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
_PACKAGES: Final = deferred(r".*[/\\](?:site|dist)-packages[/\\]|.*[/\\]lib(?:64)?[/\\]python3\.\d+t?[/\\]")
_DUMP: Final = 4000
_FRAMES: Final = 60
_OTHERS: Final = 8
"""Threads beside the main one that are told of."""


class _Thread(Struct):
    line: Line
    name: str
    frames: list[Frame] = field(default_factory=list[Frame])


def read_stacks(cue: str, rows: Iterator[Row]) -> Reading:
    """Read a dump; its main thread is printed last."""
    lines = Rows(rows)
    first = lines.peek()
    timed = first is not None and _TIMEOUT.search(first.text) is not None
    if first is not None and timed:
        lines.take()
    threads = [thread for thread in _threads(lines) if thread.frames]
    if not threads:
        return Reading(rows=max(lines.taken, 1))
    main, others = threads[-1], threads[:-1]
    drafts = [_draft(main, "stack/main", timed), *(_draft(one, "stack/thread", timed) for one in others[-_OTHERS:])]
    if first is not None and timed:
        message = {"message": first.text.strip()}
        drafts.append(Draft(kind=STATE, name="stack/timeout", start=first.start, end=first.end, captures=message))
    return Reading(drafts, lines.taken)


def _threads(lines: Rows) -> Iterator[_Thread]:
    held: _Thread | None = None
    while lines.taken < _DUMP and (line := lines.peek()) is not None:
        if named := _THREAD.search(line.text):
            if held is not None:
                yield held
            held = _Thread(line, named["name"] or "")
        elif held is not None and (frame := read_frame(line.text)):
            if len(held.frames) < _FRAMES:
                held.frames.append(frame)
        elif line.text.strip() and not line.text.startswith(("  ", "<")):
            break
        lines.take()
    if held is not None:
        yield held


def _draft(thread: _Thread, name: str, timed: bool) -> Draft:
    own = next((frame for frame in thread.frames if is_user(frame)), None)
    captures = {
        "message": _shown(thread.frames[0]),
        "thread": thread.name,
        "own": "" if own is None else _shown(own),
        "frames": " < ".join(map(_shown, thread.frames)),
        "asked": "" if timed else "yes",
    }
    line = thread.line
    return Draft(
        kind=STATE,
        name=name,
        start=line.start,
        end=line.end,
        captures={key: value for key, value in captures.items() if value},
    )


def _shown(frame: Frame) -> str:
    return f"{frame.function.rpartition('.')[2] or '?'} ({_PACKAGES.sub('', frame.file)}:{frame.line})"
