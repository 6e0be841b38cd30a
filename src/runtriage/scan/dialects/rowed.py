"""Rows of named numbers that begin with a count and know no other word of metrics: `it 50 silog 0.91 d1 0.52`, `12k rec 0.31 | used 980`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from msgspec import Struct

from runtriage.model.pattern import deferred
from runtriage.scan.contract import MetricLine
from runtriage.scan.dialects.counted import PARTS, counts_on, words_of
from runtriage.scan.dialects.header import message_start
from runtriage.scan.dialects.lines import in_parts, metric_line, read_line, said_at
from runtriage.scan.dialects.pairs import Pair, read_pairs
from runtriage.scan.dialects.position import Position
from runtriage.scan.shape import shape_of

FEWEST: Final = 8
"""Rows of one shape that make a dialect."""
SMALL: Final = 1 << 20
"""Bytes of an artifact up to which rows are looked for: each of its lines is looked at then."""
_SHAPES, _LONGEST = 6, 400
_STRIDES: Final = 0.6
"""The share of the rows that count on by the usual amount: rows of other shapes stand between some."""
_BACK: Final = 2
"""Rows that may go back: a training that was resumed counts some steps again."""
_FRONT = deferred(
    r"[\W_]{0,4}(?:(?P<word>[A-Za-z]{1,16})(?:[ :=#_-]{1,3}|(?=\d)))?(?P<number>\d{1,9})[kK]?(?:\s{0,2}/\s{0,6}\d{1,9})?(?=[\s:|,;)\]-])[\s:|,;)\]-]{1,6}"
)
# fmt: off
_PARTS: Final = PARTS | {"day", "week", "month", "year", "h", "hour", "port", "pid", "line", "file", "row", "id", "top", "q"}
# fmt: on
"""The same, with times and places that rows of other things begin with."""
_TALK: Final = 18
"""Letters for each number of a row at most: what says more is a sentence."""
_DATE = deferred(r"\d{4}-\d\d-\d\d|\d\d:\d\d:\d\d|\d{1,3}(?:\.\d{1,3}){3}")


class Rowed(Struct, frozen=True):
    """Rows of some shapes. They hold no literal of their own, so each line is looked at."""

    shapes: frozenset[bytes]
    counts: bool
    """Whether their count is the step of the run; where other lines tell that, it is not."""
    name: str = "rowed"
    anchors: tuple[bytes, ...] = ()
    fields: tuple[tuple[bytes, str], ...] = ()

    def parse(self, line: bytes, /) -> MetricLine | None:
        """Read one row; None for any line of another shape."""
        words = words_of(line)
        if len(line) > _LONGEST or _shape(words) not in self.shapes:
            return None
        read = _row(words)
        if read is None:
            return None
        step, values = read
        said = read_line(words)
        return metric_line(said_at(said.position if said else Position(step if self.counts else None), values))


def find_rows(lines: Sequence[bytes], *, placed: bool) -> Iterator[Rowed]:
    """Yield one dialect for the shapes of rows that count on and that no other dialect reads; `placed` where other lines say where they stand."""
    found: dict[bytes, list[int]] = {}
    for line in lines:
        if len(line) > _LONGEST:
            continue
        words = words_of(line)
        if _front(words) is None:
            continue
        shape = _shape(words)
        counts = found.get(shape)
        if (len(found) >= 4 * _SHAPES if counts is None else counts[0] < 0) or (read := _row(words)) is None:
            continue
        if counts is None:
            found[shape] = [-1 if _known(words) else read[0]]
        else:
            counts.append(read[0])
    shapes = [
        shape
        for shape, counts in found.items()
        if len(counts) >= FEWEST and counts[0] >= 0 and counts_on(counts, _STRIDES, _BACK)
    ]
    if shapes:
        yield Rowed(frozenset(shapes[:_SHAPES]), not placed)


def _shape(words: str) -> bytes:
    return b" ".join(shape_of(words.encode("utf-8", "replace")).split())


def _known(words: str) -> bool:
    """Tell whether a row is read as one of metrics anyhow."""
    said = read_line(words)
    return said is not None and bool(said.pairs)


def _front(words: str) -> re.Match[str] | None:
    """Return the count that a row begins with; None where there is none, or what is counted does not come one after the other."""
    found = _FRONT.match(words, message_start(words))
    return None if found is None or (found["word"] or "").lower() in _PARTS else found


@lru_cache(maxsize=8)
def _row(words: str) -> tuple[int, Sequence[Pair]] | None:
    """Return the count of a row and its named numbers, at least one of which is no whole number; None for what is no row."""
    found = _front(words)
    if found is None or _DATE.search(words, found.start()):
        return None
    pairs = [pair for pair in read_pairs(words[found.end() :]) if pair.name and any(map(str.isalpha, pair.name))]
    said = sum(map(str.isalpha, words[found.start() :]))
    if not pairs or not any(pair.value != int(pair.value) for pair in pairs if abs(pair.value) < 1e15):
        return None
    if said > _TALK * (len(pairs) + 1):
        return None
    return int(found["number"]), in_parts(words[found.end() :], pairs)
