import pytest
from msgspec.structs import replace

from runtriage.judge import words
from runtriage.model.facts import Facts, Setting
from runtriage.model.finding import Match
from runtriage.model.options import Options
from runtriage.model.subject import NOBODY, Subject
from runtriage.model.verdict import Cascade, Incident
from tests.judge.build import at, match


def _root(claim: str, step: int | None = None, **captures: str) -> Incident:
    found = match("oom/gpu-alloc", 7, step=step, captures=captures)
    return _incident(replace(found, evidence=(replace(found.evidence[0], claim=claim),)), step)


def _incident(found: Match, step: int | None) -> Incident:
    return Incident(
        id="i1",
        mode=found.mode,
        primary_class="oom",
        role="cause",
        attempt=0,
        matches=(found,),
        subjects=(),
        outcome="terminal",
        step=step,
    )


def _effect(text: str, mode: str = "elastic/child-failed") -> Cascade:
    return Cascade(mode=mode, text=text, citation=at("train.log", 9))


def test_an_exception_is_what_a_rank_failed_with_and_keeps_its_spelling() -> None:
    root = _root("KeyError: 'x' (at train.py:48)", 12, exception="KeyError", user_frame="train.py:48")
    assert words.cause(root, Subject(rank=1), (), ()) == (
        "Rank 1 failed after step 12 with KeyError: 'x' (at train.py:48)."
    )
    assert words.proximate(root, Subject(rank=1)).count("train.py:48") == 1


def test_names_keep_their_capital_in_the_middle_of_a_sentence() -> None:
    root = _root("PyTorch's watchdog gave up on a collective", 5)
    effects = (_effect("Slurm ended a step"), _effect("A launcher ended the rest"))
    assert words.cause(root, Subject(rank=3), (), effects) == (
        "Rank 3 after step 5: PyTorch's watchdog gave up on a collective."
        " Consequences: Slurm ended a step; a launcher ended the rest."
    )


def test_ranks_that_gave_up_waiting_are_told_apart_from_the_one_that_printed_nothing() -> None:
    waited = tuple(match("nccl/watchdog-timeout", 1, rank=rank) for rank in (3, 0, 1))
    root = replace(_incident(waited[0], 5), matches=waited)
    assert words.cause(root, Subject(rank=2), (), ()).startswith(
        "Ranks 0, 1 and 3 gave up waiting, and rank 2 printed nothing in what was read: nccl/watchdog-timeout at line 1."
    )
    assert "(ranks 0, 1 and 3)" in words.proximate(root, Subject(rank=2))
    assert words.summary(root, Subject(rank=2), "crashed", 5).endswith("(waited for rank 2).")
    assert words.cause(root, Subject(rank=3), (), ()).startswith("Rank 3")


def test_a_metric_keeps_its_name_at_the_start_of_a_sentence() -> None:
    assert words.cause(_root("train_loss rose at step 8", 7), NOBODY, (), ()) == "train_loss rose at step 8."


def test_an_effect_that_says_only_that_a_reason_is_missing_is_left_out() -> None:
    effects = (_effect("The process failed without a message", "crash/exit-no-error"),)
    assert "Consequence" not in words.cause(_root("The disk is full"), NOBODY, (), effects)


def test_a_message_is_told_where_the_claim_has_no_values() -> None:
    root = _root("The disk is full", message="[Errno 28] No space left on device")
    assert words.cause(root, NOBODY, (), ()).endswith("The message was: [Errno 28] No space left on device.")
    told = _root("The disk is full: file /a/b", message="[Errno 28] No space left on device")
    assert words.cause(told, NOBODY, (), ()) == "The disk is full: file /a/b."


def test_a_long_text_ends_with_a_whole_sentence_or_a_whole_word() -> None:
    assert words.clipped("One two. Three four five", 20) == "One two"
    assert words.clipped("alpha beta gamma", 12) == "alpha beta ..."
    assert words.clipped("short", 12) == "short"
    assert words.clipped("at zstd://a/very/long/path", 20) == "at zstd://a/very/lon..."


def test_only_settings_that_bear_on_the_class_are_named() -> None:
    made = [
        Setting(name=name, value="1", role=name, citation=at("config.yaml", 1))
        for name in ("lr", "num_workers", "batch_size")
    ]
    facts = Facts(target="run", options=Options(), settings=tuple(made))
    assert words.confirmed(facts, "nan/loss-nonfinite", "nan-inf") == ("lr=1",)
    assert words.confirmed(facts, "div/lr-too-high", "optimization-divergence") == ("lr=1",)
    assert words.confirmed(facts, "div/overfitting", "optimization-divergence") == ()
    assert words.confirmed(facts, "data/worker-exception", "data-pipeline") == ("num_workers=1", "batch_size=1")
    assert words.confirmed(facts, "cfg/unknown-argument", "config-error") == ()


def test_a_signal_whose_sender_the_root_names_is_no_riddle_left() -> None:
    effects = (_effect("The process was killed and the sender is not known", "crash/sigkill-unknown"),)
    assert words.cause(_root("The kernel killed a process", 8), NOBODY, (), effects) == (
        "After step 8, the kernel killed a process."
    )


def test_an_interrupt_is_no_failure_of_the_run() -> None:
    root = _root("KeyboardInterrupt", 3, exception="KeyboardInterrupt")
    assert words.cause(root, NOBODY, (), ()) == "The run was stopped after step 3 by KeyboardInterrupt."


def test_a_sentence_keeps_a_name_that_is_written_with_capitals_inside():
    assert words.upper("cuDNN error") == "cuDNN error"
    assert words.upper("the disk is full") == "The disk is full"


@pytest.mark.parametrize(
    ("survived", "said"),
    [(0, "an earlier fault and"), (1, "an earlier fault and"), (1_200, "1,200 earlier faults and")],
)
def test_faults_that_a_run_recovered_from_are_counted_in_words(survived: int, said: str) -> None:
    assert f"recovered from {said} completed." in words.quiet("recovered", None, survived)


def test_a_run_that_went_wrong_and_on_is_told_by_the_step_at_which_it_turned() -> None:
    found = match("div/loss-spike-unrecovered", 7, step=312, tier="metric")
    assert words.summary(_incident(found, 312), NOBODY, "diverged", 600).startswith("Diverged from step 312 on: ")
    raised = match("nan/loss-nonfinite", 7, step=312)
    assert words.summary(_incident(raised, 312), NOBODY, "crashed", 600).startswith("Crashed after step 600: ")
