"""Where a wait began that is said over and over until a log ends."""

from __future__ import annotations

import pytest

from tests.scan.reading import read

STEPS = [f"2026-05-01 10:{at:02d}:00 step {at} loss {3 - at / 50:.3f}" for at in range(40)]


def first(lines: list[str]) -> int | None:
    told = [
        event for event in read("\n".join([*STEPS, *lines, ""]).encode()).events if event.name == "standstill/waiting"
    ]
    return told[0].citation.first_line if told else None


@pytest.mark.parametrize("count", [10, 23, 24, 25, 60, 110])
def test_a_wait_is_cited_where_it_began_however_often_it_is_said(count: int) -> None:
    waits = [
        f"2026-05-01 {11 + at // 60}:{at % 60:02d}:00 ring: blocked by peer {at % 3} on port {at}"
        for at in range(count)
    ]
    assert first(waits) == len(STEPS) + 1


def test_an_earlier_wait_that_ended_is_another_one() -> None:
    earlier = [f"2026-05-01 11:00:{at:02d} ring: blocked by peer {at}" for at in range(5)]
    work = [f"2026-05-01 11:01:{at:02d} step {at + 40} loss 2.0" for at in range(6)]
    waits = [f"2026-05-01 11:02:{at:02d} ring: blocked by peer {at}" for at in range(30)]
    assert first([*earlier, *work, *waits]) == len(STEPS) + len(earlier) + len(work) + 1
