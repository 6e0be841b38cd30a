"""What follows `Graph execution error:`: TensorFlow prints where the node was defined first, and what went wrong last."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from runtriage.model.pattern import deferred
from runtriage.scan.traceback_line import is_header, is_link, is_log
from runtriage.scan.traceback_rows import Line, Rows

GRAPH: Final = "Graph execution error:"
_FAR: Final = 160
_NODE: Final = "[[{{node"
_NUMBERED = deferred(r"\(\d{1,3}\) (?:[A-Z_]{3,30}|[A-Z][a-z ]{3,30}): {1,2}")


class Fact(Struct, frozen=True):
    """The line that says what went wrong, and its words."""

    line: Line
    words: str


def read_graph(rows: Rows) -> Fact | None:
    """Take rows up to the first that names a node in double braces; the line above it is the fact. None when none comes."""
    fact: Line | None = None
    for _ in range(_FAR):
        line = rows.peek()
        if line is None or is_header(line.text) or is_link(line.text) or is_log(line.text):
            return None
        if _NODE in line.text:
            break
        rows.take()
        if line.text.strip():
            fact = line
    else:
        return None
    if fact is None:
        return None
    words = fact.text.strip()
    numbered = _NUMBERED.match(words)
    return Fact(fact, words[numbered.end() :] if numbered else words)
