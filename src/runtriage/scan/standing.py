"""What the last lines of an artifact say of work that moved before, while now the same is printed again and again."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from runtriage.model.event import STATEMENT
from runtriage.model.pattern import deferred
from runtriage.model.time import Instant
from runtriage.scan.block import Block
from runtriage.scan.contract import LineReader
from runtriage.scan.dialects.header import message_start
from runtriage.scan.draft import Draft
from runtriage.scan.rhythm import Before, before
from runtriage.scan.silence import between
from runtriage.scan.still import elapsed

NAME: Final = "standstill/place"
BEHIND: Final = 24
"""Lines that may follow, as a traceback of whoever ended the wait does."""
MOST, BYTES: Final = 256, 24 * 1024
"""Lines and bytes that are looked at, so few that any cut of a log leaves them in reach of its last block."""
FEW, GLANCE, KINDS = 3, 48, 6
"""Prints from which a line counts as one that is said again and again, lines among which it must be, and kinds of lines that may take turns."""
_DURATION: Final = (
    rb"(?<![\w.:])(?:(?P<hours>\d{1,4}):)?(?P<minutes>\d{1,2}):(?P<seconds>\d\d)(?:\.\d{1,3})?(?![\d:])"
    rb"|(?<![a-z])\w{0,24}(?:sec(?:ond)?s?|elapsed|idle|wait(?:ed|ing)?|since|silen\w{1,6})(?:_\w{1,24})?[\"']? ?[:=] ?(?P<keyed>\d{1,7}(?:\.\d{1,3})?)(?![\w.])"
    rb"|(?<![\w.])(?P<count>\d{1,7}(?:\.\d{1,3})?) ?(?P<unit>s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?)(?![\w/])"
)
_TIMES = deferred(_DURATION, re.IGNORECASE)
_OWN = deferred(
    rb"(?<![a-z])(?:worker|rank|thread|proc|process|env|actor|gpu|client|node|host|peer)[ _#:-]?\d{1,6}(?!\d)|"
    rb"(?:up ?time|eta|elapsed|rss|mem\w*|cpu|load|power|temp\w*|seq|pid|beat|tick|retr(?:y|ies)|attempts?|tr(?:y|ies)|polls?|checks?|looks?)\W{0,4}#?\d[\d.:,]*\s?[a-z%]{0,8}|"
    rb"[\"']?(?<![a-z])(?:ts?|time|timestamp|\w*(?:sec(?:ond)?s?|elapsed|idle|wait(?:ed|ing)?|since|silen\w+|age))(?:_\w+)?[\"']? ?[:=] ?\d+(?:\.\d+)?|"
    + re.sub(rb"\?P<\w+>", b"?:", _DURATION)
    + rb"|(?<![\w.])\d[\d.]* ?(?:s|ms)/\w{1,6}|(?<![\w.])\d[\d.]* ?\w{1,6}/s(?:ec)?\b",
    re.IGNORECASE,
)
"""What changes in a line although nothing moves: how long it took, how long it will take, how often it was asked."""
_OPEN = deferred(
    rb"(?<![\d.])(\d{1,12}(?:\.\d{1,4})?) ?[kmgt]?i?b? ?(?:/|of|out of) ?(\d{1,12}(?:\.\d{1,4})?)(?![\d.]*\d)|(?<![\d.])(\d{1,2}(?:\.\d+)?) ?%",
    re.IGNORECASE,
)
"""A count of a whole, or a share."""
_COMPLETE = deferred(
    rb"(?<![\d.])100(?:\.0+)? ?%|(?<![\d.])(?P<one>\d[\d.]*) ?[kmgt]?i?b? ?(?:/|of|out of) ?(?P=one)(?![\d.])",
    re.IGNORECASE,
)
_NO_WORK = deferred(
    rb"(?:no|any) new|nothing to|no (?:jobs?|work|tasks?|requests?)(?![a-z])|up to date|(?:waiting|ready|listening|polling) for (?:new |more |the next )?(?:jobs?|work|requests?|tasks?|connections?|commands?|checkpoints?|input)(?![a-z])",
    re.IGNORECASE,
)
"""What a program says that is done with all it was given, and stands by for more."""
_LACKS = deferred(
    rb"(?<![a-z])(?:(?:try|trying|look\w*|ask\w*|next (?:look|try|attempt|poll)) (?:again|in|once more)|again (?:in|after)|retry\w*|re-?connecting|reattempt\w*"
    rb"|sleep(?:s|ing)?|wait(?:s|ing)?|polling|not(?: yet)?|yet|hasn|n't|unavailable|need(?:s|ed)?|pending|absent|missing|busy|held|locked|owned|taken|blocked|stuck|stopped|idle|holding|unchanged|nothing|none|stale|silent"
    rb"|(?<![\w.])0 \w{2,})(?![a-z])",
    re.IGNORECASE,
)
"""That something is waited for, asked for again, or does not happen."""
_GLYPHS = deferred(rb"[#=>\-.|*~ ]{4,}|(?:\xe2[\x94-\x96][\x80-\xbf]){2,}")
_NUMBER: Final = re.compile(rb"\d+(?:\.\d+)?")
_LETTERS: Final = re.compile(rb"[A-Za-z]{2}")
_PIECES: Final = re.compile(rb"[^\r\n]+")
_SECONDS: Final = {b"s": 1.0, b"m": 60.0, b"h": 3600.0}
_LONGEST: Final = 2_000


class Said(NamedTuple):
    """A line: its words without what changes by itself, once more without numbers, those numbers, the durations in it, when and where."""

    own: bytes
    shape: bytes
    numbers: tuple[bytes, ...]
    durations: tuple[float, ...]
    when: Instant | None
    start: int
    end: int


def standing_place(block: Block, reader: LineReader) -> Draft | None:
    """Return the last of the lines at the end that say one thing over and over, and how that differs from what was printed before.

    Numbers are the `seconds` since the last line that moved, how many `lines` said it, how many of them stood between two lines that moved
    before (`usual`), and the longest time between two such (`pace`). Captures tell how: `went` where anything moved before, `known` where
    such lines came between what moved, `lacks` where a word says that something is waited for, `open` where it is a count of a whole that is not there yet,
    `grows` where each line says a longer time than the one before, `timed` where there is a clock at all, `behind` where other lines follow.
    """
    lines = list(_lines(block, reader)) if _repeats(block) else []
    found = next(filter(None, (_stretch(lines, at) for at in range(min(BEHIND, len(lines) - FEW + 1)))), None)
    if found is None:
        return None
    at, end, kinds = found
    last, stood = lines[at], [line for line in lines[at:end] if line.shape in kinds]
    if _NO_WORK.search(last.own):
        return None
    earlier = before(lines[end:][::-1], kinds)
    steadily, grown = _grown([line for line in stood if line.shape == last.shape])
    is_open = _open(last.own)
    if not steadily and not is_open and _COMPLETE.search(last.own):
        return None
    clock = between(stood[-1].when if earlier.last is None else earlier.last, last.when)
    told = {
        "grows": steadily > 0,
        "went": earlier.moves >= FEW,
        "known": earlier.known,
        "open": is_open,
        "lacks": _LACKS.search(last.own) is not None,
        "timed": clock is not None or any(line.durations for line in stood),
        "behind": at > 0,
    }
    return _draft(lines[at:end], stood, told, max(clock or 0.0, steadily or grown), earlier)


def _draft(
    lines: Sequence[Said], stood: Sequence[Said], told: dict[str, bool], seconds: float, earlier: Before
) -> Draft:
    last, first = lines[0], stood[-1]
    numbers = {"seconds": seconds, "lines": float(len(stood)), "from": float(first.start), "to": float(last.start)}
    numbers["usual"] = float(earlier.usual)
    if earlier.pace is not None:
        numbers["pace"] = earlier.pace
    captures = {name: "yes" for name, holds in told.items() if holds}
    return Draft(kind=STATEMENT, name=NAME, start=last.start, end=last.end, captures=captures, numbers=numbers)


def _stretch(lines: Sequence[Said], at: int) -> tuple[int, int, frozenset[bytes]] | None:
    """Return where the lines begin and end, counted from the last one back, of which none moves, and which kinds of lines are repeated there."""
    state: dict[bytes, tuple[bytes, ...]] = {}
    counts = Counter[bytes]()
    end = at
    for line in lines[at:]:
        known = state.setdefault(line.shape, line.numbers)
        if known != line.numbers or len(state) > KINDS:
            break
        counts[line.shape] += 1
        end += 1
    kinds = frozenset(shape for shape, count in counts.items() if count >= FEW)
    if lines[at].shape not in kinds or not _LETTERS.search(lines[at].shape):
        return None
    if any(line.shape == other.shape for line in lines[:at] for other in lines[at:]):
        return None
    older = {line.shape for line in lines[end:]}
    moved = (index for index in range(at, end) if lines[index].shape not in kinds and lines[index].shape in older)
    end = next(moved, end)
    while end > at and lines[end - 1].shape not in kinds:
        end -= 1
    again = Counter(line.shape for line in lines[at:end])
    kinds = frozenset(shape for shape in kinds if again[shape] >= FEW)
    return (at, end, kinds) if lines[at].shape in kinds else None


def _open(own: bytes) -> bool:
    """Tell whether a line counts something of which not all is there."""
    return any(found[3] or float(found[1]) < float(found[2]) for found in _OPEN.finditer(own))


def _grown(stood: Sequence[Said]) -> tuple[float, float]:
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
    counts = Counter(_own(_words(line)) for _, (_, line) in zip(range(GLANCE), _from_end(block), strict=False))
    return any(count >= FEW and _LETTERS.search(own) for own, count in counts.items())


def _own(words: bytes) -> bytes:
    return _GLYPHS.sub(b" ", _OWN.sub(b"", words))


def _words(line: bytes) -> bytes:
    return line[message_start(line.decode("utf-8", "replace")) :]


def _lines(block: Block, reader: LineReader) -> Iterator[Said]:
    """Yield the last lines backwards, each time a bar was drawn as one of its own."""
    for start, line in _from_end(block):
        when = reader.context(line).when or elapsed(line)
        words = _words(line)
        if when is not None and when.text:
            words = words.replace(when.text.encode(), b"", 1)
        own = _own(words)
        durations = tuple(_length(found) for found in _TIMES.finditer(words))
        numbers = tuple(_NUMBER.findall(own))
        yield Said(own, _NUMBER.sub(b"0", own), numbers, durations, when, start, start + len(line))


def _from_end(block: Block) -> Iterator[tuple[int, bytes]]:
    """Yield the last lines and where they start, backwards; of the text before the block as much as always is there."""
    low = max(block.high - BYTES, 0)
    data = block.slice(low, block.high)
    found = [(piece.start(), piece.group()) for piece in _PIECES.finditer(data) if piece.start() or not low]
    for start, line in found[: -MOST - 1 : -1]:
        if line.strip() and len(line) <= _LONGEST:
            yield low + start, line


def _length(found: re.Match[bytes]) -> float:
    if found["keyed"] is not None:
        return float(found["keyed"])
    if found["count"] is not None:
        return float(found["count"]) * _SECONDS[found["unit"][:1].lower()]
    return int(found["hours"] or 0) * 3600.0 + int(found["minutes"]) * 60.0 + int(found["seconds"])
