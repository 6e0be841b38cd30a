"""A program that starts again in its own log is told by the lines it begins with, however the log is cut into stretches."""

from __future__ import annotations

import random

import pytest

from runtriage.scan.result import ScanResult
from tests.scan.reading import read
from tests.scan.test_join import in_parts

_TRACEBACK = (
    b'Traceback (most recent call last):\n  File "train.py", line 3, in step\n    x = y[0]\nValueError: bad record\n'
)


def start(first: int, last: int, end: bytes = b"", pid: int = 4711) -> bytes:
    head = b"2026-03-02 09:00:00,%03d INFO train: starting the run, pid %d\n" % (pid % 1000, pid)
    head += b"2026-03-02 09:00:01,000 INFO train: data folder /data/wiki\nmodel of 12 layers\n"
    return head + b"".join(b"step %d loss %.4f\n" % (step, 9 / (step + 2)) for step in range(first, last, 10)) + end


def attempts(found: ScanResult) -> list[tuple[int, int | None, int | None]]:
    return [(each.subject.attempt, each.first_step, each.last_step) for each in found.progress]


def test_an_attempt_begins_where_the_first_lines_stand_again():
    found = read(start(10, 400, _TRACEBACK) + start(200, 400, _TRACEBACK, 99) + start(200, 400, _TRACEBACK, 7))
    assert attempts(found) == [(0, 10, 390), (1, 200, 390), (2, 200, 390)]
    assert [event.name for event in found.events if event.kind == "attempt"] == ["start", "start"]
    errors = [event for event in found.events if event.kind == "exception"]
    assert [(event.subject.attempt, event.step) for event in errors] == [(0, 390), (1, 390), (2, 390)]


@pytest.mark.parametrize(
    "data",
    [
        start(10, 400, b"training finished\n") + start(10, 300),
        start(10, 400) + start(400, 800),
        start(10, 10) * 8 + b"".join(b"step %d loss 2.5\n" % step for step in range(40)),
        b"fold 1 of 2\ndata folder /data\nstep 1 loss 2.5\nstep 2 loss 2.1\nfold 2 of 2\ndata folder /data\nstep 1 loss 2.4\n",
    ],
    ids=["another run follows", "steps go on", "eight processes begin", "folds"],
)
def test_lines_that_stand_again_for_another_reason_begin_no_attempt(data: bytes):
    found = read(data)
    assert {each.subject.attempt for each in found.progress} == {0}
    assert [event.name for event in found.events if event.kind == "attempt"] == []


def test_a_start_that_makes_no_step_is_an_attempt_and_one_that_is_announced_counts_once():
    announced = b"Worker group FAILED. %d/3 attempts left; will restart worker group\n"
    assert read(start(10, 400) + start(0, 0, _TRACEBACK)).events[-1].subject.attempt == 1
    found = read(start(10, 400, announced % 3) + start(200, 400, announced % 2) + start(200, 400))
    assert [each[0] for each in attempts(found)] == [0, 1, 2]


@pytest.mark.parametrize("seed", range(6))
def test_stretches_come_to_the_same_attempts_as_one_scan(seed: int):
    rng = random.Random(seed)
    data = b"".join(
        start(rng.randrange(0, 300), rng.randrange(300, 9000), rng.choice((b"", _TRACEBACK, b"training finished\n")))
        for _ in range(rng.randrange(2, 9))
    )
    whole = repr(read(data))
    assert repr(read(data, block=rng.randrange(100, 70_000))) == whole
    at = data.find(b"INFO train: starting", 1000)
    cuts = [rng.randrange(1, len(data)) for _ in range(3)] + [data.rfind(b"\n", 0, at) + 1, at]
    for cut in cuts:
        assert repr(in_parts(data, [cut])) == whole
    assert repr(in_parts(data, cuts)) == whole
