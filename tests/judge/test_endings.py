"""How a run ended: which lines say that it is done, and what may still go wrong after them."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from runtriage.judge import judge
from runtriage.model.event import CHECKPOINT, CLOSING, EXCEPTION, EXIT, RECOVERY, Event
from runtriage.model.facts import RankProgress
from runtriage.model.series import Point, Series
from runtriage.model.subject import Subject
from tests.judge.build import at, facts, finish, match, progress

pytestmark = pytest.mark.usefixtures("untouched_world")


def test_an_end_that_names_its_own_code_is_no_success() -> None:
    ended = replace(finish(4), excerpt="=== job ended, status 127 ===")
    verdict = judge([match("crash/command-not-found", 3, tier="exit")], facts(events=[ended]))
    assert verdict.mode == "crash/command-not-found"
    assert verdict.run_status == "crashed"


def test_an_end_with_code_zero_is_a_success() -> None:
    ended = replace(finish(4), excerpt="=== job ended, status 0 ===")
    assert judge([match("crash/command-not-found", 3, tier="exit")], facts(events=[ended])).primary_class is None


def test_a_source_line_that_says_done_ends_nothing() -> None:
    raised = Event(
        kind=EXCEPTION,
        name="ValueError",
        citation=at("train.log", 113),
        excerpt="ValueError: x",
        numbers={"first_line": 96, "last_line": 113},
    )
    run = facts(events=[finish(98), raised], entries=[progress(9, 90)])
    assert judge([match("data/iterator-exhausted", 113)], run).mode == "data/iterator-exhausted"


def test_an_error_of_the_main_program_after_its_last_word_is_a_crash() -> None:
    found = match("data/unhandled-exception", 46, captures={"user_function": "<module>"})
    verdict = judge([found], facts(events=[finish(24)]))
    assert (verdict.mode, verdict.run_status) == ("data/unhandled-exception", "crashed")


@pytest.mark.parametrize("aside", [{"logged": "yes"}, {"thread": "loader"}, {"bare": "yes"}, {"remote": "yes"}])
def test_noise_after_the_end_stays_noise(aside: dict[str, str]) -> None:
    found = match("data/unhandled-exception", 46, captures={"user_function": "<module>", **aside})
    assert judge([found], facts(events=[finish(24)])).primary_class is None


def test_a_callback_that_stopped_on_nan_leaves_a_diverged_run() -> None:
    assert judge([match("nan/tf-terminate-on-nan", 2, tier="log")], facts()).run_status == "diverged"


def test_a_worker_that_died_and_came_back_makes_a_recovered_run() -> None:
    died = Event(
        kind=EXIT,
        name="exit-code",
        citation=at("train.log", 29),
        excerpt="",
        captures={"by": "launcher"},
        numbers={"code": 1},
        subject=Subject(local_rank=1),
    )
    run = facts(events=[died, finish(45)], entries=[progress(240, 42)])
    assert judge([], run).run_status == "recovered"


@pytest.mark.parametrize(
    ("path", "line", "status"),
    [("final.pt", 20, "completed"), ("semifinalist.pt", 20, "unknown"), ("final.pt", 5, "unknown")],
)
def test_the_final_checkpoint_after_the_last_step_completes_a_run(path: str, line: int, status: str) -> None:
    saved = Event(
        kind=CHECKPOINT, name="saved", citation=at("train.log", line), excerpt="saved", captures={"path": path}
    )
    assert judge([], facts(events=[saved], entries=[progress(600, 10)])).run_status == status


def test_a_program_whose_stacks_show_a_wait_and_that_was_then_stopped_had_hung() -> None:
    found = [
        match("stall/no-progress", 10, tier="recorder"),
        match("stall/dataloader-blocked", 30, tier="recorder", role="confirmation"),
        match("crash/sigterm-external", 40, tier="exit", role="symptom"),
    ]
    verdict = judge(found, facts(entries=[progress(200, 5)]))
    assert (verdict.primary_class, verdict.run_status) == ("stalled", "hung")


def test_a_program_that_went_on_after_its_stacks_were_printed_was_merely_slow() -> None:
    found = [match("stall/no-progress", 10, tier="recorder", step=4)]
    assert judge(found, facts(entries=[progress(200, 50)])).primary_class is None


def _said(kind: str, name: str, line: int, **more: object) -> Event:
    return replace(Event(kind=kind, name=name, citation=at("train.log", line), excerpt=name), **more)


def test_what_is_printed_once_behind_the_last_step_suggests_that_the_run_completed() -> None:
    verdict = judge([], facts(events=[_said(CLOSING, "test", 91)], entries=[progress(400, 90)]))
    assert (verdict.run_status, verdict.abstained, verdict.routed) == ("completed", None, None)
    assert verdict.confidence < 0.9


@pytest.mark.parametrize(
    "events",
    [
        [_said(CLOSING, "made", 40), _said(CLOSING, "made", 91)],
        [_said(CLOSING, "made", 91, count=2)],
        [_said(CLOSING, "made", 40)],
        [_said(CLOSING, "made", 91), _said(EXIT, "exit-code", 92, numbers={"code": 3.0})],
        [],
    ],
)
def test_what_is_printed_again_and_again_or_before_a_fault_suggests_nothing(events: list[Event]) -> None:
    verdict = judge([], facts(events=events, entries=[progress(400, 90)]))
    assert (verdict.run_status, verdict.confidence) == ("unknown", 0.5)
    assert verdict.abstained


def test_a_fault_the_program_dealt_with_itself_makes_a_recovered_run() -> None:
    run = facts(events=[_said(RECOVERY, "fault", 20), finish(95)], entries=[progress(400, 90)])
    assert judge([], run).run_status == "recovered"


def test_a_fault_without_progress_after_it_is_not_yet_overcome() -> None:
    run = facts(events=[_said(RECOVERY, "fault", 93), finish(95)], entries=[progress(400, 90)])
    assert judge([], run).run_status == "completed"


@pytest.mark.parametrize(("total", "status"), [(None, "completed"), (41, "completed"), (100, "unknown")])
def test_words_that_are_new_behind_the_last_step_end_a_run_that_planned_no_further_one(
    total: int | None, status: str
) -> None:
    own = Event(kind=CLOSING, name="own", citation=at("train.log", 9), excerpt="lr=0.1 wins")
    assert judge([], facts(events=[own], entries=[progress(40, 8, total=total)])).run_status == status


@pytest.mark.parametrize(
    ("mode", "status"),
    [("crash/machine-check", "crashed"), ("orch/host-maintenance", "crashed"), ("cuda/gsp-timeout", "hung")],
)
def test_a_node_that_went_away_took_the_run_with_it_and_a_gpu_that_does_not_answer_holds_it_up(
    mode: str, status: str
) -> None:
    found = match(mode, 3, artifact="dmesg.txt", tier="kernel")
    assert judge([found], facts()).run_status == status


@pytest.mark.parametrize(("entries", "status"), [([], "crashed"), ([progress(40, 8)], "hung")])
def test_a_lost_gpu_holds_a_run_up_only_where_its_steps_were_seen_to_stop(
    entries: list[RankProgress], status: str
) -> None:
    found = match("cuda/fell-off-bus", 3, artifact="dmesg.txt", tier="kernel")
    assert judge([found], facts(entries=entries)).run_status == status


def test_a_process_that_is_still_there_goes_on_whatever_its_log_calls_the_end() -> None:
    seen = match("", 1, artifact="process-7.json", tier="kernel", role="context", captures={"living": "yes"})
    done = facts(entries=[progress(800, 80)], events=[finish(90)])
    assert judge([], done).run_status == "completed"
    verdict = judge([seen], done)
    assert (verdict.run_status, verdict.routed) == ("running", "running")
    assert verdict.evidence == seen.evidence


def test_words_that_are_new_at_the_end_close_a_run_that_counts_epochs_alone() -> None:
    own = Event(kind=CLOSING, name="own", citation=at("train.log", 91), excerpt="9130 of 10000 images are right")
    counted = replace(progress(0, 90), first_step=None, last_step=None, last_epoch=8.0)
    assert judge([], facts(events=[own], entries=[counted])).run_status == "completed"


def test_a_checkpoint_of_the_last_step_may_be_one_of_many() -> None:
    kept = Event(kind=CLOSING, name="made", citation=at("train.log", 91), excerpt="checkpoint saved: ck/400.pt")
    assert judge([], facts(events=[kept], entries=[progress(400, 90)])).run_status == "unknown"


@pytest.mark.parametrize(
    ("rates", "status"),
    [
        ([6e-4, 5e-4, 4e-4, 3e-4, 2e-4, 1e-4, 0.0], "completed"),
        ([6e-4, 5e-4, 4e-4, 3e-4, 2e-4, 1e-4], "unknown"),
        ([3e-4, 2e-4, 1e-4, 0.0, 0.0, 0.0, 0.0], "unknown"),
        ([1e-4, 6e-4, 0.0], "unknown"),
    ],
)
def test_a_rate_that_comes_to_nothing_with_the_last_step_was_planned_so(rates: list[float], status: str) -> None:
    points = tuple(Point(step=float(step), value=value, line=step + 1, byte=step) for step, value in enumerate(rates))
    series = Series(artifact="train.log", name="lr", role="lr", subject=Subject(), points=points, total=len(points))
    verdict = judge([], replace(facts(entries=[progress(400, 90)]), series=(series,)))
    assert verdict.run_status == status


def test_the_bare_name_of_a_signal_leaves_room_for_doubt() -> None:
    alone = judge([match("crash/segv", 91, tier="exit")], facts(entries=[progress(400, 90)]))
    with_stack = judge(
        [match("crash/segv", 91, tier="exit", numbers={"frames": 4.0})], facts(entries=[progress(400, 90)])
    )
    assert alone.mode == with_stack.mode == "crash/segv"
    assert alone.confidence <= 0.85 < with_stack.confidence


def test_steps_behind_a_lost_node_are_those_of_the_job_that_was_started_again() -> None:
    lost = match("orch/slurm-node-fail", 20, tier="scheduler", step=900)
    assert judge([lost], facts(entries=[progress(3000, 60)])).primary_class is None
    assert judge([lost], facts(entries=[progress(900, 19)])).mode == "orch/slurm-node-fail"
    timed = match("orch/time-limit", 20, tier="scheduler", step=900)
    assert judge([timed], facts(entries=[progress(901, 21)])).mode == "orch/time-limit"
