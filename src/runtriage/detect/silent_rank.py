"""The rank that its peers waited for: they report a broken or timed-out collective, it reports nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from runtriage.detect.claims import evidence
from runtriage.detect.engine import Detector
from runtriage.detect.exceptions import classify
from runtriage.model.catalogue import Catalogue
from runtriage.model.event import EXCEPTION, EXIT, FINISH, LAUNCHER, SIGNATURE, Event
from runtriage.model.facts import Facts, RankProgress
from runtriage.model.finding import Evidence, Match
from runtriage.model.taxonomy import modes

_LEFT = "nccl/uneven-batches"
_SILENT = "nccl/rank-divergent-control-flow"
_FIXES = {
    _LEFT: ("find-first-failing-rank", "dist-even-batches"),
    _SILENT: ("find-first-failing-rank", "stall-dump-stacks"),
}
_WAITING = frozenset({"nccl-distributed"})
_GOING_ON = frozenset({"nccl/straggler-rank"})
"""What is said of a rank in a job that goes on is no word of waiting in vain."""
_NO_WAIT = frozenset(
    {
        "gloo/connect-failed",
        "nccl/connect-failed",
        "nccl/socket-interface",
        "nccl/duplicate-gpu",
        "nccl/invalid-usage",
        "nccl/memlock-limit",
        "nccl/shm-no-space",
        "nccl/version-mismatch",
        "rdzv/port-in-use",
        "rdzv/world-size-mismatch",
    }
)
"""Who fails in setting up its connections waits for nobody."""
_FEW = 0.34
"""At most this share of the ranks may be silent; when more are, the log simply does not hold them."""
_OWN_END = frozenset({-9, -11, -7, -4, -8})


def find(facts: Facts, catalogue: Catalogue) -> Iterator[Match]:
    """Yield one match for each rank that its peers waited for, per attempt."""
    for attempt in sorted({event.subject.attempt for event in facts.events}):
        events = [event for event in facts.events if event.subject.attempt == attempt]
        waiting = _waiting(events, catalogue)
        own = _with_own_failure(events, catalogue)
        if not waiting or own:
            continue
        last = _last_lines(facts, attempt)
        silent = sorted(set(last) - waiting)
        if silent and len(silent) <= max(1, int(_FEW * len(set(last) | waiting))):
            for rank in silent:
                yield _match(rank, last[rank], waiting, _farewell(events, rank, catalogue))


def _waiting(events: list[Event], catalogue: Catalogue) -> set[int]:
    alone = {event.subject.rank for event in events if _mode(event, catalogue) in _NO_WAIT}
    return {
        event.subject.rank
        for event in events
        if event.subject.rank is not None
        and event.subject.rank not in alone
        and _class(event, catalogue) in _WAITING
        and _mode(event, catalogue) not in _GOING_ON
    }


def _with_own_failure(events: list[Event], catalogue: Catalogue) -> set[int | None]:
    failed: set[int | None] = set()
    for event in events:
        rank = event.subject.rank
        if (
            rank not in failed
            and event.kind in (EXCEPTION, SIGNATURE)
            and _role(event, catalogue) == "cause"
            and event.captures.get("logged") != "yes"
            and "ChildFailedError" not in event.name
            and (rank is not None or event.kind == EXCEPTION)
            and _class(event, catalogue) not in (*_WAITING, None)
        ):
            failed.add(rank)
    killed = {
        event.subject.rank if event.subject.rank is not None else event.subject.local_rank
        for event in events
        if event.kind in (EXIT, LAUNCHER) and event.numbers.get("code") in _OWN_END
    }
    return failed | killed


def _class(event: Event, catalogue: Catalogue) -> str | None:
    if event.kind == EXCEPTION:
        return modes()[classify(event)[0]].primary_class
    signature = catalogue.signatures.get(event.name.partition("#")[0]) if event.kind == SIGNATURE else None
    if signature is None or signature.role in ("advice", "context") or signature.maturity == "sandbox":
        return None
    mode = modes().get(signature.mode)
    return mode.primary_class if mode else None


def _role(event: Event, catalogue: Catalogue) -> str:
    if event.kind == EXCEPTION:
        return "cause"
    signature = catalogue.signatures.get(event.name.partition("#")[0])
    return signature.role if signature else "context"


def _last_lines(facts: Facts, attempt: int) -> Mapping[int, RankProgress]:
    found: dict[int, RankProgress] = {}
    for entry in facts.progress:
        rank = entry.subject.rank
        if rank is not None and entry.subject.attempt == attempt and entry.last_line is not None:
            found.setdefault(rank, entry)
    return found


def _farewell(events: list[Event], rank: int, catalogue: Catalogue) -> Event | None:
    """Return the event in which the rank said that it was done before its peers were."""
    own = [event for event in events if event.subject.rank == rank]
    said = [event for event in own if event.kind == SIGNATURE and _mode(event, catalogue) == _LEFT]
    return next(iter(said or [event for event in own if event.kind == FINISH]), None)


def _mode(event: Event, catalogue: Catalogue) -> str | None:
    signature = catalogue.signatures.get(event.name.partition("#")[0])
    return signature.mode if signature else None


def _match(rank: int, entry: RankProgress, waiting: set[int], farewell: Event | None) -> Match:
    assert entry.last_line is not None
    what = "said it was done and left" if farewell else "printed its last line and reported no failure"
    peers = f"rank {min(waiting)}" if len(waiting) == 1 else f"{len(waiting)} other ranks"
    claim = f"rank {rank} {what}, while {peers} waited for it in a collective"
    place = Evidence(claim=claim, citation=entry.last_line)
    mode = _LEFT if farewell else _SILENT
    return Match(
        rule="ranks/silent",
        mode=mode,
        role="cause",
        maturity="stable",
        tier="log",
        evidence=(place if farewell is None else evidence(farewell, claim),),
        subject=entry.subject,
        start=entry.last_line_time if farewell is None else farewell.when,
        step=entry.last_step,
        captures={"culprit_rank": str(rank)},
        fixes=_FIXES[mode],
        title=what,
    )


DETECTORS = (Detector(id="silent-rank", modes=(), find=find, remedies=lambda: dict(_FIXES)),)
