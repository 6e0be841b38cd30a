"""Rows at the end of an artifact that are equal but for their numbers: what their columns tell, whatever they are called."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Final, NamedTuple

from msgspec import Struct

from runtriage.model.pattern import deferred
from runtriage.scan.alike import FORMS, form_of_text
from runtriage.scan.block import Block
from runtriage.scan.contract import LineReader
from runtriage.scan.dialects.header import message_start

LONGEST: Final = 400
_MOST_NUMBERS: Final = 24
_EVEN, _MANY = 0.02, 8
"""How far steps of a count that is no whole number are apart, as it is printed to a few digits, and its least values: three scores may rise evenly."""
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
_SPELT: Final = ".#"
"""How a number is spelt out of which not every digit is like any other."""
_NAME = deferred(r"(?!\d)[\w|][\w.@/|%^-]*(?:[ (][A-Za-z][\w.@/-]*\)?){0,2}\W*$")


class Number(Struct, frozen=True):
    """A number of a row: the words before it, and its value."""

    name: str
    value: float
    printed: str


class Line(NamedTuple):
    """A line near the end: its words, where it stands, its numbers, its shape without them, its words in small letters and their form,
    and in small letters what its logger or its program put in front of them (`[eval] `).
    """

    words: str
    start: int
    end: int
    numbers: tuple[Number, ...]
    shape: str
    low: str
    form: str
    front: str = ""


class _Layout(Struct, frozen=True):
    """What is equal in all lines of a form: the parts that numbers are looked for in (None: all of it), and where in those, put
    together, numbers and what is between them stand. `said` is None where digits stand between them, too."""

    parts: tuple[slice | str, ...] | None
    numbers: tuple[slice, ...]
    gaps: tuple[slice, ...]
    said: _Said | None


class _Said(Struct, frozen=True):
    """What a line without its numbers says: their names, and its shape."""

    names: tuple[str, ...]
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
            begin = message_start(text)
            read = _line(text[begin:], start, start + len(line))
            found.append(read._replace(front=text[:begin].lower()) if begin else read)
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
    """Tell whether a column counts: it climbs by one and the same step for the most part; parts of one (thousands of images, epochs) always do."""
    steps = [later - earlier for earlier, later in pairwise(values)]
    if len(values) < FEWEST or not min(steps, default=0.0) > 0:
        return False
    if climbs(values):
        return steps.count(sorted(steps)[len(steps) // 2]) >= 0.6 * len(steps)
    return len(values) >= _MANY and max(steps) - min(steps) <= _EVEN * min(steps)


def _line(words: str, start: int, end: int) -> Line:
    layout = _layout(words) if _SPELT in words else _known_layout(form_of_text(words))
    plain = _plain(words, layout.parts)
    said = layout.said or _said(tuple(plain[gap] for gap in layout.gaps))
    numbers = tuple(
        Number(name, _value(plain[at]), plain[at]) for name, at in zip(said.names, layout.numbers, strict=False)
    )
    low = words.lower()
    return Line(words, start, end, numbers, said.shape, low, form_of_text(low))


def _plain(words: str, parts: tuple[slice | str, ...] | None) -> str:
    """Return the parts of a line put together."""
    if parts is None:
        return words
    return "".join(part if isinstance(part, str) else words[part] for part in parts)


def _layout(words: str) -> _Layout:
    parts = _without_letters(words)
    plain = _plain(words, parts)
    spans = [found.span() for found in _NUMBER.finditer(plain)]
    edges = [0, *(edge for span in spans for edge in span), len(plain)]
    gaps = tuple(map(slice, edges[::2], edges[1::2]))
    texts = tuple(plain[gap] for gap in gaps)
    alike = not any(map(str.isdigit, "".join(texts)))
    return _Layout(parts, tuple(slice(*span) for span in spans), gaps, _said(texts) if alike else None)


_known_layout = lru_cache(FORMS)(_layout)


@lru_cache(FORMS)
def _said(gaps: tuple[str, ...]) -> _Said:
    shape = " # ".join(" ".join(gap.split()) for gap in gaps).lower()
    return _Said(tuple(map(_named, gaps[:-1][:_MOST_NUMBERS])), shape)


def _without_letters(words: str) -> tuple[slice | str, ...] | None:
    """Return the parts of a line without the letters and signs that are written on to its numbers; None where there are none."""
    parts: list[slice | str] = []
    at = 0
    for found in _LETTERED.finditer(words):
        parts.append(slice(at, found.start()))
        at = found.end()
        if found[0][-1].isdigit():
            parts += [" ", slice(found.start() + (found[0][0] == "#"), at), " "]
    return (*parts, slice(at, len(words))) if at else None


def _named(gap: str) -> str:
    found = _NAME.search(gap)
    return "" if found is None else found[0].strip(" =:|~([{'\",").lower()


def _value(printed: str) -> float:
    plain = printed.lower()
    if plain == "overflow" or "#inf" in plain:
        return -math.inf if plain[0] == "-" else math.inf
    return math.nan if "#" in plain else float(plain)
