"""Who watches hears how far workers are while they are at it."""

from __future__ import annotations

from concurrent.futures import Future

from runtriage.scan.gauge import Gauge
from runtriage.scan.workers import in_order


def test_what_workers_tell_adds_up() -> None:
    gauge = Gauge()
    gauge.add(3, 0)
    gauge.add(4 << 20, 0)
    assert gauge.take() == 3 + (4 << 20)
    assert gauge.take() == 0


def test_nobody_waits_for_one_who_does_not_look() -> None:
    gauge = Gauge()
    for _ in range(100_000):
        gauge.add(1, 0)
    assert 0 < gauge.take() < 100_000


def test_who_waits_for_a_worker_looks_meanwhile() -> None:
    future: Future[str] = Future()
    done = list(in_order(lambda _: future, ["task"], 1, lambda: future.set_result("read")))
    assert done == [("task", "read")]
