"""The rank that stands apart is named with what it waits for; a healthy look round is not."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from runtriage.detect.stacks import find
from runtriage.model.event import STATE, Event
from runtriage.model.finding import Match
from runtriage.model.subject import Subject
from tests.detect.build import CATALOGUE, event, facts

COLLECTIVE = "all_reduce (torch/distributed/distributed_c10d.py:2501) < sync (train.py:44) < main (train.py:90)"
DATA = "wait (threading.py:331) < get (queue.py:180) < _try_get_data (torch/utils/data/dataloader.py:1243) < main (train.py:80)"
SAVE = "_save (torch/serialization.py:900) < save (torch/serialization.py:500) < keep (train.py:70)"
COMPUTE = "forward (model.py:12) < main (train.py:85)"
WORKER = "open (PIL/Image.py:10) < load (data.py:31) < _worker_loop (torch/utils/data/_utils/worker.py:300)"


def stack(rank: int | None, frames: str, own: str = "main (train.py:90)", line: int | None = None) -> Event:
    return event(STATE, "stack/main", line or (rank or 0) + 1, rank=rank, captures={"frames": frames, "own": own})


def found(*events: Event) -> list[Match]:
    return list(find(facts(events=events), CATALOGUE))


@pytest.mark.parametrize(
    ("frames", "mode", "word"),
    [
        (DATA, "stall/dataloader-blocked", "data"),
        (SAVE, "stall/storage-read-blocked", "storage"),
        ("_acquire (filelock/_unix.py:40) < main (train.py:3)", "stall/gil-or-fork-deadlock", "a file lock"),
        ("wait (torch/_inductor/async_compile.py:9) < main (train.py:3)", "stall/compile-or-jit-lock", "a compiler"),
        (
            "read (ssl.py:1) < get (requests/api.py:2) < log (wandb/sdk/x.py:2)",
            "stall/logger-retry",
            "its tracking service",
        ),
        (COMPUTE, "stall/no-progress", "main (train.py:85)"),
    ],
)
def test_the_rank_that_stands_apart_is_named_with_what_it_waits_for(frames: str, mode: str, word: str) -> None:
    own = "main (train.py:85)"
    (match,) = found(*(stack(rank, COLLECTIVE) for rank in (0, 1, 3)), stack(2, frames, own))
    assert (match.mode, match.captures["culprit_rank"], match.role) == (mode, "2", "cause")
    assert word in match.evidence[0].claim
    assert "3 ranks wait for a collective" in match.evidence[0].claim


def test_of_two_ranks_the_one_outside_the_collective_is_named() -> None:
    (match,) = found(stack(0, COLLECTIVE), stack(1, DATA))
    assert match.captures["culprit_rank"] == "1"


def test_when_all_wait_in_one_collective_nobody_is_named() -> None:
    (match,) = found(*(stack(rank, COLLECTIVE) for rank in range(4)))
    assert match.role == "symptom"
    assert "culprit_rank" not in match.captures


def test_a_rank_in_another_collective_of_the_program_is_named() -> None:
    other = "barrier (torch/distributed/distributed_c10d.py:4000) < save (train.py:60)"
    (match,) = found(*(stack(rank, COLLECTIVE) for rank in range(3)), stack(3, other, "save (train.py:60)"))
    assert (match.mode, match.captures["culprit_rank"]) == ("nccl/rank-divergent-control-flow", "3")


def test_when_half_of_the_ranks_stand_elsewhere_nobody_is_named() -> None:
    assert found(*(stack(rank, COLLECTIVE if rank < 2 else DATA) for rank in range(4))) == []


def test_a_worker_of_the_loader_is_a_witness_and_no_rank() -> None:
    worker = stack(None, WORKER, "load (data.py:31)", line=9)
    (match,) = found(*(stack(rank, COLLECTIVE) for rank in range(3)), stack(3, DATA), worker)
    assert any("a worker of its loader stands in load (data.py:31)" in item.claim for item in match.evidence)


def test_stacks_of_a_living_process_say_nothing_until_it_was_silent_for_long() -> None:
    ranks = [stack(0, COLLECTIVE), stack(1, DATA)]
    busy = event(STATE, "process/state", 9, numbers={"idle_seconds": 3.0})
    silent = event(STATE, "process/state", 9, numbers={"idle_seconds": 900.0})
    assert [match.role for match in found(*ranks, busy)] == ["context", "context"]
    assert len(found(*ranks, silent)) == 1


def test_one_process_that_computes_is_no_finding() -> None:
    assert found(stack(None, COMPUTE)) == []
    assert found(stack(None, COMPUTE), event(STATE, "stack/timeout", 9))[0].mode == "stall/no-progress"


def local(rank: int, frames: str) -> Event:
    told = stack(None, frames, line=rank + 1)
    return replace(told, subject=Subject(local_rank=rank))


def test_ranks_that_only_the_launchers_prefix_tells_apart_are_compared_too() -> None:
    (match,) = found(local(0, COLLECTIVE), local(1, COLLECTIVE), local(2, DATA), local(3, COLLECTIVE))
    assert match.evidence[0].claim.startswith("local rank 2 stands in")
    assert match.subject.local_rank == 2


def test_a_process_whose_stack_was_asked_for_in_passing_is_not_called_stuck() -> None:
    told = stack(None, DATA)
    assert found(replace(told, captures={**told.captures, "asked": "yes"})) == []


def test_ranks_of_a_living_run_that_stand_alike_are_one_sentence() -> None:
    living = event(STATE, "process/state", 9, captures={"state": "S"}, numbers={"idle_seconds": 3.0})
    matches = found(*(stack(rank, COLLECTIVE) for rank in (0, 1, 3)), stack(2, DATA, "load (train.py:8)"), living)
    claims = [match.evidence[0].claim for match in matches]
    assert claims[0].startswith("ranks 0, 1, 3 stand in main (train.py:90) and wait for a collective")
    assert claims[1].startswith("rank 2 stands in load (train.py:8) and waits for data")
    assert {match.role for match in matches} == {"context"}


def test_processes_without_ranks_are_told_apart_by_their_ids_and_the_one_that_only_started_them_does_not_count() -> (
    None
):
    started = "wait (subprocess.py:1264) < launch (run.py:90)"
    stands = [(70, started), *((pid, COLLECTIVE) for pid in (71, 72, 73)), (74, DATA)]
    events = [
        replace(
            stack(None, frames, line=pid),
            subject=Subject(pid=pid),
            captures={"frames": frames, "own": f"at {frames[:4]}"},
        )
        for pid, frames in stands
    ]
    (match,) = found(*events)
    assert (match.mode, match.subject.pid) == ("stall/dataloader-blocked", 74)
