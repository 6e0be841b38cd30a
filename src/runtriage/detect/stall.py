"""Progress stopped while the log, the scheduler or the clock went on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from itertools import pairwise

from msgspec.structs import replace

from runtriage.detect.endings import TIMED_OUT, ended_well
from runtriage.detect.engine import Detector
from runtriage.model.catalogue import Catalogue
from runtriage.model.event import CHECKPOINT, CLOSING, EXIT, FINISH, PHASE, SIGNATURE, STATEMENT, Event
from runtriage.model.event_names import MOVES
from runtriage.model.facts import Facts, RankProgress
from runtriage.model.finding import Evidence, Match
from runtriage.model.place import byte_of, line_of
from runtriage.model.series import Series
from runtriage.model.time import Instant

FACTOR = 5.0
"""A step may take this many times the longest normal one before it counts as a stall (the safety factor of NVRx heartbeats)."""
LEAST = 300.0
"""Seconds of silence that may be any last save, upload or clean-up, whatever the pace was."""
LEAST_ENDED = 60.0
"""The same where a scheduler then ended the job: it was not on its way out."""
_SHORTEST, _SLOWEST = 15.0, 40.0
"""Where a command was given so little time that a minute is long: a step forty times as long as any before, and some seconds at least."""
USUAL = 60.0
"""Longest normal step in seconds where no times of steps are known: shorter silences are not told apart."""
_FEWEST = 3
_LIMIT = "orch/time-limit"
WINDOW = 1800.0
"""Seconds that a save, an evaluation, a compilation or a set-up may take where none before took longer: as long as Megatron lets the
ranks of its groups wait for one another."""
_SILENT_PHASES, _SAVING = frozenset({"eval", "compile", "setup"}), "saving"
_RESULTS = frozenset({"eval_loss", "eval_loss_part", "eval_metric"})
_READABLE = 2
_FIXES = ("stall-dump-stacks", "find-who-killed")


def find(facts: Facts, catalogue: Catalogue) -> Iterator[Match]:
    """Yield a match for each subject whose log went on for long after its last step.

    Where one rank prints the steps of all, that they end says nothing of that rank.
    """
    speakers = {entry.subject.rank for entry in facts.progress if entry.last_step is not None}
    ranks = {entry.subject.rank for entry in facts.progress} - {None}
    limits, logs = _limits(facts), _logs(facts)
    for entry in facts.progress:
        own = logs[entry.artifact]
        silent = _silence(entry, own, limits)
        if silent is not None:
            found = _match(entry, silent, _pace(entry, own))
            alone = len(speakers) == 1 and len(ranks) > 1
            yield replace(found, subject=replace(entry.subject, rank=None, local_rank=None)) if alone else found


def _logs(facts: Facts) -> dict[str, Facts]:
    """Return what is known of each artifact in which somebody made progress, by its path."""
    progress: dict[str, list[RankProgress]] = {}
    for entry in facts.progress:
        progress.setdefault(entry.artifact, []).append(entry)
    events: dict[str, list[Event]] = {}
    for event in facts.events:
        events.setdefault(event.citation.artifact, []).append(event)
    series: dict[str, list[Series]] = {}
    for each in facts.series:
        series.setdefault(each.artifact, []).append(each)
    return {
        name: replace(
            facts, progress=tuple(own), events=tuple(events.get(name, ())), series=tuple(series.get(name, ()))
        )
        for name, own in progress.items()
    }


def _silence(entry: RankProgress, facts: Facts, ended: Sequence[float]) -> float | None:
    """Return how many seconds passed after the last step of an entry, when that is far beyond its own pace.

    `facts` are those of its own artifact, `ended` the times at which a scheduler says it ended the job.
    """
    start = entry.last_progress_time or entry.quiet_since
    if start is None or _complete(entry) or _printed(entry, facts) < _FEWEST:
        return None
    ends = [
        other.last_line_time.seconds
        for other in facts.progress
        if other.artifact == entry.artifact
        and other.subject.attempt == entry.subject.attempt
        and other.last_line_time is not None
        and other.last_line_time.dated == start.dated
    ]
    limits = ended if start.dated else ()
    silent = max([*ends, *limits], default=start.seconds) - _busy_until(start, facts)
    masked = _after(entry, facts)
    told = any("signal" in event.numbers for event in masked if event.kind == EXIT)
    if any(ended_well(event) and not (told and event.kind == FINISH) for event in masked) or (
        _judged(entry, facts) and not limits
    ):
        return None
    pace = _pace(entry, facts)
    least = LEAST_ENDED if limits else _least_timed(pace) if _timed_out(entry, facts) else LEAST
    if any(map(is_window, masked)):
        least = max(least, WINDOW)
    return silent if silent > max(FACTOR * pace, least) else None


def _busy_until(start: Instant, facts: Facts) -> float:
    """Return until when the run did anything from the last step on: other work may be counted up behind it."""
    moved = [event.when for event in facts.events if event.kind == STATEMENT and event.name == MOVES]
    return max(
        (when.seconds for when in moved if when is not None and (when.clock, when.dated) == (start.clock, start.dated)),
        default=start.seconds,
    )


def _printed(entry: RankProgress, facts: Facts) -> int:
    """Return how many lines told how far the entry came; runs that count epochs alone print no step."""
    if entry.progress_lines or entry.last_epoch is None:
        return entry.progress_lines
    own = (
        series.total for series in facts.series if series.artifact == entry.artifact and series.subject == entry.subject
    )
    return max(own, default=0)


def _least_timed(pace: float) -> float:
    return min(LEAST_ENDED, max(_SHORTEST, _SLOWEST * pace))


def _timed_out(entry: RankProgress, facts: Facts) -> bool:
    """Tell whether a time that somebody gave the command was used up after the last step."""
    start = byte_of(entry.last_progress)
    return any(
        event.kind == EXIT
        and (event.numbers.get("code") == TIMED_OUT or event.captures.get("binary", "").startswith("timeout "))
        and event.citation.artifact == entry.artifact
        and byte_of(event.citation) > start
        for event in facts.events
    )


def _limits(facts: Facts) -> list[float]:
    """Return the times at which a scheduler says it ended the job; only a log with dates can be compared with them."""
    found: list[float] = []
    for event in facts.events:
        stamp = event.captures.get("time", "")
        if event.kind == SIGNATURE and event.name.startswith(_LIMIT) and stamp:
            with suppress(ValueError):
                found.append(datetime.fromisoformat(stamp).replace(tzinfo=UTC).timestamp())
    return found


def _pace(entry: RankProgress, facts: Facts) -> float:
    """Return the longest normal step of an entry in seconds."""
    gaps = [entry.longest_gap] if entry.longest_gap is not None else []
    for series in facts.series:
        if series.artifact == entry.artifact and series.subject.rank == entry.subject.rank:
            times = [point.time for point in series.points if point.time is not None]
            gaps += [later - earlier for earlier, later in pairwise(times) if later >= earlier]
    return max(gaps) if gaps else USUAL


def _complete(entry: RankProgress) -> bool:
    return entry.total_steps is not None and entry.last_step is not None and entry.last_step >= entry.total_steps - 1


def _after(entry: RankProgress, facts: Facts) -> list[Event]:
    """Return what the entry's log says behind its last step; of events that occur often their last place counts."""
    start = (entry.last_progress.byte_start if entry.last_progress else None) or 0
    return [
        event
        for event in facts.events
        if event.citation.artifact == entry.artifact and byte_of(event.last or event.citation) > start
    ]


def _judged(entry: RankProgress, facts: Facts) -> bool:
    """Tell whether the log prints the results of an evaluation behind the last step: then that is what the run was busy with."""
    start = line_of(entry.last_progress)
    told = (event for event in facts.events if event.kind == CLOSING and event.name == "test")
    if any(event.citation.artifact == entry.artifact and line_of(event.citation) > start for event in told):
        return True
    return any(
        series.artifact == entry.artifact and series.points and series.points[-1].line > start
        for series in facts.series
        if series.role in _RESULTS
    )


def is_window(event: Event) -> bool:
    """Tell whether an event begins something that prints no steps while it lasts: a save, an evaluation, a compilation."""
    return (event.kind == PHASE and event.name in _SILENT_PHASES) or (
        event.kind == CHECKPOINT and event.name == _SAVING
    )


def _match(entry: RankProgress, silent: float, gap: float) -> Match:
    assert entry.last_progress is not None
    where = entry.last_progress
    first = where.first_line
    cited = replace(
        where,
        last_line=None if first is None else first + _READABLE,
        byte_start=None,
        byte_end=None,
        sha256=None,
    )
    what = f"step {entry.last_step}" if entry.last_step is not None else f"epoch {entry.last_epoch:g}"
    claim = f"no step for {silent:,.0f} s after {what}; no step before took longer than {gap:,.1f} s"
    return Match(
        rule="progress/stall",
        mode="stall/no-progress",
        role="cause",
        maturity="stable",
        tier="metric",
        evidence=(Evidence(claim=claim, citation=cited if first is not None else where, quantity=f"{silent:.0f} s"),),
        subject=entry.subject,
        start=entry.last_progress_time or entry.quiet_since,
        step=entry.last_step,
        captures={"hang": "yes"},
        numbers={"silent_seconds": silent, "longest_gap": gap},
        fixes=_FIXES,
        title="Progress stopped",
    )


DETECTORS = (
    Detector(
        id="stall",
        modes=("stall/no-progress",),
        find=find,
        remedies=lambda: {"stall/no-progress": _FIXES},
        needs=lambda facts: (
            ()
            if any(entry.last_progress_time or entry.quiet_since for entry in facts.progress)
            else ("times of the steps",)
        ),
    ),
)
