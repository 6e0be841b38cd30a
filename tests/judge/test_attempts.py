"""What a restart lost is told."""

import pytest

from runtriage.judge import judge
from runtriage.judge.attempts import lost_progress
from runtriage.model.facts import RankProgress
from runtriage.model.finding import Match
from runtriage.model.subject import Subject
from tests.detect.build import facts
from tests.judge import build


def _far(attempt: int, first: int, last: int, rank: int = 0) -> RankProgress:
    return RankProgress(
        artifact="train.log", subject=Subject(attempt=attempt, rank=rank), first_step=first, last_step=last
    )


@pytest.mark.parametrize(
    ("progress", "said"),
    [
        (
            [_far(0, 1, 5000), _far(1, 1001, 1500)],
            ("attempt 2 began at step 1,001: 4,000 steps of attempt 1 were done again",),
        ),
        (
            [_far(0, 1, 500), _far(1, 1, 20)],
            ("attempt 2 began from the beginning: 500 steps of attempt 1 were done again",),
        ),
        ([_far(0, 1, 500), _far(1, 491, 900)], ()),
        ([_far(0, 1, 500), _far(1, 501, 900)], ()),
        ([_far(0, 1, 500)], ()),
        ([], ()),
    ],
)
def test_only_a_restart_that_went_far_back_is_told(progress: list[RankProgress], said: tuple[str, ...]) -> None:
    assert lost_progress(facts(progress=progress)) == said


def test_ranks_count_together() -> None:
    told = lost_progress(
        facts(progress=[_far(0, 1, 90, 0), _far(0, 1, 100, 1), _far(1, 51, 60, 1), _far(1, 52, 60, 0)])
    )
    assert told == ("attempt 2 began at step 51: 50 steps of attempt 1 were done again",)


OOM = build.match("oom/gpu-alloc", 40, step=300)
FULL = build.match("io/enospc", 90, attempt=1, step=340)


def test_the_last_attempt_is_judged_by_its_own_end_and_the_earlier_one_is_told() -> None:
    verdict = judge([OOM, FULL], build.facts())
    assert verdict.mode == "io/enospc"
    assert [(item.cause, item.because.partition(": ")[2]) for item in verdict.ruled_out] == [
        ("oom", "it ended attempt 1, and attempt 2 came to another end")
    ]


@pytest.mark.parametrize(
    ("found", "mode"),
    [
        ([OOM, FULL, build.match("oom/gpu-alloc", 195, attempt=2, step=340)], "oom/gpu-alloc"),
        ([build.match("io/enospc", 40, step=300), build.match("ckpt/corrupt-zip", 90, attempt=1)], "io/enospc"),
        ([OOM, build.match("rdzv/port-in-use", 90, attempt=1)], "oom/gpu-alloc"),
        ([OOM, build.match("io/unhandled-exception", 90, attempt=1)], "oom/gpu-alloc"),
    ],
    ids=["same-end-again", "left-by-the-first", "left-port", "no-name-for-the-second"],
)
def test_the_earlier_end_stays_the_root_where_it_came_back_or_explains_the_later(found: list[Match], mode: str) -> None:
    assert judge(found, build.facts()).mode == mode
