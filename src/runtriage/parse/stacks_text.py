"""Stacks as people see them: py-spy's text and the dumps of Python's own faulthandler."""

from __future__ import annotations

import re
from collections.abc import Iterator
from hashlib import sha256
from typing import Final

from msgspec.structs import replace

from runtriage.model.pattern import deferred
from runtriage.model.place import byte_of, line_of
from runtriage.parse.stacks_thread import FRAMES, Process, Thread, frame
from runtriage.parse.tables import Line, cite, lines

SPY: Final = deferred(rb"^Process \d+: [^\n]*\n(?:Python v|\n)", 8)
FAULT: Final = deferred(rb"^(?:Current t|T)hread 0x[0-9a-f]+ [^\n]{0,80}\(most recent call first\):", 8)

_PROCESS: Final = deferred(r"Process (\d+): (.*)")
_THREAD: Final = deferred(r'Thread (?:0x[0-9A-Fa-f]+|\d+) \([^)]*\)(?:: "(.*)")?')
_FRAME: Final = deferred(r"\s{2,}(\S.{0,200}?) \((.{1,300}?)(?::(\d{1,7}))?\)")
_FAULT_THREAD: Final = deferred(r"(Current t|T)hread 0x[0-9a-f]+ (?:\[(.*)\] )?\(most recent call first\):")
_FAULT_FRAME: Final = deferred(r'\s+File "(.{1,500}?)", line (\d{1,7}) in (.{1,200})')
_FAULT_START: Final = deferred(r"Timeout \((?:\d+ days?, )?\d+:\d\d:\d\d(?:\.\d+)?\)!|Fatal Python error: .*")
_RANK: Final = deferred(r"--(?:local[_-])?rank[= ](\d{1,6})\b")
_HEADING: Final = deferred(r"[^\n]{0,60}?\brank[ _:=#-]{0,3}(\d{1,6})\b[^\n]{0,100}", re.IGNORECASE)
"""What people put above a dump when they collect those of all ranks in one file; a line that names several ranks heads none."""
_NAMED: Final = deferred(r"\brank[ _:=#-]{0,3}\d", re.IGNORECASE)
_CITED: Final = 3
_MOST: Final = 4096


def read_spy(content: bytes, artifact: str) -> list[Process]:
    """Return the processes of one or more dumps of py-spy."""
    found: list[Process] = []
    thread: Thread | None = None
    above: int | None = None
    for line in lines(content):
        if process := _PROCESS.fullmatch(line.text):
            rank = _RANK.search(process[2])
            found.append(Process(int(process[1]), int(rank[1]) if rank else above))
            thread = above = None
        elif (named := _THREAD.fullmatch(line.text)) and found:
            thread = Thread(named[1] or "", cite(artifact, line), main=named[1] == "MainThread")
            found[-1].threads.append(thread)
        elif thread is not None and (call := _FRAME.fullmatch(line.text)):
            _add(thread, call[1], call[2], int(call[3] or 0))
            _cite(thread, content, line)
        elif (heading := _heading(line.text)) is not None:
            above = heading
        if len(found) >= _MOST:
            break
    return found


def _heading(text: str) -> int | None:
    """Return the rank that a line between two dumps names, None where it names none or several."""
    found = _HEADING.fullmatch(text.rstrip())
    return int(found[1]) if found and len(_NAMED.findall(text)) == 1 else None


def read_fault(content: bytes, artifact: str) -> list[Process]:
    """Return the threads of the last dump of faulthandler in a file: its main thread is printed last."""
    dumps: list[list[Thread]] = [[]]
    for line in lines(content):
        if _FAULT_START.fullmatch(line.text):
            dumps.append([])
        elif named := _FAULT_THREAD.fullmatch(line.text):
            dumps[-1].append(Thread(named[2] or "", cite(artifact, line)))
        elif dumps[-1] and (call := _FAULT_FRAME.fullmatch(line.text)):
            _add(dumps[-1][-1], call[3], call[1], int(call[2]))
            _cite(dumps[-1][-1], content, line)
    last = next((threads for threads in reversed(dumps) if threads), list[Thread]())
    if not last:
        return []
    last[-1].main = True
    return [Process(None, None, last[-FRAMES:])]


def _cite(thread: Thread, content: bytes, line: Line) -> None:
    """Take a line into what a thread is cited by: its heading, and the innermost frames, which say where it stands."""
    where = thread.citation
    start, end = byte_of(where), line.start + len(line.raw)
    if line.number - line_of(where) < _CITED:
        thread.citation = replace(
            where, last_line=line.number, byte_end=end, sha256=sha256(content[start:end]).hexdigest()
        )


def _add(thread: Thread, function: str, path: str, number: int) -> None:
    if len(thread.frames) < FRAMES:
        thread.frames.append(frame(function, path, number))


def timeouts(content: bytes) -> Iterator[Line]:
    """Yield the lines that say that a dump was made because time ran out."""
    return (line for line in lines(content) if line.text.startswith("Timeout (") and _FAULT_START.fullmatch(line.text))
