"""Lines whose parts are as long as in a sample are read by their columns, as `float` reads each number, or not at all."""

from __future__ import annotations

import random

import numpy as np
import pytest

from runtriage.model.subject import NOBODY
from runtriage.scan.bulk_numbers import Text
from runtriage.scan.bulk_shape import Shape
from runtriage.scan.dialects.learn import parse
from runtriage.scan.layout import learn

PREFIX = b"[rank0]: "
LINES = (
    "2026-05-14 02:12:07,155 step: 1042  loss:  2.3456  grad_norm: -1.2500  lr: 2.510e-04  tps: 7,120",
    "{'loss': 123456.12345678, 'grad_norm': 1.5, 'epoch': 0.25}",
    "step 12/9000 loss 12345678901.25 lr 1e-05",
)


def other(line: str, rng: random.Random) -> str:
    """Put other digits in a line."""
    return "".join(rng.choice("123456789") if char.isdigit() else char for char in line)


def shape_of(line: str) -> Shape:
    layout = learn(line.encode(), parse, lambda _: NOBODY)
    assert layout is not None
    return Shape(PREFIX, layout, line.encode())


def run(shape: Shape, lines: list[str]) -> dict[int, list[float]]:
    texts = [PREFIX + line.encode() + b"\n" for line in lines]
    data = b"before\n\n" + b"".join(texts) + b" " * 256
    starts = np.cumsum([8, *map(len, texts)])[:-1]
    found = shape.run(Text(data, len(data)), starts, np.array(list(map(len, texts))) - 1)
    columns = [column.values().tolist() for column in found.columns]
    return {int(row): [column[at] for column in columns] for at, row in enumerate(found.rows)}


@pytest.mark.parametrize("sample", LINES)
def test_lines_of_one_shape_say_what_the_reference_reads(sample: str):
    rng = random.Random(sample)
    lines = [other(sample.replace("/9000", "/#"), rng).replace("/#", "/9000") for _ in range(2000)]
    found = run(shape_of(sample), lines)
    for index, line in enumerate(lines):
        said = parse(line.encode())
        assert said is not None
        expected = [value for _, value in said.values]
        if index in found:
            assert list(map(repr, found[index])) == list(map(repr, expected))
        else:
            assert any(value and not 1e-15 < abs(value) < 1e22 for value in expected)
    assert len(found) > 150


@pytest.mark.parametrize(
    "odd", ["loss:     nan", "loss:    -inf", "loss:  2.34x6", "loss:  2.34:6", "loss:  2.3/56", "1oss:  2.3456"]
)
def test_a_line_that_is_laid_out_otherwise_is_left_alone(odd: str):
    lines = [LINES[0], LINES[0].replace("loss:  2.3456", odd), LINES[0] + "0"]
    assert list(run(shape_of(LINES[0]), lines)) == [0]


def test_every_byte_but_a_digit_is_refused_where_digits_stand():
    front, back = LINES[2].split("12345678901")
    shape = shape_of(LINES[2])
    for byte in range(1, 256):
        if byte in b"\r\n" or byte > 127:
            continue
        found = run(shape, [f"{front}1234{chr(byte)}678901{back}"])
        assert bool(found) == chr(byte).isdigit()


def test_more_digits_than_a_float_holds_are_not_read_so():
    line = "step 12/9000 loss 1234567890.1234567 lr 1e-05"
    layout = learn(line.encode(), parse, lambda _: NOBODY)
    assert layout is not None
    assert not Shape(b"", layout, line.encode()).possible
