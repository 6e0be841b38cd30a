"""Which rank a process is, and which one stands for a node."""

from __future__ import annotations

from runtriage.judge.seats import first_of_node, seated
from runtriage.model.event import STATE, Event
from runtriage.model.subject import Subject
from tests.judge.build import at, facts, match


def seat(rank: int, size: int, pid: int) -> Event:
    return Event(
        kind=STATE,
        name="nccl/seat",
        citation=at("slurm.out", 9),
        excerpt="",
        subject=Subject(node="n3", pid=pid),
        numbers={"rank": float(rank), "size": float(size)},
    )


def test_a_process_has_the_rank_of_its_largest_communicator_and_not_the_label_of_its_task() -> None:
    seen = facts(events=(seat(0, 8, 2790), seat(16, 24, 2790), seat(2, 24, 4410)))
    assert seated(Subject(rank=2, node="n3", pid=2790), seen) == 16
    assert seated(Subject(rank=2, node="n3", pid=7), seen) is None
    assert seated(Subject(rank=2, node="n3"), seen) is None


def test_the_lowest_rank_stands_for_a_node_whose_ranks_fail_alike() -> None:
    on_node = [match("cuda/driver-too-old", 9, subject=Subject(rank=rank, node="n4")) for rank in (12, 8, 15)]
    assert first_of_node(on_node) == 8
    assert first_of_node(on_node[:2]) is None
    elsewhere = match("cuda/driver-too-old", 9, subject=Subject(rank=3, node="n1"))
    assert first_of_node([*on_node, elsewhere]) is None


def test_ranks_of_one_log_are_of_one_node_only_beside_a_fault_of_a_node() -> None:
    ranks = [match("cuda/nvml-mismatch", 9, rank=rank, artifact="hx04.log") for rank in (12, 8, 15)]
    kernel = match("cuda/nvml-mismatch", 3, artifact="hx04.kern.log", scope="node", tier="kernel")
    assert first_of_node(ranks) is None
    assert first_of_node([kernel, *ranks]) == 8
