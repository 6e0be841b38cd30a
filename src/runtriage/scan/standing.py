"""What the last lines of an artifact say of a place in the work that moved before and is now printed again and again."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final, NamedTuple

from runtriage.model.event import STATEMENT
from runtriage.model.pattern import deferred
from runtriage.model.time import Instant
from runtriage.scan.block import Block
from runtriage.scan.contract import LineReader
from runtriage.scan.dialects.header import message_start
from runtriage.scan.draft import Draft
from runtriage.scan.quiet import from_end
from runtriage.scan.silence import between

NAME: Final = "standstill/position"
WAIT: Final = "standstill/long"
BEHIND: Final = 24
"""Lines that may follow, as a traceback of whoever ended the wait does."""
AGAIN, FEW, MANY = 8, 3, 24
"""Prints of one place: with times, where only the length of the wait changes, and without any time."""
LEAST, LONG = 300.0, 600.0
"""Seconds for which a place that moved before must stand, and for which a line whose only change is its duration must say it lasts."""
_DURATION: Final = (
    rb"(?<![\w.:])(?:(?P<hours>\d{1,4}):)?(?P<minutes>\d{1,2}):(?P<seconds>\d\d)(?:\.\d{1,3})?(?![\d:])"
    rb"|(?<![\w.])(?P<count>\d{1,7}(?:\.\d{1,3})?) ?(?P<unit>s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?)(?![\w/])"
)
_TIMES = deferred(_DURATION, re.IGNORECASE)
_OWN = deferred(
    rb"(?:up ?time|eta|elapsed|rss|mem\w*|cpu|load|seq|pid|beat|tick|retry|attempt|try|poll|check)\W{0,4}#?\d[\d.:,]*\s?[a-z%]{0,8}|"
    + re.sub(rb"\?P<\w+>", b"?:", _DURATION)
    + rb"|(?<![\w.])\d[\d.]* ?(?:s|ms)/\w{1,6}|(?<![\w.])\d[\d.]* ?\w{1,6}/s(?:ec)?\b",
    re.IGNORECASE,
)
"""What changes in a line although nothing moves: how long it took, how long it will take, how often it was asked."""
_WORK: Final = (
    rb"(?:global_?)?steps?|iter(?:ation)?s?|it|(?:mini)?batch(?:es)?|updates?|samples?|tokens?|examples?|records?|rows?|images?|files?|chunks?|shards?|clips?"
    rb"|docs?|documents?|frames?|trials?|rounds?|episodes?|progress|done|seen|processed|consumed|read|written|copied|downloaded|position|offset"
)
_PLACE = deferred(
    rb"(?<![a-z])(?:" + _WORK + rb")\W{1,3}\d|(?<![\d.])\d[\d,.]* ?[kmgt]?i?b? ?(?:" + _WORK + rb")(?![a-z])"
    rb"|(?<![\d.])\d[\d.]* ?[kmgt]?i?b? ?(?:/|of|out of) ?\d|\d ?%",
    re.IGNORECASE,
)
_COMPLETE = deferred(
    rb"(?<![\d.])100(?:\.0+)? ?%|(?<![\d.])(?P<one>\d[\d.]*) ?[kmgt]?i?b? ?(?:/|of|out of) ?(?P=one)(?![\d.])",
    re.IGNORECASE,
)
_DIGITS: Final = re.compile(rb"\d+(?:\.\d+)?")
_SECONDS: Final = {b"s": 1.0, b"m": 60.0, b"h": 3600.0}


class _Said(NamedTuple):
    """A line: its words without what changes by itself, the durations in it, when it was printed, and where."""

    own: bytes
    durations: tuple[float, ...]
    when: Instant | None
    start: int
    end: int


def standing_place(block: Block, reader: LineReader) -> Draft | None:
    """Return the last of the lines at the end that print one place over and over, or one line in which only a duration grows."""
    if not _repeats(block):
        return None
    lines = list(_lines(block, reader))
    at = next((at for at in range(min(BEHIND, len(lines) - FEW + 1)) if _alike(lines[at : at + FEW])), None)
    if at is None:
        return None
    last = lines[at]
    length = next((more for more, line in enumerate(lines[at:]) if line.own != last.own), len(lines) - at)
    stood, before = lines[at : at + length], lines[at + length :]
    steadily, grown = _grown(stood)
    if steadily >= (LEAST if at else LONG):
        return _draft(WAIT, stood, steadily)
    if not _PLACE.search(last.own) or _COMPLETE.search(last.own) or not _moved(last, before):
        return None
    clock = between(stood[-1].when, last.when)
    seconds = max(clock or 0.0, grown)
    silent = clock is None and not any(line.durations for line in stood)
    if len(stood) >= (MANY if silent else AGAIN) and (silent or seconds >= LEAST):
        return _draft(NAME, stood, seconds)
    return None


def _alike(lines: list[_Said]) -> bool:
    """Tell whether some lines say the same but for durations, and say anything."""
    return len(lines) == FEW and bool(lines[0].own.strip()) and len({line.own for line in lines}) == 1


def _moved(last: _Said, before: list[_Said]) -> bool:
    """Tell whether further up the same line stands with a number that was lower."""
    shape, own = _DIGITS.sub(b"0", last.own), _numbers(last.own)
    return any(
        any(one < two for one, two in zip(_numbers(line.own), own, strict=True))
        for line in before
        if line.own != last.own and _DIGITS.sub(b"0", line.own) == shape
    )


def _numbers(words: bytes) -> list[float]:
    return [float(found) for found in _DIGITS.findall(words)]


def _grown(stood: list[_Said]) -> tuple[float, float]:
    """Return the longest duration of the last line that is longer in each line than in the one before, and by how much any grew that never shrank."""
    columns = [column[::-1] for column in zip(*(line.durations for line in stood), strict=False)]
    strictly = [column[-1] for column in columns if all(one < two for one, two in pairwise(column))]
    never = [column[-1] - column[0] for column in columns if all(one <= two for one, two in pairwise(column))]
    return max(strictly, default=0.0), max(never, default=0.0)


def _repeats(block: Block) -> bool:
    """Tell whether any of the last lines is said again and again; most logs end otherwise, and need not be read closer."""
    last = zip(range(BEHIND + FEW - 1), from_end(block), strict=False)
    own = [_OWN.sub(b"", _words(line)) for _, (_, line) in last]
    return any(own[at].strip() and len({*own[at : at + FEW]}) == 1 for at in range(len(own) - FEW + 1))


def _words(line: bytes) -> bytes:
    return line[message_start(line.decode("utf-8", "replace")) :]


def _lines(block: Block, reader: LineReader) -> Iterator[_Said]:
    """Yield the last lines backwards, each time a bar was drawn as one of its own."""
    for start, line in from_end(block):
        words = _words(line)
        own = _OWN.sub(b"", words)
        durations = tuple(_length(found) for found in _TIMES.finditer(words))
        yield _Said(own, durations, reader.context(line).when, start, start + len(line))


def _length(found: re.Match[bytes]) -> float:
    if found["count"] is not None:
        return float(found["count"]) * _SECONDS[found["unit"][:1].lower()]
    return int(found["hours"] or 0) * 3600.0 + int(found["minutes"]) * 60.0 + int(found["seconds"])


def _draft(name: str, stood: list[_Said], seconds: float) -> Draft:
    """Return a draft of the last of some lines."""
    last, first = stood[0], stood[-1]
    numbers = {"seconds": seconds, "lines": float(len(stood)), "from": float(first.start), "to": float(last.start)}
    return Draft(kind=STATEMENT, name=name, start=last.start, end=last.end, numbers=numbers)
