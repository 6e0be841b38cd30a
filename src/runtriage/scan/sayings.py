"""The last lines of an artifact without what changes in them by itself: times, durations, how often something was asked."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import chain
from typing import Final

from msgspec import Struct

from runtriage.model.pattern import deferred
from runtriage.model.time import Instant
from runtriage.scan.alike import FORMS, form_of
from runtriage.scan.block import Block
from runtriage.scan.contract import LineReader
from runtriage.scan.dialects.header import message_start
from runtriage.scan.still import elapsed

MOST, BYTES = 256, 24 * 1024
"""Lines and bytes that are looked at, so few that any cut of a log leaves them in reach of its last block."""
_DURATION: Final = (
    rb"(?<![\w.:])(?:(?P<hours>\d{1,4}):)?(?P<minutes>\d{1,2}):(?P<seconds>\d\d)(?:\.\d{1,3})?(?![\d:])"
    rb"|(?<![a-z])\w{0,24}(?:sec(?:ond)?s?|elapsed|idle|wait(?:ed|ing)?|since|silen\w{1,6})(?:_\w{1,24})?[\"']? ?[:=] ?(?P<keyed>\d{1,7}(?:\.\d{1,3})?)(?![\w.])"
    rb"|(?<![\w.])(?P<count>\d{1,7}(?:\.\d{1,3})?) ?(?P<unit>(?-i:s|m|h)|secs?|seconds?|mins?|minutes?|hrs?|hours?)(?![\w/])"
)
_TIMES = deferred(_DURATION, re.IGNORECASE)
_OWN = deferred(
    rb"(?<![a-z])(?:worker|rank|thread|proc|process|env|actor|gpu|client|node|host|peer)[ _#:-]?\d{1,6}(?!\d)|"
    rb"(?:up ?time|eta|elapsed|rss|mem(?:ory)?(?:_\w{1,24})?|cpu|load|power|temp\w*|seq|pid|beat|tick|retr(?:y|ies)|attempts?|tr(?:y|ies)|polls?|checks?|looks?|age|lag)\W{0,4}#?\d[\d.:,]*\s?[a-z%]{0,8}|"
    rb"[\"']?(?<![a-z])(?:ts?|time|timestamp|\w{0,24}(?:sec(?:ond)?s?|elapsed|idle|wait(?:ed|ing)?|since|silen\w{1,6}|age))(?:_\w{1,24})?[\"']? ?[:=] ?\d+(?:\.\d+)?|"
    + re.sub(rb"\?P<\w+>", b"?:", _DURATION)
    + rb"|(?<![\w.])\d[\d.]* ?(?:s|ms)/\w{1,6}|(?<![\w.])\d[\d.]* ?\w{1,6}/s(?:ec)?\b",
    re.IGNORECASE,
)
"""What changes in a line although nothing moves: how long it took, how long it will take, how often it was asked."""
_ASKS = deferred(rb"(?<![a-z])(?:retr(?:y|ies)|attempts?|tr(?:y|ies)|polls?)\W{0,4}#?\d", re.IGNORECASE)
"""How often something was asked for."""
_SINCE_START = deferred(rb"^\W{0,12}(?:[A-Z] )?(?:\d{1,9}\.\d{1,9}|\d{5,12})s?[\]:]?(?=\s)")
"""A time that is no date, or the number of a line."""
_GLYPHS = deferred(rb"[#=>\-.|*~ ]{4,}|(?:\xe2[\x94-\x96][\x80-\xbf]){2,}")
_NUMBER: Final = re.compile(rb"\d+(?:\.\d+)?")
_PIECES: Final = re.compile(rb"[^\r\n]+")
_SECONDS: Final = {b"s": 1.0, b"m": 60.0, b"h": 3600.0}
_LONGEST: Final = 2_000
_FRAME, _WITHIN = b'\n  File "', (b"  ", b"Traceback (", b"During handling of", b"Thread 0x")
"""What tells that there are stacks, and how their lines begin; they are no lines that came at a rhythm."""

Content = tuple[bytes, tuple[bytes, ...]]
"""The words of a line without numbers, and those."""


class Said(Struct, frozen=True):
    """A line: its words without what changes by itself, once more without numbers, those numbers, the durations in it, when and where."""

    own: bytes
    shape: bytes
    text: bytes
    numbers: tuple[bytes, ...]
    asks: bool
    durations: tuple[float, ...]
    when: Instant | None
    start: int
    end: int

    @property
    def content(self) -> Content:
        """Return what it says."""
        return self.shape, self.numbers


class Saying(Struct, frozen=True):
    """What is equal in all lines of a form: the parts that are the line's own; in those, put together, the parts around bars and rules;
    in these, put together, the numbers; the shape; whether it counts how often something was asked; and where durations stand in the line."""

    parts: tuple[slice, ...]
    around: tuple[slice, ...]
    numbers: tuple[slice, ...]
    shape: bytes
    asks: bool
    durations: tuple[re.Match[bytes], ...]


@lru_cache(FORMS)
def saying(form: bytes) -> Saying:
    """Return what lines of a form say."""
    parts = _between(_OWN.finditer(form), len(form))
    own = b"".join(form[part] for part in parts)
    around = _between(_GLYPHS.finditer(own), len(own))
    own = b" ".join(own[part] for part in around)
    numbers = tuple(slice(*found.span()) for found in _NUMBER.finditer(own))
    asks = _ASKS.search(form) is not None
    return Saying(parts, around, numbers, _NUMBER.sub(b"0", own), asks, tuple(_TIMES.finditer(form)))


def _between(found: Iterable[re.Match[bytes]], length: int) -> tuple[slice, ...]:
    """Return what stands before, between and behind some finds."""
    edges = [0, *chain.from_iterable(each.span() for each in found), length]
    return tuple(map(slice, edges[::2], edges[1::2]))


def own_words(words: bytes, said: Saying) -> bytes:
    """Return a line without what changes in it by itself."""
    own = b"".join([words[part] for part in said.parts]) if len(said.parts) > 1 else words
    return b" ".join([own[part] for part in said.around]) if len(said.around) > 1 else own


def words_of(line: bytes) -> bytes:
    """Return a line without its header."""
    return line[_begin(form_of(line)) :]


@lru_cache(FORMS)
def _begin(form: bytes) -> int:
    """Return where the words of lines of a form begin, behind a header and a time that is no date."""
    start = message_start(form.decode("latin-1"))
    since = _SINCE_START.match(form[start:])
    return start + since.end() if since is not None else start


def read_lines(last: Iterable[tuple[int, bytes]], reader: LineReader) -> Iterator[Said]:
    """Yield the last lines backwards, each time a bar was drawn as one of its own."""
    for start, line in last:
        when = reader.when(line) or elapsed(line)
        words = words_of(line)
        if when is not None and when.text:
            words = words.replace(when.text.encode(), b"", 1)
        said = saying(form_of(words))
        own = own_words(words, said)
        numbers = tuple([own[number] for number in said.numbers])
        durations = tuple([_length(words, found) for found in said.durations])
        yield Said(own, said.shape, words, numbers, said.asks, durations, when, start, start + len(line))


def lines_from_end(block: Block) -> list[tuple[int, bytes]]:
    """Return the last lines and where they start, backwards; of the text before the block as much as always is there."""
    low = max(block.high - BYTES, 0)
    data = block.slice(low, block.high)
    found = [(piece.start(), piece.group()) for piece in _PIECES.finditer(data) if piece.start() or not low]
    if _FRAME in data:
        found = [each for each in found if not each[1].startswith(_WITHIN)]
    return [
        (low + start, line)
        for start, line in found[: -MOST - 1 : -1]
        if len(line) <= _LONGEST and line and not line.isspace()
    ]


def _length(words: bytes, found: re.Match[bytes]) -> float:
    """Return a duration in seconds that stands in a line where it was found in the line's form."""
    part = {name: words[slice(*found.span(name))] for name in found.re.groupindex if found.start(name) >= 0}
    if "keyed" in part:
        return float(part["keyed"])
    if "count" in part:
        return float(part["count"]) * _SECONDS[part["unit"][:1].lower()]
    return int(part.get("hours", b"0")) * 3600.0 + int(part["minutes"]) * 60.0 + int(part["seconds"])
