"""A program that starts again in its own log, with no line of a launcher between: the lines it began with stand there once more.

Whether a line is the first of them is told by the front of the artifact and by the lines themselves, so that stretches of an artifact
which are scanned apart come to the same marks. Which of them count is told at the end (`runtriage.scan.restarts`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from runtriage.model.event import ATTEMPT
from runtriage.model.pattern import deferred
from runtriage.scan.attempt import AGAIN
from runtriage.scan.block import Block
from runtriage.scan.dialects.header import message_start
from runtriage.scan.dialects.lines import read_line
from runtriage.scan.draft import Draft

_LINES: Final = 3
"""Lines that a program must print again, where it prints so many before its first step; two at least."""
_FEWEST: Final = 2
_LOOKED_AT: Final = 40
"""Lines at the front of an artifact among which they are."""
_LONGEST: Final = 1_000
_SCORES: Final = frozenset({"loss", "eval_loss", "metric", "eval_metric", "reward"})
_LEAST: Final = 8
"""Characters without a digit that the first of them must have in a row: what is searched for."""
_COMMON: Final = 12
"""How often that may stand in the text at the front: what many lines hold tells no start, and is slow to look at."""
_VOLATILE = deferred(
    r"\bpid\W{0,3}\d+|\d{4}-\d\d-\d\d[T _]?(?:\d\d:\d\d(?::\d\d)?(?:[.,]\d+)?)?|\b\d\d:\d\d:\d\d(?:[.,]\d+)?|0x[0-9a-fA-F]+",
    re.IGNORECASE,
)
"""What differs from one start of a program to the next."""
_PLAIN = deferred(rf"[^\d\x80-\uffff]{{{_LEAST},}}")


class Banner(Struct, frozen=True):
    """The lines a program begins with, without what differs from start to start; `at` is where the first one begins in the artifact."""

    lines: tuple[str, ...]
    anchor: bytes
    at: int


def banner(sample: bytes, base: int = 0) -> Banner | None:
    """Return what the program of an artifact prints first, before its first step; None where that is too little to know it by.

    `sample` is the text at the front, without codes of a terminal, `base` where it begins in the artifact.
    """
    lines: list[str] = []
    at, begin = 0, 0
    for raw in sample.split(b"\n")[:_LOOKED_AT]:
        text = _words(raw)
        if len(raw) > _LONGEST or _is_progress(raw):
            break
        if text:
            at = at if lines else begin
            lines.append(text)
        begin += len(raw) + 1
        if len(lines) == _LINES:
            break
    parts = _PLAIN.findall(lines[0]) if len(lines) >= _FEWEST else []
    anchor = max(parts, key=len, default="").encode()
    return Banner(tuple(lines), anchor, base + at) if anchor and sample.count(anchor) <= _COMMON else None


def _is_progress(raw: bytes) -> bool:
    """Tell whether a line is of a step, an epoch or a score; settings are told of in numbers, too."""
    said = read_line(raw.decode("utf-8", "replace"))
    if said is None:
        return False
    placed = said.position.epoch is not None or (said.position.step is not None and not said.position.inner)
    return placed or any(pair.role in _SCORES for pair in said.pairs)


def _words(raw: bytes) -> str:
    text = raw[: _LONGEST + 1].decode("utf-8", "replace")
    return _VOLATILE.sub("", text[message_start(text) :]).strip()


def pieces(block: Block, first: Banner | None) -> Iterator[tuple[Block, bool]]:
    """Yield a block in pieces, each with whether its program starts again there."""
    places = [] if first is None else [*_places(block, first)]
    if not places:
        yield block, False
        return
    edges = [*([] if places[0] == block.low else [block.low]), *places, block.high]
    for low, high in pairwise(edges):
        yield _piece(block, low, high, last=high == block.high), low in places


def restart(block: Block) -> Draft:
    """Return the event of a start with the first line of a block."""
    return Draft(kind=ATTEMPT, name=AGAIN, start=block.low, end=block.line_end(block.low))


def _piece(block: Block, low: int, high: int, *, last: bool) -> Block:
    return replace(
        block,
        low=low,
        high=high,
        line=block.line_number(low) - 1,
        head=block.head if low == block.low else b"",
        final=block.final and last,
        padded=block.padded and last,
        _marks=None,
        _counts=[],
        _known=[],
        _breaks=None,
        _before=0,
        _after=None,
    )


def _places(block: Block, first: Banner) -> Iterator[int]:
    """Yield where the first of the lines begins anew in a block, with the others below it."""
    at = block.data.find(first.anchor, block.low, block.top)
    while at >= 0:
        begin = block.data.rfind(b"\n", 0, at) + 1
        if begin >= block.high:
            return
        own = begin >= block.low and (begin > 0 or not block.head) and block.first_byte(begin) > first.at
        if own and _stands(block, begin, first.lines):
            yield begin
        at = block.data.find(first.anchor, block.line_end(at), block.top)


def _stands(block: Block, begin: int, lines: Sequence[str]) -> bool:
    left = [*lines]
    while left and begin < block.top:
        end = min(block.line_end(begin), begin + _LONGEST + 1)
        words = _words(block.slice(begin, end).rstrip(b"\r"))
        if words and words != left.pop(0):
            return False
        begin = block.line_end(begin) + 1
    return not left
