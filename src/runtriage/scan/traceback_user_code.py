"""What follows `in user code:`: TensorFlow prints the frames of the traced function there, and the exception itself last, indented."""

from __future__ import annotations

from typing import Final

from runtriage.model.pattern import deferred
from runtriage.scan.traceback_graph import GRAPH, Fact, read_graph
from runtriage.scan.traceback_line import is_header, is_link, is_log
from runtriage.scan.traceback_rows import Line, Rows

USER_CODE: Final = "in user code:"
_FAR: Final = 200
_INNER = deferred(r"[A-Za-z_][\w.]{0,120}(?:Error|Exception): (?P<message>.{1,1500})$")
_AROUND: Final = "Exception encountered when calling"
_AFTERWARDS: Final = "Call arguments received"


def read_fact(first: str, rows: Rows) -> Fact | None:
    """Return what a message says that only announces it; None for any other message."""
    if first == GRAPH:
        return read_graph(rows)
    return read_user_code(rows) if first == USER_CODE else None


def read_user_code(rows: Rows) -> Fact | None:
    """Take the indented rows and return the line that says what went wrong, and its words. None when none comes."""
    fact: Fact | None = None
    awaits = False
    for _ in range(_FAR):
        line = rows.peek()
        if line is None or _ends(line):
            break
        rows.take()
        words = line.text.strip()
        found = _INNER.match(words)
        if found is not None:
            fact, awaits = Fact(line, found["message"]), found["message"].startswith(_AROUND)
        elif awaits and words and not words.startswith(_AFTERWARDS):
            fact, awaits = Fact(line, words), False
        elif words.startswith(_AFTERWARDS):
            awaits = False
    return fact


def _ends(line: Line) -> bool:
    text = line.text
    if text.strip() and text[:1] not in " \t":
        return True
    return is_header(text) or is_link(text) or is_log(text)
