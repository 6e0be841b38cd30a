"""Numbers read many at a time equal what `float` reads, however many digits they have; others are declined."""

from __future__ import annotations

import random

import numpy as np
import pytest

from runtriage.scan.bulk_numbers import Text, read_values


def _read(tokens: list[bytes], *forms: str) -> list[float | None]:
    data = b" ".join(tokens) + b" " + bytes(Text.MARGIN)
    places = np.cumsum([0, *(len(token) + 1 for token in tokens[:-1])])
    values, stops, good = read_values(Text(data, len(data)), places, frozenset({"point", "sign", *forms}), False)
    ends = places + [len(token) for token in tokens]
    assert all(stop == end for stop, end, read in zip(stops, ends, good, strict=True) if read)
    return [float(value) if read else None for value, read in zip(values, good, strict=True)]


def test_many_digits_are_read_as_float_reads_them() -> None:
    draw = random.Random(1)
    tokens = [repr(draw.uniform(-1, 1) * 10 ** draw.randint(0, 6)).encode() for _ in range(2000)]
    tokens = [token for token in tokens if b"e" not in token]
    assert _read(tokens) == [float(token) for token in tokens]


@pytest.mark.parametrize("odd", [b"2.04819238123120001e-05", b"0.12345678901234567x", b".12345678901234567"])
def test_what_is_no_plain_number_is_declined(odd: bytes) -> None:
    first, second = _read([odd, b"0.12345678901234567"])
    assert (first, second) == (None, 0.12345678901234567)


def test_a_power_has_one_or_two_digits() -> None:
    tokens = [b"1e-4", b"3e4", b"2.5E+3", b"1e-05", b"7.25e12", b"2"]
    assert _read(tokens, "power") == [float(token) for token in tokens]
    assert _read([b"1e-123", b"1e", b"1e-x"], "power") == [None, None, None]
