"""A fleet from its first run to its summary."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final

from msgspec import Struct

from runtriage.fleet.results import Results
from runtriage.fleet.runs import Run, runs
from runtriage.fleet.summary import Summary
from runtriage.fleet.task import Done, Settings
from runtriage.model.target import Cache

SECONDS: Final = 600.0
"""What one run may take unless told otherwise."""
MEMORY: Final = 4 << 30
"""Address space of a worker, in bytes, unless told otherwise."""
Told = Callable[[Summary], None]


class Fleet(Struct, frozen=True, kw_only=True):
    """What to diagnose, and how. `workers` counts processes of the local pool; `cluster` takes their place."""

    targets: Sequence[str]
    settings: Settings
    workers: int
    out: Path | None = None
    resume: bool = False
    cluster: str | None = None
    owner: re.Pattern[str] | None = None
    seconds: float = SECONDS
    memory: int | None = MEMORY


class Outcome(Struct, frozen=True):
    """The counts, and what could not be written (one line) where something was left out."""

    summary: Summary
    left_out: str | None = None


def run(fleet: Fleet, cache: Cache | None = None, told: Told | None = None) -> Outcome:
    """Diagnose every run and return the counts; `told` hears of them after each.

    Raises `TargetError` where a target names nothing, `ResultsError` and `ClusterError` where folder or cluster cannot be used.
    """
    summary = Summary()
    if fleet.out is None:
        for done in _engine(fleet, cache, runs(fleet.targets, fleet.owner)):
            _count(summary, done, told)
        return Outcome(summary)
    with Results(fleet.out, resume=fleet.resume, reports=fleet.settings.reports) as results:
        for row in results.earlier():
            summary.add(row)
            results.keep(row)
        wanted = (each for each in runs(fleet.targets, fleet.owner) if each.key not in results.done)
        for done in _engine(fleet, cache, wanted):
            results.add(done)
            results.keep(done.row)
            _count(summary, done, told)
        return Outcome(summary, results.finish(summary.document()))


def _count(summary: Summary, done: Done, told: Told | None) -> None:
    summary.add(done.row)
    if told is not None:
        told(summary)


def _engine(fleet: Fleet, cache: Cache | None, wanted: Iterator[Run]) -> Iterator[Done]:
    if fleet.cluster is not None:
        from runtriage.fleet.cluster import Cluster

        return Cluster(fleet.cluster, fleet.settings, fleet.seconds).done(wanted)
    from runtriage.fleet.pool import Pool

    return Pool(fleet.settings, fleet.workers, fleet.seconds, fleet.memory, cache).done(wanted)
