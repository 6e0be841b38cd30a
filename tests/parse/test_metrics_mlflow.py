"""Metric files of an MLflow folder: lines taken in together give what lines taken one by one give."""

from __future__ import annotations

import random

import pytest

from runtriage.model.series import Series
from runtriage.parse import metrics_mlflow
from tests.parse.documents import parsed

pytestmark = pytest.mark.usefixtures("untouched_world")
PATH = "mlruns/7/0123456789abcdef0123456789abcdef/metrics/train_loss"


def series(content: bytes) -> Series:
    (found,) = parsed(PATH, "metrics", content).series
    return found


def lines(count: int, seed: int) -> list[bytes]:
    rng = random.Random(seed)
    return [f"{1_700_000_000_000 + step} {rng.random()!r} {step}".encode() for step in range(count)]


def never(*_: object) -> bool:
    return False


def odd(step: int, value: str) -> bytes:
    return f"{1_700_000_000_000 + step} {value} {step}".encode()


PLAIN = [*lines(4_999, 1), *lines(40_000, 2)]
GROWING = [odd(step, repr(10.0 ** (step % 40 - 20))) for step in range(20_000)]
DYING = [odd(step, "0.5" if step < 12_345 else "nan") for step in range(30_000)]
WILD = [odd(step, ("inf", "-inf", "nan", "1e-05", "-3", "0.0")[step % 6]) for step in range(9_000)]
RARE = [odd(step, str((step // 700) / 8)) for step in range(60_000)]


@pytest.mark.parametrize("ends", [b"\n", b"\r\n"])
@pytest.mark.parametrize("content", [PLAIN[:1], PLAIN[:3], PLAIN, GROWING, DYING, WILD, RARE])
def test_lines_taken_in_together_are_those_taken_in_one_by_one(
    content: list[bytes], ends: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = ends.join(content) + ends
    together = series(text)
    assert together.total == len(content)
    alone = metrics_mlflow._one_by_one
    monkeypatch.setattr(metrics_mlflow, "_one_by_one", never)
    assert repr(series(text)) == repr(together), "nothing of it needs to be read line by line"
    monkeypatch.setattr(metrics_mlflow, "_one_by_one", alone)
    monkeypatch.setattr(metrics_mlflow, "_all_at_once", never)
    assert repr(together) == repr(series(text))


ODD = [
    b"1.7e12 0.5 3",
    b"1700000000000 0.5 3.5",
    b"1700000000000 0.5 1e3",
    b".5 0.5 3",
    b"-5 0.5 3",
    b"+5 0.5 3",
    b"nan 0.5 3",
    b"1700000000000 0.5 nan",
    b"1700000000000 null 3",
    b"1700000000000 0.5",
    b"1700000000000 .5 3",
    b"1700000000000 1e999 3",
    b"1700000000000 1_0 3",
    b"0017 0.5 003",
    b"1700000000000  3",
    b"1700000000000 0.5 3 4",
    b"",
    b"9" * 400 + b" 0.5 3",
    b"1700000000000 0.5 " + b"9" * 400,
    b"1700000000000 nan nan",
    b"\x00\xff",
]


@pytest.mark.parametrize("line", ODD)
def test_an_odd_line_among_others_is_what_it_is_alone(line: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    text = b"\n".join([*lines(50, 3), line, *lines(50, 4)])
    together = series(text)
    monkeypatch.setattr(metrics_mlflow, "_all_at_once", never)
    assert repr(together) == repr(series(text))


def test_a_place_names_the_byte_at_which_its_line_begins() -> None:
    text = b"\n".join(PLAIN)
    for point in series(text).points:
        assert text[point.byte :].split(b"\n", 1)[0] == PLAIN[point.line - 1]


def test_a_setting_that_rarely_changes_keeps_every_change() -> None:
    kept = {point.step for point in series(b"\n".join(RARE)).points}
    assert kept >= {float(step) for step in range(0, 60_000, 700)}


def test_a_value_that_is_no_number_and_lines_without_a_step_are_still_read() -> None:
    held = lines(10, 1)
    held[4] = b"1700000000004 nan 4"
    held[5] = b"1700000000005 0.5"
    held[6] = b"not a line at all"
    found = series(b"\n".join(held))
    assert (found.total, found.nonfinite) == (9, 1)
    assert found.first_nonfinite is not None and found.first_nonfinite.line == 5
