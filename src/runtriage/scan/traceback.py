"""Python tracebacks, whoever printed them: chained, grouped, boxed, quoted from a worker, cut short, or logged."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from msgspec import Struct, field

from runtriage.model.event import EXCEPTION
from runtriage.model.handled import goes_on
from runtriage.model.pattern import deferred
from runtriage.model.subject import NOBODY, Subject
from runtriage.scan.block import AHEAD
from runtriage.scan.contract import Reading, Row
from runtriage.scan.draft import Draft
from runtriage.scan.last_words import NAME, refuses
from runtriage.scan.traceback_escaped import caught
from runtriage.scan.traceback_frames import Frames, read_frame
from runtriage.scan.traceback_line import (
    LONGEST,
    announces,
    announces_end,
    is_code,
    is_header,
    is_link,
    is_log,
    is_remote_header,
    is_rule,
    is_section,
    is_sure,
    of_rank,
    passes_on,
    read_exception,
    survives,
    went_on,
    without_margin,
)
from runtriage.scan.traceback_notebook import headed_by
from runtriage.scan.traceback_rows import Line, Rows
from runtriage.scan.traceback_told import tell
from runtriage.scan.traceback_user_code import read_fact

_OPEN: Final = 16
"""Tracebacks that are open at once, those of writers who interrupt one another: more of them are no text of a traceback."""
_FOREIGN: Final = 40
_MESSAGE_LINES: Final = 12
_MESSAGE: Final = 2000
_MORE: Final = 12
"""Characters by which a message has to be longer to tell more."""
_TRACES: Final = 64
_TALL: Final = 100
"""Frames of a traceback that is taller than what is looked at, and not merely one of many that are printed at once."""
TRUNCATED: Final = "Traceback"
"""Name of an exception whose traceback ends before its last line."""
_QUOTES: Final = (" raised:", "error (look up to see its traceback):")
"""Ends of a message whose next line is another exception in full, quoted."""
_LISTS = deferred(r"\d{1,4} validation errors? for [\w.]{1,80}\Z")
"""The message of an exception that names the setting on the next line, and what is wrong with it below."""
_OF_CHILD: Final = "CalledProcessError"
_REMOTE: Final = "ray::"
"""How the message of an exception begins below which Ray prints the frames of another process, sources first or not."""
_WRAPPERS: Final = ("RemoteTraceback", "_RemoteTraceback")
_IGNORE: Final = {"ignored": "yes"}
_SPAWNED = deferred(r"-- Process (\d{1,6}) terminated with the following error:")
_IGNORED = deferred(
    r"Exception ignored |--- Logging error ---|Error in atexit\._run_exitfuncs|Error in sys\.(?:excepthook|exitfunc)"
    r"|\d{1,6} fits failed with the following error:|Expecting:\s*$|\s{0,3}(?:```|~~~)\w{0,12}\s*$"
)
"""Lines above what ends nothing: finalisers, loggers, fits that a search leaves out, what a doctest expects, a block that Markdown quotes."""
_WARNED = deferred(r"(?:\[\w-]{1,40}\]:? ?)?W\d{4} \d\d:\d\d:\d\d")
"""Before each line of a traceback that is logged at the level of warnings, in glog's form."""
_THREAD = deferred(r"Exception in thread (?P<thread>.{1,120}?):?$")
_TASK = deferred(
    r"(?:future|task): <(?:Task|Future)|(?:Task|Future) exception was never retrieved|exception calling callback"
)


class _Trace(Struct):
    """One exception as it is read."""

    start: int
    frames: Frames = field(default_factory=Frames)
    remote: bool = False
    wraps: bool = False
    worker: int | None = None
    name: str = ""
    message: str = ""
    line_start: int = 0
    line_end: int = 0
    end: int = 0
    head_end: int = 0
    headed: str = ""
    of_rank: str = ""
    chain: str = ""
    restated: bool = False
    bare: bool = False
    boxed: bool = False
    """Its frames stand in a box, as rich draws it: the message below is wrapped to the width of the window."""

    def goes_on(self) -> bool:
        """Tell whether it fills all that may be looked at: its last line stands further on and is met there, this is no end."""
        return self.frames.count >= _TALL and self.end - self.start >= AHEAD - LONGEST


class _Reader(Struct):
    """Reads one traceback with everything that hangs on it."""

    rows: Rows
    open: list[_Trace] = field(default_factory=list[_Trace])
    done: list[_Trace] = field(default_factory=list[_Trace])
    foreign: int = 0
    linked: bool = False
    grouped: bool = False
    ruled: bool = False
    quoted: bool = False
    worker: int | None = None

    def read(self) -> None:
        """Take rows until nothing is open and nothing is linked."""
        while len(self.done) < _TRACES and (line := self.rows.peek()) is not None:
            step = self._inside if self.open else self._between
            if not step(line):
                break
        beyond = self.rows.peek() is None
        self.done.extend(trace for trace in self.open if trace.frames.count and not (beyond and trace.goes_on()))

    def _inside(self, line: Line) -> bool:
        trace, said = self.open[-1], tell(line.text)
        if said.header:
            if len(self.open) >= _OPEN:
                return False
            self._begin(line, said.text)
        elif said.frame:
            trace.frames.add(said.frame)
            trace.boxed = trace.boxed or line.text.startswith("│")
            self.foreign = 0
        elif said.arrow:
            trace.frames.point(said.arrow)
            self.foreign = 0
        elif said.code is not None:
            trace.frames.quote(said.code)
        elif said.last and self._ends(said.text):
            self._finish(line, *said.last)
            return True
        else:
            self.foreign += 1
            if self.foreign > _FOREIGN:
                return False
        self.rows.take()
        trace.end = line.end
        return True

    def _ends(self, text: str) -> bool:
        """Tell whether a line that could name an exception does end the traceback: no more of it follows, nor a surer name."""
        if is_sure(text):
            return True
        after = self.rows.after()
        return after is None or not (read_frame(after) or after.startswith("  ") or is_sure(after))

    def _begin(self, line: Line, text: str) -> None:
        if self.open and self.open[-1].frames.count and passes_on(text):
            self.open.pop()
            self.quoted = True
        remote = is_remote_header(text) or self.quoted
        headed = headed_by(text)
        told = of_rank(text)
        self.open.append(
            _Trace(line.start, remote=remote, worker=self.worker, head_end=line.end, headed=headed, of_rank=told)
        )
        if is_remote_header(text) and self.done:
            self.done[-1].wraps = True
        self.linked = self.quoted = False
        self.foreign = 0

    def _finish(self, line: Line, name: str, message: str) -> None:
        trace = self.open.pop()
        if not trace.frames.count and self.open:
            trace.frames = self.open[-1].frames
        trace.name, trace.line_start, trace.line_end = name, line.start, line.end
        self.rows.take()
        trace.bare = not message and not line.text.rstrip().endswith(":")
        trace.message = self._message(self._unwrapped(line, message, trace), trace)
        self.done.append(trace)

    def _unwrapped(self, line: Line, message: str, trace: _Trace) -> str:
        """Return a message with the rows that rich broke it into: each but the last ends with the blank at which it was broken."""
        while trace.boxed and line.text.endswith(" ") and (after := self.rows.peek()) is not None:
            if (
                after.text[:1].isspace()
                or not self._continues(after, after.text)
                or after.start - trace.line_start > _MESSAGE
            ):
                break
            self.rows.take()
            message, line = f"{message} {after.text.strip()}", after
            trace.line_end = after.end
        return message

    def _message(self, first: str, trace: _Trace) -> str:
        parts = [first]
        lists = _LISTS.match(first) is not None
        trace.end = trace.line_end
        if (fact := read_fact(first, self.rows)) is not None:
            trace.line_start, trace.line_end = fact.line.start, fact.line.end
            trace.end = fact.line.end
            return f"{first} {fact.words}"[:_MESSAGE]
        while len(parts) <= _MESSAGE_LINES and (line := self.rows.peek()) is not None:
            text = without_margin(line.text)
            expected = (
                (not any(parts) and not trace.bare)
                or parts[-1].endswith((":", "(", "[", "{"))
                or (lists and len(parts) == 1)
            )
            quoted = parts[-1].endswith(_QUOTES) and not is_header(text)
            if not quoted and (not (text[:1] in " \t" or expected) or not self._continues(line, text)):
                break
            self.rows.take()
            parts.append(text.strip())
            trace.end = line.end
            if (not first or lists or first.endswith(":")) and len(parts) <= 3 and line.start - trace.line_end <= 2:
                trace.line_end = line.end
        told = [": ".join(parts[:3]), *parts[3:]] if lists else parts
        return "\n".join(part for part in told if part)[:_MESSAGE]

    def _continues(self, line: Line, text: str) -> bool:
        stripped = text.strip()
        if (
            not stripped
            or stripped == '"""'
            or _SPAWNED.match(stripped)
            or is_header(text)
            or is_link(text)
            or is_rule(line.text)
        ):
            return False
        return not (is_log(text) or is_section(text) or read_frame(text) or read_exception(text, after_frames=False))

    def _between(self, line: Line) -> bool:
        text = without_margin(line.text)
        stripped = text.strip()
        ruled, self.ruled = self.ruled, False
        if is_header(text):
            if self.done and not (self.linked or self.grouped or self.quoted or is_remote_header(text)):
                return False
            self._begin(line, text)
        elif is_link(text):
            self.linked = True
            self._mark_inner()
        elif is_rule(line.text):
            self.grouped = self.ruled = True
        elif stripped == '"""':
            self.quoted = not self.quoted and not self.done
        elif self.done and (spawned := _SPAWNED.match(stripped)):
            self.done[-1].wraps = self.quoted = True
            self.worker = int(spawned[1])
        elif self.done and read_frame(text):
            self.done[-1].wraps = True
            self.open.append(_Trace(line.start, remote=True, head_end=line.end))
            return True
        elif (self.linked or self.grouped) and stripped and (found := read_exception(text, after_frames=ruled)):
            self.open.append(_Trace(line.start))
            self._finish(line, *found)
            return True
        elif stripped and not (self.done and self.done[-1].message.startswith(_REMOTE) and is_code(text)):
            return False
        self.rows.take()
        return True

    def _mark_inner(self) -> None:
        for trace in self.done:
            if not trace.chain:
                trace.chain = "inner"


def read_traceback(cue: str, rows: Iterator[Row]) -> Reading:
    """Read a traceback and all it is chained to. The first row is the line above the one that woke the reader."""
    lines = Rows(rows)
    above = lines.take()
    record = lines.unfold()
    first = lines.peek()
    warned = caught(record) if record is not None else first is not None and _WARNED.match(first.text) is not None
    if record is None:
        lines.take_off_before("Traceback (most recent call last)")
    reader = _Reader(lines, quoted=above is not None and above.text.strip() == '"""')
    reader.read()
    if record is not None:
        lines.fold()
    traces = [trace for trace in _named(reader.done) if trace.name.rpartition(".")[2] not in _WRAPPERS]
    _relate(traces, reader.grouped)
    below = _next_words(lines)
    around = _IGNORE if warned else _around(record or (above.text if above else ""), below)
    drafts = [_draft(trace, around) for trace in traces]
    if drafts and "main" in drafts[0].captures and not (went_on(below) or goes_on(below)):
        drafts[0].captures.pop(
            "handled", None
        )  # what is above may be about something else: the program itself may have ended here
    if above and any(draft.name.endswith(_OF_CHILD) for draft in drafts) and refuses(above.text):
        drafts.insert(0, _child_said(above))
    return Reading(drafts, max(lines.taken, 1))


def _child_said(line: Line) -> Draft:
    """The last words of a child process right above the traceback of the parent that waited for it."""
    captures = {"message": line.text.strip(), "bare": "yes", "said": "yes", "child": "yes"}
    return Draft(kind=EXCEPTION, name=NAME, start=line.start, end=line.end, captures=captures, numbers={"frames": 0.0})


def _named(traces: list[_Trace]) -> list[_Trace]:
    """Leave out a quoted traceback that was cut before its last line: what wraps it names it, and takes its frames."""
    kept: list[_Trace] = []
    for trace in traces:
        if kept and kept[-1].wraps and not (trace.name or trace.headed):
            kept[-1].frames, kept[-1].wraps, kept[-1].end = trace.frames, False, trace.end
        else:
            kept.append(trace)
    return kept


def _relate(traces: list[_Trace], grouped: bool) -> None:
    if len(traces) < 2:
        for trace in traces:
            trace.chain = ""
        return
    if grouped:
        traces[0].chain = "outer"
        _frames_of_the_group(traces)
    for earlier, later in pairwise(traces):
        earlier.restated = not earlier.wraps and not grouped and _tells_more(earlier, later)
        if earlier.wraps or earlier.restated:
            earlier.chain, later.chain = "outer", "inner"
        elif grouped:
            later.chain = "inner"
        elif earlier.chain == "inner" and not later.chain:
            later.chain = "outer"
    for trace in traces:
        if trace.name.endswith("Group"):
            trace.chain = "outer"


def _frames_of_the_group(traces: list[_Trace]) -> None:
    """Give the parts of a group that were never raised the frames of where the group was."""
    for trace in traces[1:]:
        if not trace.frames.count:
            trace.frames = traces[0].frames


def _tells_more(earlier: _Trace, later: _Trace) -> bool:
    """Tell whether an exception of the same type says what the one it followed said, and what that means."""
    words = earlier.message.strip("'\" ")
    return earlier.name == later.name and 0 < len(words) < len(later.message) - _MORE and words in later.message


def _next_words(lines: Rows) -> str:
    while (line := lines.peek()) is not None and not line.text.strip():
        lines.take()
    return line.text if line else ""


def _around(above: str, below: str) -> dict[str, str]:
    if _IGNORED.match(above):
        return _IGNORE
    if found := _THREAD.match(above):
        return {"thread": found["thread"]}
    if _TASK.search(above):
        return _IGNORE
    if survives(above) or (goes_on(below) and announces_end(below)):
        return {"logged": "yes", "handled": "yes"}
    return {"logged": "yes"} if announces(above) and went_on(below) else {}


def _draft(trace: _Trace, around: dict[str, str]) -> Draft:
    captures = trace.frames.captures() | around
    if trace.message:
        captures["message"] = trace.message
    if trace.chain:
        captures["chain"] = trace.chain
    if trace.restated:
        captures["restated"] = "yes"
    if trace.remote:
        captures["remote"] = "yes"
    if trace.of_rank:
        captures["culprit_rank"] = trace.of_rank
    if not trace.name:
        captures["truncated"] = "yes"
    numbers = {"frames": float(trace.frames.count), "from": float(trace.start), "to": float(trace.end)}
    start, end = (trace.line_start, trace.line_end) if trace.name else (trace.start, trace.head_end)
    subject = NOBODY if trace.worker is None else Subject(local_rank=trace.worker)
    return Draft(
        kind=EXCEPTION,
        name=trace.name or trace.headed or TRUNCATED,
        start=start,
        end=end,
        captures=captures,
        numbers=numbers,
        subject=subject,
    )
