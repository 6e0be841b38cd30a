"""A step that is printed again and again while the clock beside it goes on: a bar that is drawn anew and does not move."""

from __future__ import annotations

from collections.abc import Iterator

from runtriage.detect.engine import Detector
from runtriage.detect.stall import LEAST
from runtriage.model.catalogue import Catalogue
from runtriage.model.event import EXIT, FINISH
from runtriage.model.facts import Facts, RankProgress, Standing
from runtriage.model.finding import Evidence, Match
from runtriage.model.place import byte_of

FACTOR = 20.0
"""How many average steps such a step may take: of the longest one nothing is known there."""
AGAIN, FEWEST = 5, 3
"""Prints of the step that stands, and steps before it."""
_MODE = "stall/no-progress"
_FIXES = ("stall-dump-stacks", "find-who-killed")


def find(facts: Facts, catalogue: Catalogue) -> Iterator[Match]:
    """Yield a match for each subject whose last step was printed for far longer than steps took before."""
    for entry in facts.progress:
        standing = entry.standing
        if standing is not None and _stands(entry, standing) and not _done(entry, facts):
            yield _match(entry, standing)


def _stands(entry: RankProgress, standing: Standing) -> bool:
    done = standing.step - (entry.first_step or 0)
    if standing.lines < AGAIN or done < FEWEST or entry.last_progress is None:
        return False
    first = entry.first_progress_time
    began = first.seconds if first is not None and first.clock == standing.since.clock else 0.0
    pace = max(standing.since.seconds - began, 0.0) / done
    return _silent(standing) > max(FACTOR * pace, LEAST)


def _silent(standing: Standing) -> float:
    return standing.until.seconds - standing.since.seconds


def _done(entry: RankProgress, facts: Facts) -> bool:
    """Tell whether the log says behind the last step that the program ended well."""
    start = (entry.last_progress.byte_start if entry.last_progress else None) or 0
    return any(
        event.citation.artifact == entry.artifact
        and byte_of(event.citation) > start
        and (event.kind == FINISH or (event.kind == EXIT and event.numbers.get("code") == 0))
        for event in facts.events
    )


def _match(entry: RankProgress, standing: Standing) -> Match:
    assert entry.last_progress is not None
    silent = _silent(standing)
    claim = (
        f"step {standing.step} was printed {standing.lines:,} times while the clock beside it went from {standing.since.text} to "
        f"{standing.until.text}: nothing moved for {silent:,.0f} s"
    )
    return Match(
        rule="progress/standing",
        mode=_MODE,
        role="cause",
        maturity="stable",
        tier="metric",
        evidence=(Evidence(claim=claim, citation=entry.last_progress, quantity=f"{silent:.0f} s"),),
        subject=entry.subject,
        step=standing.step,
        captures={"hang": "yes"},
        numbers={"silent_seconds": silent, "prints": float(standing.lines)},
        fixes=_FIXES,
        title="Progress stopped",
    )


DETECTORS = (Detector(id="stall-standing", modes=(), find=find, remedies=lambda: {_MODE: _FIXES}),)
