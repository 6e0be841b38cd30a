"""Watchdog lines of many ranks side by side: the few that wait in another collective than the rest took another turn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from runtriage.detect.claims import effective_start, evidence
from runtriage.detect.engine import Detector
from runtriage.model.catalogue import Catalogue
from runtriage.model.event import CHECKPOINT, FINISH, PHASE, RECOVERY, SIGNATURE, Event
from runtriage.model.facts import Facts
from runtriage.model.finding import Match
from runtriage.model.pattern import deferred
from runtriage.model.place import line_of

_TIMEOUT: Final = "nccl/watchdog-timeout.torch#timeout"
_STATUS: Final = "nccl/watchdog-timeout.torch#status"
_GROUP: Final = deferred(r"\[(PG [^\]]{1,80}?) Rank \d{1,7}\]")
_PAIRED: Final = frozenset({"SEND", "RECV", "COALESCED", "UNKNOWN"})
"""Transfers between two ranks: that others wait in other ones is how a pipeline works."""
_UNEVEN: Final = frozenset({"ALLTOALL", "ALLTOALL_BASE", "GATHER", "SCATTER", "ALLGATHER", "REDUCE_SCATTER"})
"""Collectives in which ranks may bring different amounts."""
_MISMATCH: Final = "nccl/collective-mismatch"
_DIVERGED: Final = "nccl/rank-divergent-control-flow"
_FIXES: Final = ("dist-same-collectives", "dist-compare-ranks")
_TURNS: Final = frozenset({CHECKPOINT, PHASE, FINISH, RECOVERY})
_FEWEST, _FEW = 3, 3
"""So many ranks of a group must have reported, and at most every third of them may be at fault."""


class _Wait(NamedTuple):
    rank: int
    seq: int
    op: str
    size: str
    event: Event

    @property
    def call(self) -> tuple[int, str, str]:
        return self.seq, self.op, "" if self.op in _UNEVEN else self.size

    @property
    def words(self) -> str:
        return f"{self.op} number {self.seq}" + (f" over {self.size} elements" if self.size else "")


def find(facts: Facts, catalogue: Catalogue) -> Iterator[Match]:
    """Yield a match for each rank that waits in another collective than most of its group."""
    for waits in _groups(facts):
        (call, count), *others = Counter(wait.call for wait in waits).most_common()
        few = [wait for wait in waits if wait.call != call]
        if not others or len(waits) < _FEWEST or len(few) > max(1, len(waits) // _FEW) or count <= len(few):
            continue
        many = next(wait for wait in waits if wait.call == call)
        for wait in few:
            yield _match(wait, many, count, _turned(wait, facts))


def _groups(facts: Facts) -> Iterator[Sequence[_Wait]]:
    """Yield what the ranks of each process group wait in first; a group that is not named is none."""
    named: dict[tuple[int, int, int], str] = {}
    for event in facts.events:
        if event.kind == SIGNATURE and event.name == _STATUS and event.subject.rank is not None:
            group = _GROUP.search(event.excerpt)
            if group is not None and "seq" in event.numbers:
                named[event.subject.attempt, event.subject.rank, int(event.numbers["seq"])] = group[1]
    found: dict[tuple[int, str], dict[int, _Wait]] = {}
    for event in facts.events:
        wait = _wait(event)
        group = None if wait is None else named.get((event.subject.attempt, wait.rank, wait.seq))
        if wait is not None and group is not None:
            ranks = found.setdefault((event.subject.attempt, group), {})
            known = ranks.get(wait.rank)
            if known is None or wait.seq < known.seq:
                ranks[wait.rank] = wait
    return (list(ranks.values()) for ranks in found.values())


def _wait(event: Event) -> _Wait | None:
    rank, seq, op = event.subject.rank, event.numbers.get("seq"), event.captures.get("op", "")
    if event.kind != SIGNATURE or event.name != _TIMEOUT or rank is None or seq is None or op in _PAIRED:
        return None
    return _Wait(rank, int(seq), op, event.captures.get("numel_in", ""), event)


def _turned(wait: _Wait, facts: Facts) -> Event | None:
    """Return what a rank said once, and no other rank ever did, before it waited elsewhere than its peers: there it went its own way."""
    told = [
        event
        for event in facts.events
        if event.kind in _TURNS
        and event.subject.rank is not None
        and event.subject.attempt == wait.event.subject.attempt
        and event.citation.artifact == wait.event.citation.artifact
    ]
    own = [
        event
        for event in told
        if event.subject.rank == wait.rank
        and event.count == 1
        and line_of(event.citation) < line_of(wait.event.citation)
    ]
    alone = [event for event in own if sum((other.kind, other.name) == (event.kind, event.name) for other in told) == 1]
    speak = {entry.subject.rank for entry in facts.progress if entry.last_progress is not None}
    return alone[-1] if alone and len(speak - {None}) >= _FEWEST else None


def _match(wait: _Wait, many: _Wait, count: int, turned: Event | None) -> Match:
    claim = f"rank {wait.rank} waited in {wait.words}, {count} other ranks in {many.words}"
    before = () if turned is None else (evidence(turned, f"{claim}, after it alone had gone on to this"),)
    return Match(
        rule="watchdog/split",
        mode=_DIVERGED if wait.call[1:] == many.call[1:] else _MISMATCH,
        role="cause",
        maturity="stable",
        tier="recorder",
        evidence=(
            *before,
            evidence(wait.event, claim),
            evidence(many.event, f"rank {many.rank} waited in {many.words}"),
        ),
        subject=wait.event.subject,
        start=effective_start(wait.event),
        step=wait.event.step,
        captures={"culprit_rank": str(wait.rank)},
        events=(wait.event, many.event),
        fixes=_FIXES,
        title="A rank waited in another collective than its peers",
    )


DETECTORS = (
    Detector(
        id="watchdog-split",
        modes=(),
        find=find,
        remedies=lambda: {_MISMATCH: _FIXES, _DIVERGED: _FIXES},
    ),
)
