"""Reading many metric lines at once must give what reading them one by one gives."""

from __future__ import annotations

import random
import re
import warnings

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from runtriage.scan import metrics
from runtriage.scan.bulk_numbers import Text, read_values
from runtriage.scan.result import ScanResult
from tests.scan.reading import read

QUICK = settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
NUMBERS = st.one_of(
    st.floats(allow_nan=False, allow_infinity=False, width=32).map(repr),
    st.integers(0, 10**17).map(str),
    st.integers(0, 10**8).map("{:,}".format),
    st.tuples(st.floats(-1e20, 1e20), st.integers(0, 17)).map(lambda pair: f"{pair[0]:.{pair[1]}e}"),
    st.tuples(st.floats(-1e9, 1e9), st.integers(0, 12)).map(lambda pair: f"{pair[0]:.{pair[1]}f}"),
    st.sampled_from(
        ["nan", "inf", "-inf", "1.", ".5", "-", "1..2", "1e", "1e5", "1e+400", "1.5e-07", "00012", "-0.0", "1,23", "e5"]
    ),
)
FORMS = frozenset({"point", "power", "sign"})
SHAPE = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?")


def both(data: bytes, monkeypatch: pytest.MonkeyPatch) -> tuple[ScanResult, ScanResult]:
    monkeypatch.setattr(metrics, "_MANY", 10**9)
    single = read(data)
    monkeypatch.setattr(metrics, "_MANY", 1)
    return single, read(data)


@QUICK
@given(st.lists(NUMBERS, min_size=1, max_size=200))
def test_a_number_is_read_as_float_reads_it_or_not_at_all(numbers: list[str]):
    data = "".join(f"{number} | " for number in numbers).encode() + b" " * 128
    ends = np.cumsum([len(number) + 3 for number in numbers])
    starts = np.concatenate([[0], ends[:-1]])
    values, stops, good = read_values(Text(data, len(data)), starts, FORMS, commas=False)
    for number, start, value, stop, read_ in zip(numbers, starts, values, stops, good, strict=True):
        if read_ and stop == start + len(number):
            assert SHAPE.fullmatch(number)
            assert repr(float(number)) == repr(float(value))


def test_ordinary_numbers_are_not_declined():
    rng = random.Random(3)
    numbers = [f"{rng.uniform(0, 100):.4f}" for _ in range(500)] + [f"{rng.uniform(0, 1e-3):.3e}" for _ in range(500)]
    numbers += [str(rng.randrange(10**9)) for _ in range(500)]
    data = "".join(f"{number} | " for number in numbers).encode() + b" " * 128
    starts = np.concatenate([[0], np.cumsum([len(number) + 3 for number in numbers])[:-1]])
    values, _, good = read_values(Text(data, len(data)), starts, FORMS, commas=False)
    assert good.all()
    assert values.tolist() == list(map(float, numbers))


@pytest.mark.parametrize(
    "line",
    [
        "[rank0]:[titan] 2026-05-14 02:12:{0:02d},155 - root - INFO - step: {1}  loss: {2:7.4f}  grad_norm: {3:7.4f}  memory: 61.20GiB(77.37%)  tps: {4:,}\n",
        "{{'loss': {2:.4f}, 'grad_norm': {3:.6f}, 'learning_rate': {5}, 'epoch': {6:.2f}}}\n",
        "step {1}/90000 loss {2:.3f} lr {5:.2e}\n",
        " 28%|###   | {1}/90000 [00:{0:02d}<00:02, 78.34it/s]\r[rank{7}]: step={1} loss={2:.5f}\r\n",
    ],
)
def test_both_ways_agree_on_long_logs(line: str, monkeypatch: pytest.MonkeyPatch):
    rng = random.Random(line)
    lines = [
        line.format(
            n // 50 % 60,
            n,
            rng.uniform(0, 12),
            rng.uniform(0, 3),
            rng.randrange(9000),
            rng.uniform(0, 1e-3),
            n / 100,
            n % 3,
        )
        for n in range(3000)
    ]
    for at, odd in ((700, "nan"), (701, "-inf"), (1500, "-1.5"), (2000, "1234567.123456789")):
        lines[at] = re.sub(r"(loss'?[ :=]\s*)[\d.]+", rf"\g<1>{odd}", lines[at])
    lines.insert(900, "loading weights, loss of packets: none\n")
    single, bulk = both("".join(lines).encode(), monkeypatch)
    assert [series.total for series in single.series if series.role == "loss"]
    assert repr(bulk) == repr(single)


def test_the_best_round_that_is_printed_again_is_no_progress_there_either(monkeypatch: pytest.MonkeyPatch):
    lines = [f"[{n}]\tvalid's auc: {n / 3000:.6f}\tvalid's binary_logloss: 0.69\n" for n in range(1, 3000)]
    data = "".join([*lines, "Early stopping, best iteration is:\n", lines[1200]]).encode()
    single, bulk = both(data, monkeypatch)
    assert repr(bulk) == repr(single)


def test_infinities_of_both_signs_are_kept_and_warn_of_nothing(monkeypatch: pytest.MonkeyPatch):
    lines = [f"step: {n} loss: {1 + n % 7 / 8:.4f} lr: 0.001\n" for n in range(3000)]
    for at, odd in ((900, "inf"), (901, "-inf"), (902, "nan"), (2999, "inf")):
        lines[at] = f"step: {at} loss: {odd} lr: 0.001\n"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        single, bulk = both("".join(lines).encode(), monkeypatch)
    assert [series.nonfinite for series in bulk.series if series.name == "loss"] == [4]
    assert repr(bulk) == repr(single)
