"""A rank that works on alone is named only while all others stand still and nothing else explains the end."""

from __future__ import annotations

import pytest

from runtriage.detect.lone_rank import find
from runtriage.model.event import EXCEPTION, EXIT, FINISH, Event
from runtriage.model.facts import RankProgress
from runtriage.model.subject import Subject
from runtriage.model.time import Instant
from tests.detect.build import CATALOGUE, at, event, facts

pytestmark = pytest.mark.usefixtures("untouched_world")


def when(seconds: float) -> Instant:
    return Instant(text=f"t{seconds}", seconds=seconds, clock="train.log")


def ranks(*, alone: float, others: float = 0.0, step: int = 100) -> list[RankProgress]:
    return [
        RankProgress(
            artifact="train.log",
            subject=Subject(rank=rank),
            first_step=20,
            last_step=100 if rank != 1 else step,
            progress_lines=5,
            last_progress=at(10 - rank),
            last_progress_time=when(50.0),
            last_line=at(14 if rank == 0 else 10 - rank),
            last_line_time=when(50.0 + (alone if rank == 0 else others)),
            longest_gap=1.0,
        )
        for rank in range(3)
    ]


def test_the_rank_that_goes_on_printing_while_its_peers_are_silent_is_named() -> None:
    timed_out = event(EXIT, "exit-code", 46, numbers={"code": 124.0})
    (match,) = find(facts(events=[timed_out], progress=ranks(alone=19.0)), CATALOGUE)
    assert (match.mode, match.subject.rank, match.captures["culprit_rank"]) == ("stall/rank0-only-work", 0, "0")
    assert match.evidence[0].citation.last_line == 12


@pytest.mark.parametrize(
    ("events", "progress"),
    [
        ([], ranks(alone=4.0)),
        ([], ranks(alone=19.0, others=19.0)),
        ([], ranks(alone=19.0, step=80)),
        ([], ranks(alone=19.0)[:1]),
        ([event(FINISH, "message", 20)], ranks(alone=19.0)),
        ([event(EXIT, "exit-code", 20, numbers={"code": 1.0})], ranks(alone=19.0)),
        ([event(EXCEPTION, "ValueError", 20)], ranks(alone=19.0)),
    ],
)
def test_a_pause_a_finish_or_a_failure_names_nobody(events: list[Event], progress: list[RankProgress]) -> None:
    assert not list(find(facts(events=events, progress=progress), CATALOGUE))
