"""Ranks that had not called the collective that the rest of their group timed out in, as their own counts say when they are told to dump."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from runtriage.detect.claims import evidence
from runtriage.detect.engine import Detector
from runtriage.model.catalogue import Catalogue
from runtriage.model.event import SIGNATURE, Event
from runtriage.model.facts import Facts
from runtriage.model.finding import Match
from runtriage.model.pattern import deferred

_STATUS: Final = "nccl/watchdog-timeout.torch#status"
_DUMP: Final = "nccl/dump-signal-from-peer.torch#received"
_GROUP: Final = deferred(r"\[(PG [^\]]{1,80}?) Rank \d{1,7}\]")
_MODE: Final = "nccl/rank-divergent-control-flow"
_FIXES: Final = ("dist-compare-ranks", "stall-dump-stacks")
_FEWEST, _FEW = 3, 3
"""So many ranks of a group must have timed out, and at most every third of its ranks may be behind."""


class _Group(NamedTuple):
    """The first collective that each rank timed out in, and the last count of those that did not."""

    waits: dict[int, Event]
    counts: dict[int, Event]


def find(facts: Facts, catalogue: Catalogue) -> Iterator[Match]:
    """Yield a match for each rank that is behind; a rank inside a call that never returned has not counted it either."""
    for waits, counts in _groups(facts):
        awaited = min((int(event.numbers["seq"]) for event in waits.values()), default=0)
        behind = [
            event
            for rank, event in sorted(counts.items())
            if rank not in waits and event.numbers["last_enqueued"] < awaited
        ]
        total = len(waits.keys() | counts.keys())
        if behind and len(waits) >= _FEWEST and len(behind) <= max(1, total // _FEW):
            first = next(event for event in waits.values() if int(event.numbers["seq"]) == awaited)
            yield from (_match(event, first, awaited, len(waits)) for event in behind)


def _groups(facts: Facts) -> Iterator[_Group]:
    found: dict[tuple[int, str], _Group] = {}
    for event in facts.events:
        rank = event.subject.rank
        if event.kind != SIGNATURE or event.name not in (_STATUS, _DUMP) or rank is None:
            continue
        named = _GROUP.search(event.excerpt)
        if named is None:
            continue
        group = found.setdefault((event.subject.attempt, named[1]), _Group({}, {}))
        if event.name == _STATUS and "seq" in event.numbers:
            group.waits.setdefault(rank, event)
        elif "last_enqueued" in event.numbers:
            group.counts[rank] = event
    yield from found.values()


def _match(behind: Event, waiting: Event, awaited: int, count: int) -> Match:
    rank, enqueued = behind.subject.rank, int(behind.numbers["last_enqueued"])
    claim = f"rank {rank} had called {enqueued} collectives, {count} other ranks timed out in number {awaited}"
    return Match(
        rule="watchdog/behind",
        mode=_MODE,
        role="cause",
        maturity="stable",
        tier="recorder",
        evidence=(
            evidence(behind, claim),
            evidence(waiting, f"rank {waiting.subject.rank} waited in number {awaited}"),
        ),
        subject=behind.subject,
        step=behind.step,
        captures={"culprit_rank": str(rank), "hang": "yes"},
        events=(behind, waiting),
        fixes=_FIXES,
        title="A rank had not called the collective that its peers waited in",
    )


DETECTORS = (Detector(id="watchdog-behind", modes=(), find=find, remedies=lambda: {_MODE: _FIXES}),)
