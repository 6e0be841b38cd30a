from __future__ import annotations

import pytest

from runtriage.judge import judge
from runtriage.model.event import LAUNCHER, Event
from runtriage.model.subject import Subject
from tests.judge.build import at, facts, finish, match, progress

pytestmark = pytest.mark.usefixtures("untouched_world")


def test_the_first_cause_wins_over_the_loud_cascade() -> None:
    found = [match("oom/gpu-alloc", 50, rank=5, seconds=100)]
    found += [
        match("nccl/watchdog-timeout", 60 + rank, rank=rank, role="symptom", tier="log", seconds=100.5)
        for rank in range(5)
    ]
    found += [match("crash/abort", 90, rank=2, role="symptom", tier="launcher", seconds=701)]
    verdict = judge(found, facts(world_size=8))
    assert (verdict.primary_class, verdict.mode) == ("oom", "oom/gpu-alloc")
    assert verdict.culprit is not None
    assert verdict.culprit.rank == 5
    assert verdict.root is not None
    assert verdict.root.first_line == 50
    assert verdict.run_status == "crashed"


def test_a_back_dated_watchdog_that_began_after_the_cause_is_its_effect() -> None:
    found = [
        match(
            "nccl/watchdog-timeout", 10, rank=0, role="symptom", tier="log", seconds=100.5, numbers={"ran_ms": 600_000}
        ),
        match("oom/gpu-alloc", 40, rank=3, seconds=100, artifact="rank3.err"),
    ]
    assert judge(found, facts(world_size=4)).mode == "oom/gpu-alloc"


def test_an_error_followed_by_progress_of_the_same_rank_is_no_root() -> None:
    found = [match("io/permission", 10, step=5), match("data/collate-shape", 90, step=40)]
    verdict = judge(found, facts(entries=[progress(40, 80)]))
    assert verdict.mode == "data/collate-shape"
    assert any("went on making progress" in item.because for item in verdict.ruled_out)


def test_a_run_that_recovered_and_finished_has_no_cause() -> None:
    found = [match("oom/gpu-alloc", 10, step=5)]
    verdict = judge(found, facts(entries=[progress(100, 80)], events=[finish(90)]))
    assert (verdict.primary_class, verdict.run_status) == (None, "recovered")
    assert verdict.evidence


def test_a_restart_that_then_finished_is_recovered() -> None:
    found = [match("cuda/launch-failure", 10, step=300, attempt=0)]
    entries = [progress(300, 8), progress(900, 80, attempt=1)]
    verdict = judge(found, facts(entries=entries, events=[finish(90, attempt=1)]))
    assert (verdict.primary_class, verdict.run_status) == (None, "recovered")


def test_advice_is_never_a_root() -> None:
    verdict = judge([match("cuda/device-side-assert", 10, role="advice")], facts())
    assert verdict.primary_class is None


def test_an_unproven_rule_is_never_a_root() -> None:
    assert judge([match("oom/gpu-alloc", 10, maturity="sandbox")], facts()).primary_class is None


def test_nothing_found_and_no_end_abstains() -> None:
    verdict = judge([], facts(entries=[progress(262, 80, total=1200)]))
    assert (verdict.run_status, verdict.primary_class) == ("unknown", None)
    assert verdict.abstained


def test_a_kill_alone_stays_open_and_asks_for_the_kernel_log() -> None:
    verdict = judge([match("crash/sigkill-unknown", 10, role="symptom", tier="launcher", rank=1)], facts(world_size=2))
    assert verdict.mode == "crash/sigkill-unknown"
    assert [request.kind for request in verdict.missing] == ["kernel", "scheduler"]


def test_an_oom_kill_record_explains_the_kill() -> None:
    found = [
        match("crash/sigkill-unknown", 10, role="symptom", tier="launcher", rank=2),
        match("oom/host-kernel", 24, artifact="dmesg.txt", tier="kernel", subject=Subject(pid=1203)),
    ]
    verdict = judge(found, facts(world_size=8))
    assert verdict.mode == "oom/host-kernel"
    assert any("SIGKILL" in item.because or "kernel kills" in item.because for item in verdict.ruled_out)


def test_when_every_rank_fails_alike_nobody_is_the_culprit() -> None:
    found = [match("cfg/module-missing", 10 + rank, rank=rank) for rank in range(4)]
    verdict = judge(found, facts(world_size=4))
    assert verdict.mode == "cfg/module-missing"
    assert verdict.culprit is None


def test_the_same_step_in_every_attempt_is_deterministic() -> None:
    found = [match("data/collate-shape", 10, attempt=0, step=7), match("data/collate-shape", 50, attempt=1, step=7)]
    assert judge(found, facts()).deterministic is True


def test_another_step_in_the_next_attempt_is_not() -> None:
    found = [
        match("cuda/ecc-uncorrectable", 10, attempt=0, step=7),
        match("cuda/ecc-uncorrectable", 50, attempt=1, step=9),
    ]
    assert judge(found, facts()).deterministic is False


def test_the_exception_raised_first_in_a_process_explains_the_next() -> None:
    found = [
        match("data/decode-error", 10, captures={"chain": "inner"}),
        match("crash/unhandled-exception", 30, captures={"exception": "RuntimeError"}),
    ]
    assert judge(found, facts()).mode == "data/decode-error"


def test_the_verdict_does_not_depend_on_the_order_of_findings() -> None:
    found = [
        match("oom/gpu-alloc", 50, rank=5, seconds=100),
        match("nccl/watchdog-timeout", 60, rank=0, role="symptom", tier="log", seconds=100.5),
        match("crash/abort", 90, rank=2, role="symptom", tier="launcher", seconds=701),
    ]
    one, two = judge(found, facts(world_size=8)), judge(found[::-1], facts(world_size=8))
    assert (one.mode, one.culprit, one.root, one.confidence) == (two.mode, two.culprit, two.root, two.confidence)


def test_a_launcher_singles_out_no_rank_of_several_that_said_the_same() -> None:
    found = [match("cfg/world-size-not-divisible", line, rank=rank) for rank, line in enumerate((6, 12, 18))]
    blamed = Event(
        kind=LAUNCHER,
        name="torchelastic",
        citation=at("train.log", 60),
        excerpt="",
        captures={"section": "root-cause"},
        numbers={"code": 1},
        subject=Subject(rank=1),
    )
    verdict = judge(found, facts(events=[blamed], world_size=3))
    assert verdict.culprit is None or verdict.culprit.rank is None


def test_a_launcher_alone_names_no_cause_and_asks_for_the_output_of_what_failed() -> None:
    raised = {"raised_in": "/lib/accelerate/commands/launch.py:785"}
    alone = judge([match("crash/exit-no-error", 8, role="symptom", tier="launcher", captures=raised)], facts())
    assert (alone.run_status, alone.primary_class) == ("crashed", None)
    assert alone.abstained
    assert [request.kind for request in alone.missing] == ["log"]


def test_a_launcher_behind_steps_of_a_program_names_what_it_says() -> None:
    seen = facts(entries=[progress(40, 2)])
    assert judge([match("crash/exit-no-error", 8, role="symptom", tier="launcher")], seen).primary_class


def test_a_traceback_that_was_cut_names_no_cause_and_asks_for_its_rest() -> None:
    cut = match("crash/unhandled-exception", 8, role="symptom", captures={"truncated": "yes"})
    verdict = judge([cut], facts())
    assert verdict.primary_class is None
    assert "rest of the traceback" in verdict.missing[0].reason


def test_an_error_below_the_top_of_the_program_behind_its_word_of_success_ends_it() -> None:
    entries = [progress(40, 2)]
    told = match("cfg/unhandled-exception", 9, captures={"main": "yes", "user_function": "score"})
    verdict = judge([told], facts(events=[finish(5)], entries=entries))
    assert (verdict.run_status, verdict.mode) == ("crashed", "cfg/unhandled-exception")
