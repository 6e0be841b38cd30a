from __future__ import annotations

import os
import time
from datetime import UTC, datetime

import pytest

from runtriage.model.artifact import Artifact
from runtriage.model.time import Instant
from runtriage.scan.clock import read_instant
from runtriage.scan.dialects import line_reader

WHEN = datetime(2026, 11, 29, 13, 13, 8, tzinfo=UTC).timestamp()


def instant(text: str, clock: str = "host-a") -> Instant:
    found = read_instant(text, clock)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("text", "fraction", "zoned"),
    [
        ("2026-11-29 13:13:08,972 - INFO - x", 0.972, False),
        ("[2026-11-29 13:13:08] x", 0, False),
        (" [2026-11-29 13:13:08.630034] iteration 5", 0.630034, False),
        ("2026-11-29T13:13:08 x", 0, False),
        ("2026-11-29T13:13:08Z x", 0, True),
        ("2026-11-29T13:13:08.123456789Z x", 0.123456789, True),
        ("2026-11-29T14:13:08+01:00 x", 0, True),
        ("2026-11-29 05:13:08-0800 x", 0, True),
        ("2026-11-29 13:13:08.123456: I tensorflow/core", 0.123456, False),
        ("2026/11/29 13:13:08 - mmengine - INFO", 0, False),
        ("time      : 2026-11-29_13:13:08", 0, False),
        ("[Sun Nov 29 13:13:08 2026] Out of memory", 0, False),
        ('10.0.0.1 - - [29/Nov/2026:13:13:08 +0000] "GET /"', 0, True),
        ('{"ts": "2026-11-29 13:13:08,963", "msg": "x"}', 0.963, False),
        ('{"level": "info", "timestamp": "2026-11-29T13:13:08Z"}', 0, True),
        (f"{WHEN:.0f}.5 step 3", 0.5, True),
        (f'{{"ts": {WHEN:.0f}.25, "loss": 1}}', 0.25, True),
        (f'{{"time": {WHEN:.0f}125}}', 0.125, True),
    ],
)
def test_a_dated_time_is_read_to_its_last_printed_digit(text: str, fraction: float, zoned: bool):
    found = instant(text)
    assert found.seconds == pytest.approx(WHEN + fraction, abs=1e-6)
    assert (found.zoned, found.dated, found.clock) == (zoned, True, "host-a")
    assert found.utc == (found.seconds if zoned else None)
    assert found.text in text


@pytest.mark.parametrize(
    "text",
    [
        "E1129 13:13:08.303000 48033 torch/x.py:1] y",
        "[rank0]:[W1129 13:13:08.303720854 ProcessGroup.cpp:1] y",
        "Nov 29 13:13:08.303 gpu-1 kernel: y",
        "[11/29 13:13:08.303 d2.utils.events]: y",
    ],
)
def test_a_time_without_a_year_has_a_clock_of_its_own_and_keeps_its_order(text: str):
    found = instant(text)
    assert found.clock == "host-a#no-year"
    assert (found.zoned, found.utc) == (False, None)
    later = instant("E1130 00:00:00.000000 1 x.py:1] y")
    assert 0 < later.seconds - found.seconds < 86400


def test_a_time_of_day_alone_is_undated():
    for text in ("13:13:08 step 5", "INFO 13:13:08 rank0 x", "[13:13:08] x", "13:13:08.431 I a2c: x"):
        found = instant(text)
        assert (found.dated, int(found.seconds), found.utc) == (False, 13 * 3600 + 13 * 60 + 8, None)


def test_seconds_since_boot_form_a_clock_of_their_own():
    found = instant("[12345.678901] Out of memory: Killed process 1")
    assert (found.seconds, found.dated, found.clock) == (12345.678901, False, "host-a#boot")


@pytest.mark.parametrize(
    "text", ["eta 12:00:00", "elapsed: 01:02:03", "step 5 loss 2.3", "v1.2.3", "10:70:00", "[00:03<00:10, 5it/s]", ""]
)
def test_durations_and_nonsense_are_no_times(text: str):
    assert read_instant(text) is None


def test_precision_is_that_of_the_print():
    assert instant("2026-11-29 13:13:08,972 x").precision == pytest.approx(1e-3)
    assert instant("2026-11-29 13:13:08 x").precision == 1.0


def test_the_first_time_on_the_line_counts():
    assert instant("13:13:08 loaded a checkpoint of 2025-01-01 00:00:00").dated is False


def test_neither_this_machine_s_zone_nor_its_date_matters(monkeypatch: pytest.MonkeyPatch):
    texts = ["2026-11-29 13:13:08 x", "E1129 13:13:08.3 1 x", "13:13:08 x", "Feb 29 10:00:00 x"]
    before = [instant(text) for text in texts]
    monkeypatch.setitem(os.environ, "TZ", "Asia/Tokyo")
    time.tzset()
    try:
        assert [instant(text) for text in texts] == before
    finally:
        monkeypatch.undo()
        time.tzset()


def test_a_year_that_the_artifact_prints_elsewhere_completes_a_time_without_one():
    sample = b"W1231 23:59:58.1 7 torch/run.py:1] start\n2026-12-31 23:59:59,500 INFO step 1 loss 2.0\n"
    reader = line_reader(Artifact(path="train.log", kind="log"), sample)
    lines = [
        b"2026-12-31 23:59:59,500 INFO step 1",
        b"E1231 23:59:59.700000 7 x.py:1] y",
        b"E0101 00:00:01.000000 7 x.py:1] y",
    ]
    times = [reader.context(line).when for line in lines]
    assert all(when is not None and when.clock == "train.log" for when in times)
    seconds = [when.seconds for when in times if when is not None]
    assert [round(later - seconds[0], 1) for later in seconds] == [0, 0.2, 1.5]


def test_without_any_printed_year_none_is_made_up():
    reader = line_reader(Artifact(path="train.log", kind="log"), b"W1231 23:59:58.1 7 torch/run.py:1] start\n")
    when = reader.context(b"E1231 23:59:59.700000 7 x.py:1] y").when
    assert when is not None
    assert when.clock == "train.log#no-year"
