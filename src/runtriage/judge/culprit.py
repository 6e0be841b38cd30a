"""Whose failure it was: the rank, node, pod or GPU the root belongs to, or nobody in particular."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from runtriage.judge.order import Clocks, earliest
from runtriage.model.facts import Facts
from runtriage.model.finding import Match
from runtriage.model.subject import NOBODY, Subject
from runtriage.model.verdict import Incident

_SYMMETRIC_SHARE = 0.75
"""When this share of all ranks fails in the same way, no single rank is at fault."""


def culprit(root: Incident, facts: Facts, ticks: Clocks) -> Subject:
    """Return the subject at fault; rank is None when the job failed as one or when nothing names a rank."""
    matches = [place(match, facts) for match in root.matches]
    first = earliest(matches, ticks)
    named = first.captures.get("culprit_rank", "")
    if named.isdigit():
        return replace(first.subject, rank=int(named))
    ranks = {match.subject.rank for match in matches if match.subject.rank is not None}
    if first.scope == "job" or _everybody(ranks, facts):
        return replace(first.subject, rank=None, local_rank=None)
    if first.subject.rank is None and len(ranks) == 1:
        return replace(first.subject, rank=next(iter(ranks)))
    return first.subject


def _everybody(ranks: set[int], facts: Facts) -> bool:
    size = world_size(facts)
    return size is not None and size > 1 and len(ranks) > 1 and len(ranks) >= _SYMMETRIC_SHARE * size


def world_size(facts: Facts) -> int | None:
    """Return how many ranks the job has: as printed, else one more than the highest rank seen."""
    if facts.world_size is not None:
        return facts.world_size
    ranks = [event.subject.rank for event in facts.events if event.subject.rank is not None]
    ranks += [entry.subject.rank for entry in facts.progress if entry.subject.rank is not None]
    return max(ranks) + 1 if ranks else None


def place(match: Match, facts: Facts) -> Match:
    """Fill the global rank of a match from printed evidence that ties it to a pid or a local rank."""
    subject = match.subject
    if subject.rank is not None:
        return match
    by_pid = _ranks_by_pid(facts)
    if subject.pid is not None and subject.pid in by_pid:
        return replace(match, subject=replace(subject, rank=by_pid[subject.pid]))
    if subject.local_rank is not None:
        rank = _ranks_by_local(facts).get((subject.node, subject.local_rank))
        if rank is None and _single_node(facts):
            rank = subject.local_rank
        if rank is not None:
            return replace(match, subject=replace(subject, rank=rank))
    return match


def _ranks_by_pid(facts: Facts) -> Mapping[int, int]:
    found: dict[int, int] = {}
    for event in facts.events:
        if event.subject.pid is not None and event.subject.rank is not None:
            found.setdefault(event.subject.pid, event.subject.rank)
    return found


def _ranks_by_local(facts: Facts) -> Mapping[tuple[str | None, int], int]:
    found: dict[tuple[str | None, int], int] = {}
    for event in facts.events:
        if event.subject.local_rank is not None and event.subject.rank is not None:
            found.setdefault((event.subject.node, event.subject.local_rank), event.subject.rank)
    return found


def _single_node(facts: Facts) -> bool:
    nodes = {event.subject.node for event in facts.events if event.subject.node is not None}
    return len(nodes) <= 1


def nobody(subject: Subject | None) -> bool:
    """Tell whether a subject names no rank, node, pod or GPU."""
    return subject is None or replace(subject, attempt=0) == NOBODY
