"""Stacks of all ranks side by side: the one that stands elsewhere while its peers wait, and what it waits for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct

from runtriage.detect.claims import evidence
from runtriage.detect.engine import Detector
from runtriage.detect.stacks_waits import Call, Wait, calls, rows, wait
from runtriage.model.catalogue import Catalogue
from runtriage.model.event import STATE, Event
from runtriage.model.facts import Facts
from runtriage.model.finding import Evidence, Match
from runtriage.model.pattern import deferred
from runtriage.model.place import byte_of
from runtriage.model.subject import Subject

QUIET: Final = 120.0
"""Seconds without output before the stacks of a process that still runs count as a hang: any healthy rank is seen waiting now and then."""
_FEW: Final = 3
"""At most every third rank may stand apart; when more do, no rank is the odd one."""
_LISTED: Final = 8
_STOPPED: Final = "stall/no-progress"
_SPLIT: Final = "nccl/rank-divergent-control-flow"
_FIXES: Final = {
    "data": ("stall-find-blocked", "time-data-reads"),
    "storage": ("stall-check-storage", "stall-find-blocked"),
    "lock": ("stall-find-holder",),
    "forked": ("stall-spawn-workers", "stall-find-holder"),
    "compile": ("stall-check-build-lock", "stall-dump-stacks"),
    "split": ("dist-same-collectives", "dist-compare-ranks"),
    "collective": ("dist-find-absent", "dist-compare-ranks"),
}
_LOCKED: Final = "stall/gil-or-fork-deadlock"
_CHILD: Final = deferred(
    r"multiprocess(?:ing)?[/\\](?:process|popen_\w+|spawn|forkserver|pool)\.py|torch[/\\]utils[/\\]data[/\\]_utils"
)
_OTHER: Final = ("stall-dump-stacks", "dist-compare-ranks")


class Stand(Struct, frozen=True):
    """Where one process stands."""

    event: Event
    frames: list[Call]
    wait: Wait | None
    telling: Call | None

    @property
    def number(self) -> int | None:
        """The rank; where only the launcher's prefix tells, that within its node."""
        subject = self.event.subject
        return subject.rank if subject.rank is not None else subject.local_rank

    @property
    def who(self) -> str:
        """The rank, or the process."""
        subject = self.event.subject
        if self.number is not None:
            return f"rank {self.number}" if subject.rank is not None else f"local rank {self.number}"
        return f"process {subject.pid}" if subject.pid else "the process"

    @property
    def own(self) -> str:
        """The innermost frame of the program itself."""
        return self.event.captures.get("own") or self.event.captures.get("message", "?")

    @property
    def group(self) -> tuple[str, str]:
        """What makes two stands the same: the kind of wait and the place in the program, without its line where it waits for peers."""
        return (self.wait.what if self.wait else "", self.own)


def find(facts: Facts, catalogue: Catalogue) -> Iterator[Match]:
    """Yield the rank that stands apart, or what all wait for."""
    stands = _stands(facts)
    if not _silent(facts):
        yield from _seen(stands)
        return
    if len(stands) == 1:
        yield from _alone(stands[0], facts)
    elif stands and len({stand.who for stand in stands}) == len(stands):
        yield from _together(_training(stands), facts)


def _seen(stands: Sequence[Stand]) -> Iterator[Match]:
    """Say where processes stand that may well go on in a moment, those that stand alike in one sentence, fewest last."""
    groups: dict[tuple[str, str], list[Stand]] = {}
    for stand in stands:
        groups.setdefault(stand.group, []).append(stand)
    for alike in sorted(groups.values(), key=lambda group: -len(group)):
        first = alike[0]
        ranks = [stand.number for stand in alike if stand.number is not None]
        if len(alike) == 1:
            who = f"{first.who} stands"
        else:
            who = f"ranks {_listed(ranks)} stand" if len(ranks) == len(alike) else f"{len(alike)} processes stand"
        claim = f"{who} in {first.own}{_for(first, many=len(alike) > 1)}"
        yield Match(
            rule="stacks/seen",
            mode="",
            role="context",
            maturity="stable",
            tier="recorder",
            evidence=(evidence(first.event, claim),),
            subject=first.event.subject,
            captures={"living": "yes"},
            events=(first.event,),
        )


def _listed(ranks: Sequence[int]) -> str:
    shown = ", ".join(map(str, sorted(ranks)[:_LISTED]))
    return shown if len(ranks) <= _LISTED else f"{shown} and {len(ranks) - _LISTED} more"


def _silent(facts: Facts) -> bool:
    """Tell whether stacks may speak: those of files were taken because a run hung, those of a living process only after a silence."""
    live = [event for event in facts.events if event.kind == STATE and event.name == "process/state"]
    return not live or any(event.numbers.get("idle_seconds", 0.0) >= QUIET for event in live)


def _stands(facts: Facts) -> list[Stand]:
    """Return where each training process stands in the last dump of it; what has no rank beside those that do only started them."""
    last: dict[object, Stand] = {}
    for event in facts.events:
        if event.kind != STATE or event.name != "stack/main":
            continue
        frames = calls(event)
        found = wait(frames)
        stand = Stand(event, frames, found[0] if found else None, found[1] if found else None)
        if stand.wait is None or not stand.wait.helper:
            subject = event.subject
            last[stand.number if stand.number is not None else (subject.pid, event.citation.artifact)] = stand
    ranked = [stand for stand in last.values() if stand.number is not None]
    return ranked or _asked_for(list(last.values()), facts)


def _asked_for(stands: list[Stand], facts: Facts) -> list[Stand]:
    """Return the process that was asked for, where it is a living one that trains itself: what it started may do anything."""
    states = [event for event in facts.events if event.kind == STATE and event.name == "process/state"]
    first = {event.subject.pid for event in states if not event.captures.get("helper")}
    own = [stand for stand in stands if stand.event.subject.pid in first]
    return own if own and all(stand.wait is None or stand.wait.what != "child" for stand in own) else stands


def _went_on(event: Event, facts: Facts) -> bool:
    """Tell whether steps were printed behind the stacks in their log."""
    at = event.citation.byte_start
    own = (entry.last_progress for entry in facts.progress if entry.artifact == event.citation.artifact)
    return at is not None and any(last is not None and byte_of(last) > at for last in own)


def _alone(stand: Stand, facts: Facts) -> Iterator[Match]:
    """One process is all there is: what it waits for is all that can be said; stacks that were asked for in passing prove no wait."""
    if stand.event.captures.get("asked") == "yes" or _went_on(stand.event, facts):
        return
    if stand.wait is not None or any(
        event.kind == STATE and event.name in ("stack/timeout", "process/state") for event in facts.events
    ):
        yield _match(stand, [], facts)


def _training(stands: Sequence[Stand]) -> list[Stand]:
    """Return the stands without those of processes that only wait for others which they started."""
    return [stand for stand in stands if stand.number is not None or stand.wait is None or stand.wait.what != "child"]


def _together(stands: Sequence[Stand], facts: Facts) -> Iterator[Match]:
    waiting = [stand for stand in stands if stand.wait is not None and stand.wait.peers]
    if not waiting:
        waiting = _crowd(stands)
    odd = [stand for stand in stands if stand not in waiting]
    if odd and waiting and len(odd) <= max(1, len(stands) // _FEW):
        for stand in odd:
            yield _match(stand, waiting, facts)
    elif not odd:
        yield from _split(waiting, facts)


def _crowd(stands: Sequence[Stand]) -> list[Stand]:
    """Return the many that stand at one place, where most do."""
    place, count = Counter(stand.group for stand in stands).most_common(1)[0]
    enough = count * _FEW >= len(stands) * (_FEW - 1)
    return [stand for stand in stands if stand.group == place] if enough else []


def _split(stands: Sequence[Stand], facts: Facts) -> Iterator[Match]:
    """All wait for their peers: do they wait in the same place of the program?"""
    groups = Counter(stand.group for stand in stands)
    (place, count), *others = groups.most_common()
    if not others:
        yield _match(stands[0], list(stands[1:]), facts, everybody=True)
        return
    fewer = [stand for stand in stands if stand.group != place]
    if count > len(fewer) and len(fewer) <= max(1, len(stands) // _FEW):
        many = [stand for stand in stands if stand.group == place]
        for stand in fewer:
            yield _match(stand, many, facts, split=True)


def _match(
    stand: Stand, peers: Sequence[Stand], facts: Facts, *, everybody: bool = False, split: bool = False
) -> Match:
    row = stand.wait
    what = "split" if split else row.what if row is not None else ""
    mode = _SPLIT if split else row.mode if row is not None and row.mode else _STOPPED
    claim = (
        f"all {len(peers) + 1} ranks stand in {stand.own}{_for(stand, many=True)}"
        if everybody
        else _claim(stand, peers)
    )
    rank = stand.event.subject.rank
    symptom = (row is None and everybody) or (row is not None and row.peers and not split)
    captures = {"hang": "yes", "stands_in": stand.own, "waits_for": row.words if row is not None else ""}
    if rank is not None and not everybody:
        captures["culprit_rank"] = str(rank)
    return Match(
        rule=f"stacks/{what or 'elsewhere'}",
        mode=mode,
        role="symptom" if symptom else "cause",
        maturity="stable",
        tier="recorder",
        evidence=_evidence(stand, claim, peers, facts),
        subject=Subject(attempt=stand.event.subject.attempt) if everybody else stand.event.subject,
        scope="job" if everybody else "rank",
        captures=captures,
        events=(stand.event,),
        fixes=_FIXES.get("forked" if what == "lock" and _forked(stand) else what, _OTHER),
        title="One rank stands apart from its peers" if peers and not everybody else "Where the program stands",
    )


def _forked(stand: Stand) -> bool:
    """Tell whether a process that waits for a lock was made by another one, from which it may have inherited the lock."""
    return any(_CHILD.search(call.file) for call in stand.frames)


def _claim(stand: Stand, peers: Sequence[Stand]) -> str:
    told = f"{stand.who} stands in {stand.own}{_for(stand)}"
    if not peers:
        return told
    kinds = Counter(peer.wait.words if peer.wait is not None else peer.own for peer in peers)
    words, _ = kinds.most_common(1)[0]
    many = f"{len(peers)} ranks wait" if len(peers) > 1 else f"{peers[0].who} waits"
    return f"{told}, while {many} {'for' if peers[0].wait is not None else 'in'} {words}"


def _for(stand: Stand, *, many: bool = False) -> str:
    if stand.wait is None or stand.telling is None:
        return ""
    place = f"{stand.telling.function} ({stand.telling.file}:{stand.telling.line})"
    return f" and wait{'' if many else 's'} for {stand.wait.words}" + ("" if place == stand.own else f" ({place})")


def _evidence(stand: Stand, claim: str, peers: Sequence[Stand], facts: Facts) -> tuple[Evidence, ...]:
    """Return where the odd process stands, before it what a worker of its loader does for it, and behind it a peer that waits."""
    told = [evidence(stand.event, claim)]
    if stand.wait is not None and stand.wait.what == "data" and (worker := _worker(facts)) is not None:
        place = worker.captures["own"]
        led = _CHILD.search(place) is None
        said = f"a worker of its loader stands in {place}{f', and {claim}' if led else ''}"
        told.insert(0 if led else 1, evidence(worker, said))
    if peers:
        told.append(evidence(peers[0].event, f"{peers[0].who} stands in {peers[0].own}{_for(peers[0])}"))
    return tuple(told)


def _worker(facts: Facts) -> Event | None:
    """Return the stack of a loader's worker that stands in some place of its own."""
    for event in facts.events:
        if event.kind == STATE and event.name == "stack/main" and event.captures.get("own"):
            helper = wait(calls(event))
            if helper is not None and helper[0].what == "worker":
                return event
    return None


def _remedies() -> dict[str, tuple[str, ...]]:
    found = {row.mode: _FIXES.get(row.what, _OTHER) for row in rows() if row.mode}
    found[_LOCKED] = _FIXES["forked"]
    return {**found, _STOPPED: _OTHER, _SPLIT: _FIXES["split"]}


DETECTORS = (Detector(id="stacks", modes=(), find=find, remedies=_remedies),)
