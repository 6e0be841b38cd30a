"""Logs that were given as one run and look like several."""

from __future__ import annotations

from typing import Final, NamedTuple

from runtriage.judge.outcome import good_end
from runtriage.model.facts import Facts, RankProgress
from runtriage.model.time import Instant, apart

_SEVERAL: Final = 2
_FEWEST: Final = 3
"""Lines of progress that make a log the log of a run."""


class _Log(NamedTuple):
    name: str
    first: int
    began: Instant
    ended: Instant
    complete: bool


def different_runs(facts: Facts) -> tuple[str, ...]:
    """Return the logs, in the order of their times, that look like runs of their own; none where all may be of one run.

    Of two such logs the earlier one says that it completed, and the later one begins, behind all times of the other, no further than that one began. Logs
    of ranks, pods and nodes belong together.
    """
    alone = _alone(facts)
    if len(alone) < _SEVERAL:
        return ()
    complete = {event.citation.artifact for event in facts.events if good_end(event)}
    told = (_log(entry, complete) for entry in alone)
    logs = sorted((log for log in told if log is not None), key=lambda log: log.began.seconds)
    found: list[_Log] = []
    for log in logs:
        if not found or _anew(found[-1], log):
            found.append(log)
    return tuple(log.name for log in found) if len(found) > 1 and len(found) == len(logs) else ()


def _alone(facts: Facts) -> list[RankProgress]:
    """Return the progress of artifacts in which one speaker that has no rank, pod or node of its own prints all of it, in one attempt."""
    told: dict[str, list[RankProgress]] = {}
    for entry in facts.progress:
        if entry.last_step is not None:
            told.setdefault(entry.artifact, []).append(entry)
    single = [entries[0] for entries in told.values() if len(entries) == 1]
    if len(single) < len(told) or any(entry.subject.attempt for entry in single):
        return []
    return (
        single
        if not any(entry.subject.rank is not None or entry.subject.pod or entry.subject.node for entry in single)
        else []
    )


def _log(entry: RankProgress, complete: set[str]) -> _Log | None:
    began, ended = entry.first_progress_time, entry.last_progress_time
    if began is None or ended is None or not began.dated or entry.progress_lines < _FEWEST or entry.first_step is None:
        return None
    return _Log(entry.artifact, entry.first_step, began, ended, entry.artifact in complete)


def _anew(before: _Log, later: _Log) -> bool:
    alike = before.ended.zoned == later.began.zoned and before.ended.yearless == later.began.yearless
    return before.complete and alike and apart(before.ended, later.began) > 0 and later.first <= before.first
