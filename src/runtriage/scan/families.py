"""Rows at the end of an artifact that are equal but for their numbers: what their columns tell, whatever they are called."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from runtriage.model.pattern import deferred
from runtriage.scan.block import Block
from runtriage.scan.contract import LineReader
from runtriage.scan.dialects.header import message_start

LONGEST: Final = 400
_MOST_NUMBERS: Final = 24
FEWEST: Final = 3
"""Rows of one shape that make a family."""
_NUMBER = deferred(
    r"(?<![\w.])(?P<number>[-+]?(?:1\.#(?:ind|inf|qnan)|\d+(?:\.\d*)?(?:e[-+]?\d+)?|\.\d+(?:e[-+]?\d+)?|nan|inf(?:inity)?|overflow))(?![\w.]*\w)",
    re.IGNORECASE,
)
_LETTERED = deferred(
    r"(?<=^\w)\d+(?=\W|$)|(?<=^[a-z]{2})\d+(?=\W|$)|(?<=epoch)\d+(?=\W)|(?<=step)\d+(?=\W)|#\d+|(?<=\d)(?!e[-+]?\d)[a-z%]{1,3}(?=\W|$)",
    re.IGNORECASE,
)
"""A count written on to the first word (`ep07`), a number sign, or a unit behind a number: none of it sets rows apart."""
_NAME = deferred(r"[A-Za-z|_][\w.@/|%^-]*(?:[ (][A-Za-z][\w.@/-]*\)?){0,2}\W*$")


class Number(NamedTuple):
    """A number of a row: the words before it, and its value."""

    name: str
    value: float
    printed: str


class Line(NamedTuple):
    """A line near the end: its words, where it stands, its numbers, and its form without them."""

    words: str
    start: int
    end: int
    numbers: tuple[Number, ...]
    shape: str


Family = Sequence[Line]
"""Lines of one shape, in their order."""


def lines_at_end(block: Block, reader: LineReader, most: int) -> list[Line]:
    """Return the last lines of a final block with their numbers, in their order; long ones hold no row, and a cut one is left out."""
    found: list[Line] = []
    end = block.high
    for _ in range(most):
        if end <= 0:
            break
        start = block.data.rfind(b"\n", 0, end - 1) + 1
        line = block.slice(start, end).strip(b"\r\n") if 1 < end - start <= LONGEST else b""
        end = start
        if line:
            text = line[reader.speaker(line)[0] :].decode("utf-8", "replace")
            found.append(_line(text[message_start(text) :], start, start + len(line)))
    ended = block.data[block.high - 1 : block.high] == b"\n"
    return found[::-1] if ended or not _is_cut(found) else found[:0:-1]


def _is_cut(found: Sequence[Line]) -> bool:
    """Tell whether the first of the lines, which is the last of the log, is only the beginning of one that others are like."""
    return bool(found) and any(
        len(line.shape) > len(found[0].shape) and line.shape.startswith(found[0].shape.rstrip()) for line in found[1:]
    )


def families(lines: Sequence[Line]) -> Iterator[Family]:
    """Yield the lines of each shape that comes often enough, as their last ones stand."""
    told: dict[str, list[Line]] = {}
    for line in lines:
        if line.numbers:
            told.setdefault(line.shape, []).append(line)
    yield from (rows for rows in told.values() if len(rows) >= FEWEST)


def column(rows: Family, index: int) -> list[float]:
    """Return the values of a column, from the first row to the last."""
    return [row.numbers[index].value for row in rows]


def climbs(values: Sequence[float]) -> bool:
    """Tell whether a column holds whole numbers that only grow."""
    whole = len(values) >= FEWEST and all(math.isfinite(value) and value == int(value) for value in values)
    return whole and all(later > earlier for earlier, later in pairwise(values))


def counts(values: Sequence[float]) -> bool:
    """Tell whether a column counts: it climbs by one and the same step for the most part."""
    steps = [later - earlier for earlier, later in pairwise(values)] if climbs(values) else []
    return bool(steps) and steps.count(sorted(steps)[len(steps) // 2]) >= 0.6 * len(steps)


def _line(words: str, start: int, end: int) -> Line:
    numbers: list[Number] = []
    before = 0
    parts: list[str] = []
    plain = _LETTERED.sub(lambda found: " " + found[0].strip("#") + " " if found[0][-1].isdigit() else "", words)
    for found in _NUMBER.finditer(plain):
        gap = plain[before : found.start()]
        parts.append(" ".join(gap.split()))
        before = found.end()
        if len(numbers) < _MOST_NUMBERS:
            numbers.append(Number(_named(gap), _value(found["number"]), found["number"]))
    parts.append(" ".join(plain[before:].split()))
    return Line(words, start, end, tuple(numbers), " # ".join(parts).lower())


def _named(gap: str) -> str:
    found = _NAME.search(gap)
    return "" if found is None else found[0].strip(" =:|~([{'\",").lower()


def _value(printed: str) -> float:
    plain = printed.lower()
    if plain == "overflow" or "#inf" in plain:
        return -math.inf if plain[0] == "-" else math.inf
    return math.nan if "#" in plain else float(plain)
