"""Lines of scores that a program counts by a word of its own."""

from __future__ import annotations

import pytest

from runtriage.model.artifact import Artifact
from runtriage.scan.dialects import metrics
from runtriage.scan.dialects.counted import FEWEST, Counted, find_counted

LINES = [f"[12:00:{n:02}] rollout {n}: mean return {n * 1.5:.1f} (best 99.0), entropy 0.7".encode() for n in range(40)]


def test_a_word_that_counts_lines_of_scores_says_where_they_stand() -> None:
    (counted,) = find_counted(LINES)
    said = counted.parse(LINES[7])
    assert said is not None
    assert (said.step, dict(said.values)["mean return"]) == (7, 10.5)
    assert counted.parse(b"[12:00:07] replay buffer 7: 10 frames") is None


@pytest.mark.parametrize(
    "lines",
    [
        LINES[: FEWEST - 1],
        [line.replace(b"rollout", b"client") for line in LINES],
        [f"group {n % 10}: return {n}".encode() for n in range(40)],
        [f"part {n}: 120 rows read".encode() for n in range(40)],
        [f"visit {n * n}: return 0.5".encode() for n in range(40)],
    ],
)
def test_what_is_too_few_or_numbered_otherwise_or_has_no_score_counts_nothing(lines: list[bytes]) -> None:
    assert list(find_counted(lines)) == []


def test_a_log_that_says_its_steps_needs_no_such_word() -> None:
    steps = [f"step {n} loss 0.5".encode() for n in range(40)]
    told = metrics(Artifact(path="train.log", kind="log"), None)
    assert not any(isinstance(each, Counted) for each in told.learn([*steps[:4], *LINES[:4]], [*steps, *LINES]))
    untold = metrics(Artifact(path="train.log", kind="log"), None)
    assert any(isinstance(each, Counted) for each in untold.learn(LINES[:4], LINES))
