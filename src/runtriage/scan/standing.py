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

NAME: Final = "standstill/place"
BEHIND: Final = 24
"""Lines that may follow, as a traceback of whoever ended the wait does."""
MOST: Final = 64
"""Lines that are looked at, so few that any cut of a log holds them in one block."""
FEW, OFTEN = 3, 16
"""Prints from which a line counts as one that is said again and again, and of a request."""
_DURATION: Final = (
    rb"(?<![\w.:])(?:(?P<hours>\d{1,4}):)?(?P<minutes>\d{1,2}):(?P<seconds>\d\d)(?:\.\d{1,3})?(?![\d:])"
    rb"|(?<![a-z])\w{0,24}(?:sec(?:ond)?s?|elapsed|idle|wait(?:ed|ing)?|since|silen\w{1,6})(?:_\w{1,24})?[\"']? ?[:=] ?(?P<keyed>\d{1,7}(?:\.\d{1,3})?)(?![\w.])"
    rb"|(?<![\w.])(?P<count>\d{1,7}(?:\.\d{1,3})?) ?(?P<unit>s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?)(?![\w/])"
)
_TIMES = deferred(_DURATION, re.IGNORECASE)
_OWN = deferred(
    rb"(?<![a-z])(?:worker|rank|thread|proc|process|env|actor|gpu|client|node|host|peer)[ _#:-]?\d{1,6}(?!\d)|"
    rb"(?:up ?time|eta|elapsed|rss|mem\w*|cpu|load|seq|pid|beat|tick|retry|attempt|try|poll|check)\W{0,4}#?\d[\d.:,]*\s?[a-z%]{0,8}|"
    rb"[\"']?(?<![a-z])(?:ts?|time|timestamp|\w*(?:sec(?:ond)?s?|elapsed|idle|wait(?:ed|ing)?|since|silen\w+|age))(?:_\w+)?[\"']? ?[:=] ?\d+(?:\.\d+)?|"
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
_OPEN = deferred(
    rb"(?<![\d.])(\d{1,12}(?:\.\d{1,4})?) ?[kmgt]?i?b? ?(?:/|of|out of) ?(\d{1,12}(?:\.\d{1,4})?)(?![\d.]*\d)|(?<![\d.])(\d{1,2}(?:\.\d+)?) ?%",
    re.IGNORECASE,
)
"""A count of a whole, or a share."""
_COMPLETE = deferred(
    rb"(?<![\d.])100(?:\.0+)? ?%|(?<![\d.])(?P<one>\d[\d.]*) ?[kmgt]?i?b? ?(?:/|of|out of) ?(?P=one)(?![\d.])",
    re.IGNORECASE,
)
_ASKS = deferred(
    rb"^(?!.*(?:no new|nothing to|no jobs?|up to date|idle))"
    rb".*(?:(?:try|trying|retry\w*) (?:again|in|once more)|retrying|re-?connecting|reattempt\w*|(?<![a-z])(?:sleep(?:s|ing)?|waiting|polling|not yet|unavailable|need(?:s|ed)? \d+|pending|absent|missing|0 (?:\w+ )?(?:running|online|ready|active|alive|connected|registered))(?![a-z]))",
    re.IGNORECASE,
)
"""What is said where something is asked for again and again."""
_STILL = deferred(
    rb"^(?!.*(?:no new|nothing to|no jobs?|up to date))"
    rb".*(?:(?<![\w.])0 \w{2,}|(?<![a-z])(?:no|not|none|nothing|unchanged|still|stopped|idle|holding|since|stuck|silent|stale)(?![a-z]))",
    re.IGNORECASE,
)
"""That nothing happens, in a word."""
_DIGITS: Final = deferred(rb"\d+(?:\.\d+)?")
_SECONDS: Final = {b"s": 1.0, b"m": 60.0, b"h": 3600.0}


class _Said(NamedTuple):
    """A line: its words without what changes by itself, the durations in it, when it was printed, and where."""

    own: bytes
    durations: tuple[float, ...]
    when: Instant | None
    start: int
    end: int


def standing_place(block: Block, reader: LineReader) -> Draft | None:
    """Return the last of the lines at the end that say one thing over and over, where it is a place in the work or a wait that grows.

    Numbers are the `seconds` over which it was said, and how many `lines` said it. Captures tell how: `moved` where it stood elsewhere
    before, `still` where a word says that nothing happens, `open` where it is a count of a whole that is not there yet, `grows` where each line says a longer time than the one
    before, `timed` where there is a clock at all, and `behind` where other lines follow.
    """
    if not _repeats(block):
        return None
    lines = [line for line, _ in zip(_lines(block, reader), range(MOST), strict=False)]
    at = next((at for at in range(min(BEHIND, len(lines) - FEW + 1)) if _alike(lines[at : at + FEW])), None)
    if at is None:
        return None
    last = lines[at]
    length = next((more for more, line in enumerate(lines[at:]) if line.own != last.own), len(lines) - at)
    stood, before = lines[at : at + length], lines[at + length :]
    steadily, grown = _grown(stood)
    clock = between(stood[-1].when, last.when)
    place = _PLACE.search(last.own) is not None and (_open(last.own) or not _COMPLETE.search(last.own))
    told = {
        "grows": steadily > 0,
        "moved": place and _moved(last, before),
        "open": place and _open(last.own),
        "still": at == 0 and clock is not None and _STILL.search(last.own) is not None,
        "asks": at == 0 and length >= OFTEN and _ASKS.search(last.own) is not None,
        "timed": clock is not None or any(line.durations for line in stood),
        "behind": at > 0,
    }
    if not (told["grows"] or told["moved"] or told["open"] or told["asks"] or told["still"]):
        return None
    seconds = steadily or max(clock or 0.0, grown)
    numbers = {"seconds": seconds, "lines": float(length), "from": float(stood[-1].start), "to": float(last.start)}
    captures = {name: "yes" for name, holds in told.items() if holds}
    return Draft(kind=STATEMENT, name=NAME, start=last.start, end=last.end, captures=captures, numbers=numbers)


def _open(own: bytes) -> bool:
    """Tell whether a line counts something of which not all is there."""
    return any(found[3] or float(found[1]) < float(found[2]) for found in _OPEN.finditer(own))


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
    strictly = [
        column[-1]
        for column in columns
        if all(one <= two for one, two in pairwise(column)) and len(set(column)) >= min(FEW, len(column))
    ]
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
    if found["keyed"] is not None:
        return float(found["keyed"])
    if found["count"] is not None:
        return float(found["count"]) * _SECONDS[found["unit"][:1].lower()]
    return int(found["hours"] or 0) * 3600.0 + int(found["minutes"]) * 60.0 + int(found["seconds"])
