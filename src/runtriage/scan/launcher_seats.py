"""Which process is which rank, where a launcher lists the workers it started."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from runtriage.model.event import PHASE
from runtriage.model.pattern import deferred
from runtriage.model.subject import Subject
from runtriage.scan.contract import Reading, Row
from runtriage.scan.draft import Draft
from runtriage.scan.traceback_rows import Rows

CUE: Final = r"pid=\d{1,9}\) (?:world_)?rank=\d{1,7}, local_rank=\d"
_RAY: Final = deferred(
    r"\((?:node_id=\w{1,80}, )?ip=(?P<node>[\w.:-]{1,64}), pid=(?P<pid>\d{1,9})\) (?:world_)?rank=(?P<rank>\d{1,7}), "
    r"local_rank=(?P<local>\d{1,6})"
)


def read_seat(cue: str, rows: Iterator[Row]) -> Reading:
    """Read the line in which Ray Train says which rank a worker of its got."""
    line = Rows(rows).take()
    found = _RAY.search(line.text) if line is not None else None
    if line is None or found is None:
        return Reading()
    subject = Subject(
        rank=int(found["rank"]),
        local_rank=int(found["local"]),
        node=found["node"],
        pid=int(found["pid"]),
        role="worker",
    )
    return Reading([Draft(kind=PHASE, name="setup", start=line.start, end=line.end, subject=subject)])
