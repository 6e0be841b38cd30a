"""Which rank a process is by NCCL's own word, and which one stands for a node whose ranks fail alike."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from runtriage.model.event import STATE
from runtriage.model.facts import Facts
from runtriage.model.finding import Match
from runtriage.model.subject import Subject

_SEAT: Final = "nccl/seat"
_SEVERAL: Final = 3
"""So many ranks of one node must fail alike before the node is at fault rather than the one whose line came first."""


def seated(subject: Subject, facts: Facts) -> int | None:
    """Return the rank that NCCL's log gives a process in the largest communicator it joined; a launcher's label in front may count nodes."""
    if subject.pid is None or subject.node is None:
        return None
    told = [
        event.numbers
        for event in facts.events
        if event.kind == STATE
        and event.name == _SEAT
        and (event.subject.node, event.subject.pid) == (subject.node, subject.pid)
        and "rank" in event.numbers
    ]
    largest = max(told, key=lambda numbers: numbers.get("size", 0.0), default=None)
    return None if largest is None else int(largest["rank"])


def first_of_node(matches: Sequence[Match]) -> int | None:
    """Return the lowest of several ranks that fail alike where all are of one node, or in one log beside a fault of a node: which of them printed first is chance."""
    ranks = {match.subject.rank for match in matches} - {None}
    of_node = any(match.scope == "node" for match in matches)
    nodes = {
        match.subject.node or (match.evidence[0].citation.artifact if of_node else None)
        for match in matches
        if match.subject.rank is not None
    }
    one = len(nodes) == 1 and None not in nodes
    return min(rank for rank in ranks if rank is not None) if one and len(ranks) >= _SEVERAL else None
