"""Watchdog lines of many ranks tell which rank called another collective."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from runtriage.detect.watchdog_split import find
from runtriage.model.event import CHECKPOINT, SIGNATURE, Event
from runtriage.model.facts import RankProgress
from runtriage.model.finding import Match
from runtriage.model.subject import Subject
from tests.detect.build import CATALOGUE, at, event, facts

GROUP = "PG ID 0 PG GUID 0(default_pg)"


def wait(rank: int, seq: int, op: str, size: str = "64", group: str | None = GROUP) -> list[Event]:
    name = "nccl/watchdog-timeout.torch#"
    line = 2 * rank + 1
    captures = {"op": op, "numel_in": size}
    said = event(SIGNATURE, name + "timeout", line, rank=rank, captures=captures, numbers={"seq": float(seq)})
    if group is None:
        return [said]
    excerpt = f"[rank{rank}]:[E ProcessGroupNCCL.cpp:2252] [{group} Rank {rank}]  failure detected"
    return [said, event(SIGNATURE, name + "status", line + 1, rank=rank, numbers={"seq": float(seq)}, excerpt=excerpt)]


def found(*events: list[Event]) -> list[Match]:
    return list(find(facts(events=[one for several in events for one in several]), CATALOGUE))


@pytest.mark.parametrize(
    ("seq", "op", "size", "mode"),
    [
        (7, "_ALLGATHER_BASE", "64", "nccl/collective-mismatch"),
        (7, "ALLREDUCE", "1", "nccl/collective-mismatch"),
        (6, "BROADCAST", "1", "nccl/collective-mismatch"),
        (6, "ALLREDUCE", "64", "nccl/rank-divergent-control-flow"),
    ],
)
def test_the_rank_in_another_collective_than_its_peers_is_named(seq: int, op: str, size: str, mode: str) -> None:
    (match,) = found(*(wait(rank, 7, "ALLREDUCE") for rank in (0, 1, 3)), wait(2, seq, op, size))
    assert (match.mode, match.captures["culprit_rank"], match.role) == (mode, "2", "cause")
    assert "rank 2 waited in" in match.evidence[0].claim
    assert "3 other ranks in ALLREDUCE number 7" in match.evidence[0].claim


def test_ranks_that_wait_in_one_collective_are_not_told_apart() -> None:
    assert found(*(wait(rank, 7, "ALLREDUCE") for rank in range(4))) == []


def test_half_against_half_names_nobody() -> None:
    assert found(*(wait(rank, 7 - rank % 2, "ALLREDUCE") for rank in range(4))) == []


def test_neighbours_of_a_pipeline_wait_for_different_transfers() -> None:
    assert found(*(wait(rank, 7, "ALLREDUCE") for rank in (0, 1, 3)), wait(2, 5, "RECV")) == []


def test_numbers_of_different_or_unnamed_groups_are_not_compared() -> None:
    peers = [wait(rank, 7, "ALLREDUCE") for rank in (0, 1, 3)]
    assert found(*peers, wait(2, 3, "ALLREDUCE", group="PG ID 4 PG GUID 9(DATA_PARALLEL_GROUP)")) == []
    assert found(*peers, wait(2, 3, "ALLREDUCE", group=None)) == []


def _with(said: list[Event]) -> Match:
    waits = [wait(rank, 7, "ALLREDUCE") for rank in (0, 1, 3)] + [wait(2, 7, "ALLGATHER")]
    moved = [progress_of(rank) for rank in (0, 1, 2, 3)]
    events = [
        *said,
        *(
            replace(each, citation=at(50 + index))
            for index, each in enumerate(one for several in waits for one in several)
        ),
    ]
    (match,) = find(facts(events=events, progress=moved), CATALOGUE)
    return match


def progress_of(rank: int) -> RankProgress:
    return RankProgress(artifact="train.log", subject=Subject(rank=rank), last_step=9, last_progress=at(3))


def test_what_the_rank_alone_went_on_to_is_cited_first() -> None:
    match = _with([event(CHECKPOINT, "loading", 20, rank=2)])
    assert match.evidence[0].citation.first_line == 20
    assert match.evidence[0].claim.endswith("after it alone had gone on to this")


def test_what_others_did_too_or_what_was_done_again_and_again_turned_nobody() -> None:
    both = [event(CHECKPOINT, "loading", 20, rank=2), event(CHECKPOINT, "loading", 21, rank=1)]
    twice = [event(CHECKPOINT, "saving", 20, rank=2), event(CHECKPOINT, "saving", 30, rank=2)]
    behind = [event(CHECKPOINT, "loading", 90, rank=2)]
    assert all(_with(said).evidence[0].citation.first_line != 20 for said in (both, twice, behind))
