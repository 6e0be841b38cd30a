"""Counts that ranks print when they are told to dump say who had not called what the others waited in."""

from __future__ import annotations

import pytest

from runtriage.detect.watchdog_behind import find
from runtriage.model.event import SIGNATURE, Event
from runtriage.model.finding import Match
from tests.detect.build import CATALOGUE, event, facts

pytestmark = pytest.mark.usefixtures("untouched_world")

GROUP = "PG ID 0 PG GUID 0(default_pg)"


def timed_out(rank: int, seq: int = 78) -> Event:
    excerpt = f"[rank{rank}]:[E ProcessGroupNCCL.cpp:2252] [{GROUP} Rank {rank}]  failure detected"
    return event(
        SIGNATURE,
        "nccl/watchdog-timeout.torch#status",
        rank + 1,
        rank=rank,
        numbers={"seq": float(seq), "last_enqueued": seq + 1.0},
        excerpt=excerpt,
    )


def told_to_dump(rank: int, enqueued: int, group: str = GROUP) -> Event:
    excerpt = f"[rank{rank}]:[E ProcessGroupNCCL.cpp:1682] [{group} Rank {rank}] Received a dump signal"
    name = "nccl/dump-signal-from-peer.torch#received"
    return event(SIGNATURE, name, rank + 40, rank=rank, numbers={"last_enqueued": float(enqueued)}, excerpt=excerpt)


def found(*events: Event) -> list[Match]:
    return list(find(facts(events=list(events)), CATALOGUE))


def test_a_rank_that_had_not_called_what_the_others_waited_in_is_named() -> None:
    (match,) = found(*map(timed_out, (0, 1, 2, 3, 4, 5, 7)), told_to_dump(6, 77))
    assert (match.captures["culprit_rank"], match.role, match.subject.rank) == ("6", "cause", 6)
    assert match.evidence[0].claim == "rank 6 had called 77 collectives, 7 other ranks timed out in number 78"


def test_two_of_eight_are_both_named() -> None:
    peers = [timed_out(rank) for rank in (1, 2, 3, 5, 6, 7)]
    assert [match.subject.rank for match in found(*peers, told_to_dump(0, 77), told_to_dump(4, 77))] == [0, 4]


def test_a_rank_that_had_called_it_too_waits_like_the_others() -> None:
    assert found(*map(timed_out, (0, 1, 2)), told_to_dump(3, 78)) == []


def test_half_of_a_group_is_not_behind_the_other() -> None:
    assert found(*map(timed_out, (0, 1, 2)), *(told_to_dump(rank, 77) for rank in (3, 4, 5))) == []


def test_counts_of_another_group_say_nothing() -> None:
    other = told_to_dump(3, 7, "PG ID 1 PG GUID 3(tensor)")
    assert found(*map(timed_out, (0, 1, 2)), other) == []
