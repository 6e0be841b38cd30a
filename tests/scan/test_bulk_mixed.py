"""However lines alternate, reading them many at a time gives what reading them one by one gives."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from runtriage.scan import metrics
from tests.scan.reading import read


def clock(second: int, number: int) -> str:
    return f"2026-05-{14 + second // 86400:02d} {second // 3600 % 24:02d}:{second // 60 % 60:02d}:{second % 60:02d},{number % 1000:03d}"


def ranks(rng: random.Random, n: int) -> str:
    return f"[rank{n % 3}]: {clock(n // 9, n)} step: {n // 3} loss: {rng.uniform(-2, 9):.4f} lr: 3.000e-04\n"


def powers(rng: random.Random, n: int) -> str:
    return f"step {n}/9000 loss {rng.uniform(-1, 1) * 10.0 ** rng.randrange(-30, 30):.3e} lr {0.0 if n % 97 == 0 else rng.random():.4e}\n"


def pauses(rng: random.Random, n: int) -> str:
    second = n // 5 + 4000 * (n > 1500) + 61 * (n > 2200)
    shown = clock(second, n) if n % 211 else clock(second, n)[:17] + "75,000"
    return f"[rank0]: {shown} - INFO - step: {n} loss: {rng.uniform(0, 9):.3f} tps: {rng.randrange(7000, 8000):,}\n"


def settings(rng: random.Random, n: int) -> str:
    lr = 3e-4 / 2 ** (n // 700)
    return f"step: {n} loss: {rng.choice([1.5, -0.5, 0.25]):8.4f} lr: {lr:.6f} scale: {2 ** (16 + n // 900)}\n"


def long_numbers(rng: random.Random, n: int) -> str:
    return f"step: {n + 10**7} loss: {rng.uniform(1000, 9000):.10f} grad_norm: {rng.uniform(0, 9):.7f} tokens: {rng.randrange(10**9, 9 * 10**9):,}\n"


def plans(rng: random.Random, n: int) -> str:
    return f"step {n % 500}/{500 if n // 500 % 2 else 900} loss {rng.uniform(0, 9):.4f}\n"


def zones(rng: random.Random, n: int) -> str:
    zone = "+00:00" if n % 1000 < 990 else "+02:00"
    return f"{clock(n // 4, n).replace(' ', 'T').replace(',', '.')}{zone} step={n} loss={rng.uniform(0, 9):.5f}\n"


def bars(rng: random.Random, n: int) -> str:
    return (
        f" {n % 100}%|### | {n}/90000 [00:01<00:02, 8.3it/s]\r[rank{n % 2}]: step={n} loss={rng.uniform(0, 9):.4f}\r\n"
    )


def rounds(rng: random.Random, n: int) -> str:
    again = "Early stopping, best iteration is:\n" if n % 300 == 0 else ""
    return f"{again}[{n + 1000}]\tvalid's auc: {rng.random():.6f}\tvalid's binary_logloss: 0.69\n"


def colours(rng: random.Random, n: int) -> str:
    return f"\x1b[32m{clock(n // 7, n)}\x1b[0m step: {n} loss: \x1b[1m{rng.uniform(0, 9):.4f}\x1b[0m\n"


KINDS = (ranks, powers, pauses, settings, long_numbers, plans, zones, bars, rounds, colours)


def both(data: bytes, monkeypatch: pytest.MonkeyPatch) -> tuple[str, str]:
    monkeypatch.setattr(metrics, "_MANY", 10**9)
    single = repr(read(data))
    monkeypatch.setattr(metrics, "_MANY", 1)
    return single, repr(read(data))


@pytest.mark.parametrize("kind", KINDS)
def test_numbers_in_known_columns_are_those_read_one_by_one(
    kind: Callable[[random.Random, int], str], monkeypatch: pytest.MonkeyPatch
):
    rng = random.Random(5)
    lines = [kind(rng, n) for n in range(4000)]
    for at, odd in ((1400, "nan"), (1401, "-inf"), (1700, "NaN"), (2999, "inf")):
        lines[at] = lines[at].replace("loss: ", f"loss: {odd} or ", 1).replace("loss=", f"loss={odd} ", 1)
    data = "".join(lines).encode()
    single, many = both(data, monkeypatch)
    assert single.count("Point(") > 500
    assert many == single
    assert repr(read(data, block=32768)) == single


def test_kinds_of_lines_may_alternate(monkeypatch: pytest.MonkeyPatch):
    rng = random.Random(6)
    lines = [rng.choice((ranks, powers, settings, long_numbers, bars))(rng, n) for n in range(4000)]
    lines[2000:2000] = [f"loading the loss of shard {n} of node loss-{n}\n" for n in range(400)]
    single, many = both("".join(lines).encode(), monkeypatch)
    assert many == single


@pytest.mark.parametrize("block", [8192, 20000, 65536])
def test_borders_of_blocks_change_nothing(block: int, monkeypatch: pytest.MonkeyPatch):
    rng = random.Random(7)
    data = "".join(rng.choice((ranks, pauses, bars))(rng, n) for n in range(3000)).encode()
    monkeypatch.setattr(metrics, "_MANY", 10**9)
    single = repr(read(data))
    monkeypatch.setattr(metrics, "_MANY", 1)
    assert repr(read(data, block=block)) == single
