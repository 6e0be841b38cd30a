"""The table of tasks that the kernel prints before it kills one for memory: who held most of it, and whether that one was killed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from runtriage.model.artifact import Artifact
from runtriage.model.pattern import deferred
from runtriage.model.raw import RawEvent
from runtriage.model.subject import Subject
from runtriage.model.target import ByteStream
from runtriage.parse.document import Parsed, Parser, read_all
from runtriage.parse.tables import Line, cite, lines, state

_LIMIT: Final = 32 << 20
_MOST: Final = 16
_HEAD: Final = deferred(r"\[ *pid *\] +uid +tgid +total_vm +rss .*\bname\Z")
_ROW: Final = deferred(r"\[ *(\d{1,9})\] +\d{1,10} +\d{1,9} +\d{1,15} +(\d{1,15}) .* -?\d{1,5} (\S.{0,63})\Z")
_KILLED: Final = deferred(r"Killed process (\d{1,9})")
_GROUP: Final = deferred(r"CONSTRAINT_MEMCG(?:.{0,400}?oom_memcg=([^,\s]{1,200}))?|Memory cgroup out of memory")


class _Table(Struct):
    """One table: its largest row by resident pages, and the sum and number of all rows."""

    largest: tuple[int, int, str, Line] | None = None
    pages: int = 0
    tasks: int = 0
    group: str | None = None
    killed: int | None = None


def claims(artifact: Artifact, head: bytes) -> bool:
    """Tell whether the document is a kernel's log."""
    return artifact.kind == "kernel"


def read(artifact: Artifact, stream: ByteStream) -> Parsed:
    """Return a state for each table of tasks; the scan of the log finds everything else."""
    content, _ = read_all(stream, _LIMIT)
    tables = _tables(content) if b"total_vm" in content else []
    events = [event for table in tables[:_MOST] for event in _told(table, artifact)]
    return Parsed(events=events, bytes_read=len(content))


def _tables(content: bytes) -> list[_Table]:
    found: list[_Table] = []
    for line in lines(content):
        if "total_vm" in line.text and _HEAD.search(line.text):
            found.append(_Table())
        elif found and (row := _ROW.search(line.text)):
            _add(found[-1], int(row[1]), int(row[2]), row[3].strip(), line)
        elif found and found[-1].killed is None:
            if grouped := _GROUP.search(line.text):
                found[-1].group = grouped[1] or found[-1].group or ""
            if killed := _KILLED.search(line.text):
                found[-1].killed = int(killed[1])
    return found


def _add(table: _Table, pid: int, pages: int, name: str, line: Line) -> None:
    if table.killed is not None:
        return
    table.pages += pages
    table.tasks += 1
    if table.largest is None or pages > table.largest[1]:
        table.largest = (pid, pages, name, line)


def _told(table: _Table, artifact: Artifact) -> Iterator[RawEvent]:
    if table.largest is None or table.killed is None or table.tasks < 2 or not table.pages:
        return
    pid, pages, name, line = table.largest
    end = "and was killed" if pid == table.killed else f"while process {table.killed} was killed"
    of = f" of the group {table.group}" if table.group else ""
    share = f"{100 * pages / table.pages:.0f} % of the memory of the {table.tasks} tasks{of} that the kernel listed"
    yield state(
        "oom/largest-of-node" if table.group is None else "oom/largest-of-group",
        cite(artifact.path, line),
        Subject(node=artifact.node),
        numbers={"pages": float(pages), "all": float(table.pages)},
        message=f"{name} (process {pid}) held {share}, {end}",
    )


PARSERS = (Parser(id="oom-table", claims=claims, read=read, scanned=True),)
