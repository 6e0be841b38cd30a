"""One rank that goes on with work of its own while all others stand still at the same step."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from runtriage.detect.endings import TIMED_OUT
from runtriage.detect.engine import Detector
from runtriage.model.catalogue import Catalogue
from runtriage.model.event import EXCEPTION, EXIT, FINISH, Event
from runtriage.model.facts import Facts, RankProgress
from runtriage.model.finding import Evidence, Match

FACTOR = 5.0
"""How many times its longest normal step the one rank must have gone on for."""
LEAST = 10.0
"""Seconds under which such work is an ordinary pause."""
_FEWEST = 3
_READABLE = 2
_MODE = "stall/rank0-only-work"
_FIXES = ("stall-dump-stacks", "dist-compare-ranks")


def find(facts: Facts, catalogue: Catalogue) -> Iterator[Match]:
    """Yield a match for the rank that worked on alone in the last attempt, where nothing failed and nothing finished."""
    entries = [item for item in facts.progress if item.subject.rank is not None and item.last_step is not None]
    last = max((item.subject.attempt for item in entries), default=0)
    ranks = [item for item in entries if item.subject.attempt == last and item.progress_lines >= _FEWEST]
    decided = {event.citation.artifact for event in facts.events if _decides(event)}
    if len({item.subject.rank for item in ranks}) < 2 or any(item.artifact in decided for item in ranks):
        return
    busy = [item for item in ranks if _goes_on(item) > max(FACTOR * (item.longest_gap or 0.0), LEAST)]
    others = [item for item in ranks if item not in busy]
    if len(busy) == 1 and _stand_still(busy[0], others):
        yield _match(busy[0], others)


def _decides(event: Event) -> bool:
    """Tell whether an event says how the run ended: it finished, or a process of it failed by itself."""
    return (
        event.kind == FINISH
        or (event.kind == EXIT and event.numbers.get("code") not in (None, TIMED_OUT))
        or (event.kind == EXCEPTION and "SignalException" not in event.name)
    )


def _goes_on(entry: RankProgress) -> float:
    """Return for how many seconds a rank printed other things after its last step."""
    if entry.last_line_time is None or entry.last_progress_time is None:
        return 0.0
    return entry.last_line_time.seconds - entry.last_progress_time.seconds


def _stand_still(busy: RankProgress, others: Sequence[RankProgress]) -> bool:
    return all(item.last_step == busy.last_step and _goes_on(item) <= (item.longest_gap or LEAST) for item in others)


def _match(entry: RankProgress, others: Sequence[RankProgress]) -> Match:
    assert entry.last_progress is not None
    first = entry.last_progress.first_line
    cited = entry.last_progress
    if first is not None:
        cited = replace(cited, last_line=first + _READABLE, byte_start=None, byte_end=None, sha256=None)
    peers = f"rank {others[0].subject.rank}" if len(others) == 1 else f"{len(others)} other ranks"
    claim = (
        f"rank {entry.subject.rank} went on printing for {_goes_on(entry):,.0f} s after step {entry.last_step}, "
        f"while {peers} printed nothing after that step"
    )
    return Match(
        rule="ranks/lone",
        mode=_MODE,
        role="cause",
        maturity="stable",
        tier="log",
        evidence=(Evidence(claim=claim, citation=cited),),
        subject=entry.subject,
        start=entry.last_progress_time,
        step=entry.last_step,
        captures={"culprit_rank": str(entry.subject.rank), "hang": "yes"},
        fixes=_FIXES,
        title="One rank worked on alone",
    )


DETECTORS = (Detector(id="lone-rank", modes=(_MODE,), find=find, remedies=lambda: {_MODE: _FIXES}),)
