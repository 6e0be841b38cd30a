"""Starts and restarts of a job inside one run."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from runtriage.model.event import ATTEMPT
from runtriage.model.pattern import deferred
from runtriage.scan.contract import Reading, Row
from runtriage.scan.dialects.header import message_start
from runtriage.scan.draft import Draft
from runtriage.scan.traceback_rows import Rows

_START = deferred(r"\[[\w-]{1,40}\] starting workers for entrypoint")
_RESTART = deferred(
    r"Worker group \w{3,20}\. (?P<left>\d{1,5})/(?P<most>\d{1,5}) attempts left; will restart worker group"
)
_RAY_TRAIN = deferred(r"\[State Transition\] [A-Z]\w{2,20} -> RESTARTING\b")
"""How the controller of Ray Train says that it replaces its workers."""
_COUNT = deferred(
    r"(?:\brestart_count|SLURM_RESTART_COUNT|TORCHELASTIC_RESTART_COUNT)['\"]?[=:] ?['\"]?(?P<count>\d{1,5})\b"
)
_NUMBERED = deferred(
    r"[\s=*#>-]{0,20}(?:\[[\w. -]{1,40}\][:\s]{0,3})?(?:(?:[Ss]tarting|[Ll]aunching|[Bb]eginning|[Jj]ob|[Tt]raining|[Rr]un|[Ll]auncher)[:\s]{1,3}){0,3}"
    r"(?:[Aa]ttempt|ATTEMPT|[Rr]estart|[Ww]ave) ?(?:#|number|no\.?|:|=)? ?(?P<number>\d{1,4})(?: ?(?:/|of) ?(?P<most>\d{1,4}))?"
    r"[\s=*#:.,-]{0,20}(?:$|\(|(?:start|launch|begin|python|torchrun|on |at |of )\w*)"
)
_RESUMED = deferred(
    r"\b(?:restor|resum|start|launch|begin|requeue)\w*\b.{0,80}?\b(?:attempt|restart) ?#?(?P<number>\d{1,4})\b"
    r"(?: of (?P<most>\d{1,4}))?(?! ?[/%])",
    re.IGNORECASE,
)
_WORLD = deferred(r"world[_ ]size['\"]?[=:] ?(\d{1,7})\b|\bnproc_per_node[=:] ?(\d{1,5})\b", re.IGNORECASE)
START: Final = "start"
"""Name of an attempt event that begins one."""
RESTART: Final = "restart"
"""Name of an attempt event that announces the next one; a `start` may follow it for the same attempt."""


def read_attempt(cue: str, rows: Iterator[Row]) -> Reading:
    """Read one line that begins an attempt or announces it; `attempt` counts from 0 and is absent where no number is printed."""
    line = Rows(rows).take()
    if line is None:
        return Reading()
    name, number = _attempt(line.text)
    if not name:
        return Reading()
    numbers = {} if number is None else {"attempt": float(number)}
    if world := _WORLD.search(line.text):
        numbers["world_size"] = float(world[1] or world[2])
    return Reading([Draft(kind=ATTEMPT, name=name, start=line.start, end=line.end, numbers=numbers)])


def _attempt(text: str) -> tuple[str, int | None]:
    if found := _RESTART.search(text):
        return RESTART, int(found["most"]) - int(found["left"]) + 1
    if _RAY_TRAIN.search(text):
        return RESTART, None
    if _START.search(text):
        return START, None
    if found := _COUNT.search(text):
        return START, int(found["count"])
    if found := _NUMBERED.match(text[message_start(text) :]):
        return START, int(found["number"]) - 1 if found["most"] else int(found["number"])
    if found := _RESUMED.search(text):
        return START, int(found["number"]) - (found["most"] is not None)
    return "", None
