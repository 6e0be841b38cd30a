"""Processes that print only their number get the rank that a launcher or NCCL gave them."""

from __future__ import annotations

import pytest

from runtriage.model.event import EXCEPTION, PHASE, STATE, Event
from runtriage.model.facts import RankProgress
from runtriage.model.place import Citation
from runtriage.model.subject import Subject
from runtriage.scan.seated import seated, seats_of
from tests.scan.cueing import drafts

pytestmark = pytest.mark.usefixtures("untouched_world")

HERE = Citation(artifact="a", first_line=1, last_line=1)


def event(kind: str, name: str, subject: Subject, **numbers: float) -> Event:
    return Event(kind=kind, name=name, citation=HERE, excerpt="", subject=subject, numbers=numbers)


def listed(node: str, pid: int, rank: int) -> Event:
    return event(PHASE, "setup", Subject(node=node, pid=pid, rank=rank))


def ranks(events: list[Event], *subjects: Subject) -> list[int | None]:
    seats = seats_of(events)
    return [each.subject.rank for each in seated([event(EXCEPTION, "E", subject) for subject in subjects], seats)]


@pytest.mark.parametrize("word", ["world_rank", "rank"])
def test_ray_train_lists_which_worker_is_which_rank(word: str) -> None:
    line = f"(TorchTrainer pid=9) - (node_id=4f1c, ip=10.4.0.12, pid=4021) {word}=7, local_rank=3, node_rank=1"
    (draft,) = drafts(line + "\n", readers={"seat"})
    who = draft.subject
    assert (who.rank, who.local_rank, who.node, who.pid) == (7, 3, "10.4.0.12", 4021)


def test_a_process_is_known_by_its_node_and_number() -> None:
    events = [listed("a", 7, 0), listed("b", 7, 1), listed("b", 8, 2)]
    assert ranks(events, Subject(node="b", pid=7), Subject(node="a", pid=7), Subject(pid=8)) == [1, 0, 2]


def test_a_number_that_two_nodes_have_is_no_rank_without_the_node() -> None:
    assert ranks([listed("a", 7, 0), listed("b", 7, 1)], Subject(pid=7), Subject(node="c", pid=7)) == [None, None]


def test_the_widest_communicator_of_nccl_numbers_the_processes() -> None:
    events = [
        event(STATE, "nccl/seat", Subject(node="n1", pid=40), rank=1, size=2),
        event(STATE, "nccl/seat", Subject(node="n1", pid=40), rank=13, size=16),
    ]
    assert ranks(events, Subject(node="n1", pid=40)) == [13]


def test_a_rank_that_is_printed_stays_and_progress_gets_its_rank_too() -> None:
    seats = seats_of([listed("a", 7, 3)])
    said = event(EXCEPTION, "E", Subject(node="a", pid=7, rank=5))
    assert seated([said], seats) == (said,)
    (progress,) = seated([RankProgress(artifact="a", subject=Subject(node="a", pid=7))], seats)
    assert progress.subject.rank == 3
