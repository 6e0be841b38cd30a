"""What lines that are said over and over at the end of a log tell of a place that stands."""

from __future__ import annotations

import pytest

from runtriage.model.raw import RawEvent
from tests.scan.reading import read


def places(*lines: str) -> list[RawEvent]:
    return [event for event in read("\n".join([*lines, ""]).encode()).events if event.name == "standstill/place"]


def how(event: RawEvent) -> set[str]:
    return set(event.captures)


def test_a_place_that_moved_before_and_is_now_repeated_is_told() -> None:
    (said,) = places(*(f"copied {at}.5 GB of 42.0 GB" for at in range(9)), *["copied 8.5 GB of 42.0 GB"] * 30)
    assert {"went", "known", "open"} <= how(said) and said.numbers["lines"] == 31


def test_a_line_in_which_only_a_duration_grows_is_told_with_the_longest() -> None:
    (said,) = places("epoch 4 done", *(f"join: 1 of 6 threads alive after {at * 60} s" for at in range(1, 12)))
    assert "grows" in how(said) and said.numbers["seconds"] == 660.0


def test_records_whose_clock_moves_stand_as_lines_do() -> None:
    (said,) = places(*(f'{{"t": {at}.5, "step": 150, "seconds_without_batch": {at}}}' for at in range(2, 12, 2)))
    assert "grows" in how(said) and said.numbers["seconds"] == 10.0


def test_workers_that_wait_alike_are_one_wait() -> None:
    waits = [f"worker {at % 3}: lock unavailable, {60 * (at // 3 + 1)} s now" for at in range(18)]
    (said,) = places(*waits)
    assert "grows" in how(said) and said.numbers["seconds"] == 360.0


def test_a_traceback_of_whoever_ended_the_wait_may_follow() -> None:
    waits = [f"no reply yet ({at * 60} s)" for at in range(1, 8)]
    (said,) = places(*waits, "Traceback (most recent call last):", '  File "a.py", line 1, in f', "KeyboardInterrupt")
    assert "behind" in how(said)


@pytest.mark.parametrize(
    "lines",
    [
        ["episode reward 200.0 length 200"] * 60,
        ["lr 0.0001"] * 40,
        [f"step {at} loss {3 - at / 100:.2f}" for at in range(60)],
        [*(f"read {at} of 9 files" for at in range(10)), *["read 9 of 9 files"] * 30],
        ["evaluator: no new checkpoint, sleeping 60 s"] * 30,
    ],
)
def test_what_moves_is_complete_or_has_no_place_says_nothing(lines: list[str]) -> None:
    assert places(*lines) == []


@pytest.mark.parametrize("part", ["sec_", "1,", "_"])
def test_lines_of_nothing_but_the_names_of_durations_tell_nothing(part: str) -> None:
    assert places(*[(part * 1000)[:1990]] * 12) == []
