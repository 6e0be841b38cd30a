"""What a program says itself about waiting and about its evaluation, and when that counts."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from runtriage.detect import eval_said, stall_said
from runtriage.model.event import FINISH, STATEMENT, Event
from runtriage.model.facts import RankProgress
from runtriage.model.subject import Subject
from runtriage.model.time import Instant
from tests.detect.build import CATALOGUE, at, event, facts, raised

pytestmark = pytest.mark.usefixtures("untouched_world")


def clock(seconds: float) -> Instant:
    return Instant(text=f"{seconds:.0f}", seconds=seconds)


def came(last: int, end: int, until: float = 0.0) -> RankProgress:
    """Progress up to line `last` of a log that ends at line `end`."""
    return RankProgress(
        artifact="train.log",
        subject=Subject(),
        last_step=last,
        progress_lines=last,
        last_progress=at(last),
        last_line=at(end),
        last_line_time=clock(until),
    )


def wait(strength: str, line: int, words: str = "waiting for batch", seconds: float | None = None) -> Event:
    numbers = {} if seconds is None else {"seconds": seconds}
    return event(STATEMENT, f"standstill/{strength}", line, excerpt=words, numbers=numbers)


def modes(*events: Event, progress: RankProgress) -> list[str]:
    return [found.mode for found in stall_said.find(facts(events=events, progress=[progress]), CATALOGUE)]


def test_giving_up_behind_the_last_step_is_the_cause() -> None:
    assert modes(wait("gave-up", 12, "no batch, giving up"), progress=came(10, 15)) == ["stall/dataloader-blocked"]


def test_a_wait_that_steps_followed_is_over() -> None:
    assert modes(wait("long", 5), wait("gave-up", 6), progress=came(10, 15)) == []


def test_a_wait_before_a_good_end_is_over() -> None:
    assert modes(wait("long", 12), event(FINISH, "message", 14), progress=came(10, 15)) == []


def test_a_short_wait_counts_once_it_was_repeated_for_minutes() -> None:
    said = replace(wait("waiting", 12), when=clock(100), count=9, last=at(20))
    assert modes(said, progress=came(10, 20, until=130)) == []
    assert modes(said, progress=came(10, 20, until=500)) == ["stall/dataloader-blocked"]


def test_an_exception_before_it_accounts_for_the_wait() -> None:
    error = raised("ValueError", "bad shard", 11)
    assert modes(error, wait("gave-up", 13), progress=came(10, 15)) == []


@pytest.mark.parametrize(
    ("words", "mode"),
    [
        ("no free GPU slot (8/8 busy)", "stall/queue-pending"),
        ("possible deadlock in main loop", "stall/gil-or-fork-deadlock"),
        ("c4.bin.lock is held by pid 12", "stall/zombie-previous-attempt"),
        ("still at barrier pre_ckpt", "stall/nccl-init"),
        ("/mnt/nfs does not answer", "stall/storage-read-blocked"),
        ("nothing happens", "stall/no-progress"),
    ],
)
def test_the_mode_follows_what_is_waited_for(words: str, mode: str) -> None:
    assert stall_said.mode_of(words) == mode


@pytest.mark.parametrize(
    ("kind", "words", "mode"),
    [
        ("inputs", "the tokenizer of the evaluation differs", "eval/tokenizer-vocab-shift"),
        ("inputs", "scaled otherwise in evaluation", "eval/preprocess-drift"),
        ("weights", "EMA weights not copied", "eval/ema-vs-raw"),
        ("weights", "stale checkpoint evaluated", "eval/wrong-checkpoint"),
    ],
)
def test_what_is_said_of_an_evaluation_becomes_its_mode(kind: str, words: str, mode: str) -> None:
    said = event(STATEMENT, f"mismatch/{kind}", 3, excerpt=words)
    assert [found.mode for found in eval_said.find(facts(events=[said]), CATALOGUE)] == [mode]


def test_what_an_exception_says_is_left_to_it() -> None:
    said = event(STATEMENT, "mismatch/leak", 3, excerpt="ValueError: 76 test items are in the training data")
    error = raised("ValueError", "76 test items are in the training data", 3)
    assert list(eval_said.find(facts(events=[error, said]), CATALOGUE)) == []


def test_a_wait_is_cited_by_the_word_with_which_it_began() -> None:
    said = (wait("waiting", 11), wait("long", 15, seconds=4400.0))
    (match,) = stall_said.find(facts(events=said, progress=(came(10, 16),)), CATALOGUE)
    assert match.evidence[0].citation.first_line == 11
