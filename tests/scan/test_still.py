"""A step that is printed again and again is told with the clock beside it, however the bytes arrive."""

from __future__ import annotations

import pytest

from runtriage.model.facts import Standing
from runtriage.scan.still import SINCE_START, elapsed
from tests.scan.reading import read


def bar(step: int, seconds: int, total: int = 1000) -> bytes:
    clock = b"%02d:%02d" % divmod(seconds, 60)
    return b" %d%%|###   | %d/%d [%s<10:00, 2.00it/s, loss=0.5]\r" % (step * 100 // total, step, total, clock)


def standing(data: bytes, block: int | None = None) -> Standing | None:
    (entry,) = [each for each in read(data, block=block).progress if each.last_step is not None]
    return entry.standing


MOVES = b"".join(bar(step, step // 2) for step in range(1, 400))
STANDS = b"".join(bar(399, 200 + 10 * at) for at in range(300))


@pytest.mark.parametrize("block", [None, 8192, 12288, 20000])
def test_a_bar_that_is_drawn_again_and_does_not_move_stands(block: int | None) -> None:
    found = standing(MOVES + STANDS + b"\n", block)
    assert found is not None
    assert (found.step, found.lines) == (399, 301)
    assert (found.since.seconds, found.until.seconds) == (199.0, 3190.0)
    assert found.since.clock == SINCE_START


@pytest.mark.parametrize(
    "data",
    [
        MOVES + b"\n",
        MOVES + STANDS + bar(400, 4000) + b"\n",
        b"".join(bar(step, step) for step in range(90, 101)) + bar(100, 500, 100) * 5,
    ],
    ids=["moves", "moved-on", "full"],
)
def test_a_bar_that_moves_or_is_full_does_not_stand(data: bytes) -> None:
    found = standing(data)
    assert found is None or found.until.seconds - found.since.seconds < 60


def test_the_clock_of_the_lines_goes_before_the_time_since_a_bar_began() -> None:
    lines = b"".join(
        b"2026-03-01 10:%02d:00 step %d loss 0.5 elapsed 0:%02d:30\n" % (at, min(at, 4), at) for at in range(20)
    )
    found = standing(lines)
    assert found is not None
    assert (found.step, found.until.seconds - found.since.seconds) == (4, 900.0)
    assert found.since.text.startswith("2026-03-01 10:04")


@pytest.mark.parametrize(
    ("line", "seconds"),
    [
        (b" 45%|###  | 9/20 [1:03:12<1:00:00, 420s/it]", 3792.0),
        (b"step 3 | elapsed 0:02:05", 125.0),
        (b"step 3 elapsed_s=312.5 loss=1.0", 312.5),
        (b"[  312.4s] step 310 loss 1.33", 312.4),
        (b"step 3 | elapsed time per iteration (ms): 812.3", None),
        (b"step 3 loss 1.5 in 20.1s", None),
    ],
)
def test_how_long_a_run_had_lasted_is_read_where_a_line_says_so(line: bytes, seconds: float | None) -> None:
    found = elapsed(line)
    assert (found.seconds if found else None) == seconds
