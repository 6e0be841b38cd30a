"""How long a silence must last to be a stall depends on the pace of the run and on who ended it."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from runtriage.detect import stall_standing, stall_start
from runtriage.detect.stall import LEAST, WINDOW, find
from runtriage.model.event import CHECKPOINT, EXIT, FINISH, PHASE, SIGNATURE, Event
from runtriage.model.facts import RankProgress, Standing
from runtriage.model.subject import Subject
from runtriage.model.time import Instant
from tests.detect.build import CATALOGUE, at, event, facts, series

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


def test_a_clean_end_on_a_signal_says_nothing_of_the_silence_before_it() -> None:
    signalled = event(EXIT, "signal", 136, captures={"by": "program"}, numbers={"signal": 15.0})
    clean = event(FINISH, "message", 136)
    assert list(find(facts(events=[signalled, clean], progress=[entry(9000.0)]), CATALOGUE))
    assert not list(find(facts(events=[clean], progress=[entry(9000.0)]), CATALOGUE))


def test_five_minutes_of_silence_are_a_stall_whoever_ended_the_run() -> None:
    (match,) = find(facts(progress=[entry(400.0)]), CATALOGUE)
    assert match.numbers["silent_seconds"] == 400.0


WINDOWS = {
    "save": event(CHECKPOINT, "saving", 125),
    "evaluation": event(PHASE, "eval", 125),
    "compilation": event(PHASE, "compile", 125),
    "set-up": event(PHASE, "setup", 125),
}


@pytest.mark.parametrize("window", WINDOWS)
def test_what_prints_no_steps_may_take_longer_than_a_step_but_not_for_ever(window: str) -> None:
    begun = WINDOWS[window]
    assert not list(find(facts(events=[begun], progress=[entry(LEAST + 900.0)]), CATALOGUE))
    (match,) = find(facts(events=[begun], progress=[entry(WINDOW + 1.0)]), CATALOGUE)
    assert match.numbers["silent_seconds"] == WINDOW + 1.0


@pytest.mark.parametrize("window", WINDOWS)
def test_a_window_before_the_last_step_masks_nothing(window: str) -> None:
    over = replace(WINDOWS[window], citation=at(100))
    assert list(find(facts(events=[over], progress=[entry(LEAST + 1.0)]), CATALOGUE))


def test_the_last_of_many_equal_windows_is_the_one_that_masks() -> None:
    first = replace(WINDOWS["evaluation"], citation=at(20), last=at(126), count=6)
    assert not list(find(facts(events=[first], progress=[entry(LEAST + 900.0)]), CATALOGUE))


def test_a_window_as_long_as_those_before_it_is_no_stall_however_long() -> None:
    hour = entry(3 * 3600.0, pace=3600.0)
    assert not list(find(facts(events=[WINDOWS["evaluation"]], progress=[hour]), CATALOGUE))
    assert list(find(facts(events=[WINDOWS["evaluation"]], progress=[entry(6 * 3600.0, pace=3600.0)]), CATALOGUE))


def test_results_of_an_evaluation_behind_the_last_step_tell_what_took_so_long() -> None:
    judged = series("eval_loss", "eval_loss", [1.5], line=130)
    assert not list(find(facts(curves=[judged], progress=[entry(2 * WINDOW)]), CATALOGUE))


def test_a_run_that_counts_epochs_alone_stalls_too() -> None:
    epochs = replace(entry(4000.0, pace=62.0), progress_lines=0, first_step=None, last_step=None, last_epoch=11.0)
    curve = series("train_loss", "loss", [1.0] * 11)
    (match,) = find(facts(curves=[curve], progress=[epochs]), CATALOGUE)
    assert "epoch 11" in match.evidence[0].claim
    assert not list(find(facts(progress=[epochs]), CATALOGUE))


def _time(seconds: float) -> Instant:
    return Instant(text=f"t{seconds:g}", seconds=seconds, clock="train.log")


def _begun(silent: float, kind: str = PHASE, name: str = "compile") -> list[Event]:
    end = replace(event(EXIT, "signal", 9, numbers={"signal": 15.0}), when=_time(40.0 + silent))
    return [replace(event(kind, name, 3), when=_time(40.0)), end]


def test_a_compilation_of_which_nothing_comes_is_a_stall_before_the_first_step() -> None:
    (match,) = stall_start.find(facts(events=_begun(WINDOW + 60.0)), CATALOGUE)
    assert match.mode == "stall/compile-or-jit-lock"
    assert not list(stall_start.find(facts(events=_begun(WINDOW - 60.0)), CATALOGUE))
    assert not list(stall_start.find(facts(events=_begun(9000.0), progress=[entry(0.0)]), CATALOGUE))
    done = [*_begun(9000.0), event(FINISH, "message", 8)]
    assert not list(stall_start.find(facts(events=done), CATALOGUE))


def test_silence_after_training_was_begun_counts_only_behind_a_fork() -> None:
    begun = _begun(WINDOW + 60.0, name="train")
    assert not list(stall_start.find(facts(events=begun), CATALOGUE))
    forked = event(SIGNATURE, "stall/gil-or-fork-deadlock.fork-warning#tokenizers", 2)
    (match,) = stall_start.find(facts(events=[forked, *begun]), CATALOGUE)
    assert match.mode == "stall/gil-or-fork-deadlock"


def _drawn(since: float, until: float, *, step: int = 480, lines: int = 300) -> RankProgress:
    clock = [Instant(text=f"{at:g}", seconds=at, dated=False, clock="elapsed") for at in (since, until)]
    found = replace(entry(0.0), last_progress_time=None, last_line_time=None, longest_gap=None, last_step=step)
    return replace(found, standing=Standing(step=step, lines=lines, since=clock[0], until=clock[1]))


def test_a_bar_that_stands_for_long_is_a_stall_with_the_times_it_shows() -> None:
    (match,) = stall_standing.find(facts(progress=[_drawn(180.0, 3170.0)]), CATALOGUE)
    assert (match.mode, match.step, match.numbers["silent_seconds"]) == ("stall/no-progress", 480, 2990.0)
    assert "from 180 to 3170" in match.evidence[0].claim


@pytest.mark.parametrize(
    ("events", "progress"),
    [
        ([], _drawn(180.0, 400.0)),
        ([], _drawn(180.0, 3170.0, lines=3)),
        ([], _drawn(3600.0, 6000.0, step=7)),
        ([], _drawn(180.0, 3170.0, step=5)),
        ([event(FINISH, "message", 130)], _drawn(180.0, 3170.0)),
    ],
    ids=["short", "seldom", "slow-epochs", "hardly-begun", "finished"],
)
def test_a_bar_of_slow_steps_or_of_a_run_that_finished_does_not_stand(
    events: list[Event], progress: RankProgress
) -> None:
    assert not list(stall_standing.find(facts(events=events, progress=[progress]), CATALOGUE))
