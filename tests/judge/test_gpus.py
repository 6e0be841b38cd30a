"""A kernel record names a GPU; which rank that is is told by NCCL, by a listing of the node, or by how known machines are built."""

from __future__ import annotations

import pytest

from runtriage.judge import judge
from runtriage.model.event import STATE, Event
from runtriage.model.finding import Match
from runtriage.model.subject import NOBODY, Subject
from tests.judge.build import at, facts, finish, match, progress

pytestmark = pytest.mark.usefixtures("untouched_world")


def broken(pci: str) -> Match:
    return match("cuda/fell-off-bus", 3, artifact="dmesg.txt", tier="kernel", captures={"pci": pci})


def state(name: str, line: int, captures: dict[str, str], subject: Subject = NOBODY, **numbers: float) -> Event:
    where = at("nccl.log", line)
    return Event(kind=STATE, name=name, citation=where, excerpt="", captures=captures, numbers=numbers, subject=subject)


def seat(bus: str, rank: int, size: int) -> Event:
    return state("nccl/seat", rank + 1, {"bus": bus}, rank=rank, size=size)


def rank(found: Match, events: list[Event], world_size: int | None) -> int | None:
    verdict = judge([found], facts(events=events, world_size=world_size))
    return verdict.culprit.rank if verdict.culprit else None


def test_the_widest_communicator_says_which_rank_drives_the_gpu() -> None:
    events = [seat("9d000", 1, 2), seat("9d000", 12, 16), seat("1b000", 8, 16)]
    assert rank(broken("0000:9d:00"), events, 16) == 12


def test_a_listing_of_the_node_numbers_its_gpus() -> None:
    events = [
        state("gpu/listed", number, {"pci": pci}, index=number)
        for number, pci in enumerate(["00000000:01:00.0", "00000000:C1:00.0"])
    ]
    assert rank(broken("0000:c1:00"), events, 2) == 1


def test_an_address_that_known_machines_agree_on_names_the_rank_of_a_single_node() -> None:
    assert rank(broken("0000:ab:00"), [], 8) == 5


@pytest.mark.parametrize(("pci", "size"), [("0000:ab:00", 4), ("0000:77:00", 8), ("0001:ab:00", 8)])
def test_no_rank_is_guessed_for_other_machines(pci: str, size: int) -> None:
    assert rank(broken(pci), [], size) is None


def test_an_address_alone_names_no_rank_where_nothing_says_how_many_the_job_has() -> None:
    assert rank(broken("0000:ab:00"), [], None) is None


def test_ranks_that_were_seen_say_how_many_a_job_has() -> None:
    seen = [state("x", number + 1, {}, Subject(rank=number)) for number in range(8)]
    assert rank(broken("0000:ab:00"), seen, None) == 5


def test_a_node_without_printed_ranks_among_several_leaves_the_rank_open() -> None:
    events = [
        state("gpu/listed", 1, {"pci": "00000000:AB:00.0"}, index=5.0),
        state("x", 2, {}, Subject(node="a")),
        state("x", 3, {}, Subject(node="b")),
    ]
    assert rank(broken("0000:ab:00"), events, 16) is None


def test_heat_that_slowed_a_completed_run_to_its_end_is_its_cause() -> None:
    hot = match("cuda/thermal-or-power-throttle", 9, artifact="smi.txt", tier="kernel")
    slow = match("stall/throughput-collapse", 40, tier="metric", step=440)
    verdict = judge([hot, slow], facts(entries=[progress(800, 80)], events=[finish(90)]))
    assert (verdict.mode, verdict.run_status) == ("cuda/thermal-or-power-throttle", "degraded")
    assert judge([hot], facts(entries=[progress(800, 80)], events=[finish(90)])).primary_class is None


def test_a_node_s_count_of_gpus_stands_for_the_ranks_where_rank_0_prints_for_all() -> None:
    events = [state("gpu/attached", 5, {}, count=8.0)]
    for printed, expected in ((0, 5), (None, None)):
        verdict = judge([broken("0000:ab:00")], facts(events=events, entries=[progress(80, 40, rank=printed)]))
        assert (verdict.culprit.rank if verdict.culprit else None) == expected


def test_a_broken_link_that_slowed_a_completed_run_leaves_it_degraded_and_not_hung() -> None:
    link = match("cuda/nvlink-error", 9, artifact="dmesg.txt", tier="kernel")
    slow = match("stall/throughput-collapse", 40, tier="metric", step=440)
    verdict = judge([link, slow], facts(entries=[progress(800, 80)], events=[finish(90)]))
    assert (verdict.mode, verdict.run_status) == ("cuda/nvlink-error", "degraded")


def test_a_number_among_the_gpus_of_a_node_is_no_rank_of_a_job_that_one_node_cannot_hold() -> None:
    memory = match("oom/gpu-alloc", 3, tier="kernel", subject=Subject(gpu="3"))
    one_node = [state("x", 2, {}, Subject(node="a"))]
    assert rank(memory, one_node, 8) == 3
    assert rank(memory, one_node, 64) is None
    assert rank(broken("0000:ab:00"), one_node, 64) is None
