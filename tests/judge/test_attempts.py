"""What a restart lost is told."""

import pytest

from runtriage.judge.attempts import lost_progress
from runtriage.model.facts import RankProgress
from runtriage.model.subject import Subject
from tests.detect.build import facts


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
