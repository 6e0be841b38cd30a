"""How long a silence must last to be a stall depends on the pace of the run and on who ended it."""

from __future__ import annotations

import pytest

from runtriage.detect.stall import find
from runtriage.model.event import EXIT, FINISH, Event
from runtriage.model.facts import RankProgress
from runtriage.model.subject import Subject
from runtriage.model.time import Instant
from tests.detect.build import CATALOGUE, at, event, facts

pytestmark = pytest.mark.usefixtures("untouched_world")


def entry(silent: float, *, pace: float = 0.2) -> RankProgress:
    return RankProgress(
        artifact="train.log",
        subject=Subject(),
        first_step=4,
        last_step=480,
        progress_lines=120,
        last_progress=at(124),
        last_progress_time=Instant(text="t0", seconds=0.0, clock="train.log"),
        last_line=at(137),
        last_line_time=Instant(text="t1", seconds=silent, clock="train.log"),
        longest_gap=pace,
    )


CODE_124 = event(EXIT, "exit-code", 138, numbers={"code": 124.0})
KILLED = event(EXIT, "signal", 136, captures={"binary": "timeout -s KILL 45 python train.py"}, numbers={"signal": 9.0})


@pytest.mark.parametrize("ended", [CODE_124, KILLED])
def test_a_run_whose_given_time_was_used_up_in_silence_had_stalled(ended: Event) -> None:
    (match,) = find(facts(events=[ended], progress=[entry(40.0)]), CATALOGUE)
    assert (match.mode, match.step) == ("stall/no-progress", 480)


@pytest.mark.parametrize(
    ("events", "progress"),
    [
        ([], entry(40.0)),
        ([CODE_124], entry(12.0)),
        ([CODE_124], entry(40.0, pace=9.0)),
        ([CODE_124, event(FINISH, "message", 130)], entry(40.0)),
    ],
)
def test_a_short_silence_a_slow_pace_or_a_finish_is_no_stall(events: list[Event], progress: RankProgress) -> None:
    assert not list(find(facts(events=events, progress=[progress]), CATALOGUE))


def test_five_minutes_of_silence_are_a_stall_whoever_ended_the_run() -> None:
    (match,) = find(facts(progress=[entry(400.0)]), CATALOGUE)
    assert match.numbers["silent_seconds"] == 400.0
