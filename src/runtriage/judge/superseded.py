"""What a platform says of a job that was stopped, where the job is known to have gone on afterwards."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from runtriage.model.facts import RankProgress
from runtriage.model.finding import Match
from runtriage.model.time import Instant, apart

_STRIDE: Final = 1
"""Steps by which a resumed run may begin behind the last one that was printed."""
_ZONES: Final = 14 * 3600.0
"""Seconds by which the clocks of two zones differ at most. Source: the tz database."""
_SURELY: Final = 3600.0
"""Seconds of progress behind a record, both by a time that names its zone, that are more than a grace period or a buffer."""


def superseded(match: Match, progress: Sequence[RankProgress]) -> bool:
    """Tell whether progress goes on in another log from where the log came to that says it, or so long after it that no zone makes it earlier."""
    where = match.evidence[0].citation.artifact
    own = [entry for entry in progress if entry.artifact == where and entry.subject.attempt == match.subject.attempt]
    if any(_goes_on_from(entry, other) for entry in own for other in progress):
        return True
    return any(_long_after(entry.last_progress_time, match.start) for entry in progress)


def _long_after(made: Instant | None, stopped: Instant | None) -> bool:
    if made is None or stopped is None or not (made.dated and stopped.dated):
        return False
    return apart(stopped, made) > (_SURELY if made.zoned and stopped.zoned else _ZONES)


def _goes_on_from(before: RankProgress, later: RankProgress) -> bool:
    """Tell whether a log begins at a step that the other one came to, behind all its times: both are of one program, their clocks are one."""
    ended, begun = before.last_progress_time, later.first_progress_time
    if before.artifact == later.artifact or ended is None or begun is None or not (ended.dated and begun.dated):
        return False
    if ended.zoned != begun.zoned or ended.yearless != begun.yearless or apart(ended, begun) <= 0:
        return False
    first, reached, again, last = before.first_step, before.last_step, later.first_step, later.last_step
    if first is None or reached is None or again is None or last is None:
        return False
    return first < again <= reached + _STRIDE and last > reached
