"""What the last lines of an artifact tell together, or in words that no cue wakes a reader for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from runtriage.model.event import STATEMENT
from runtriage.model.event_names import STANDSTILL
from runtriage.model.pattern import deferred
from runtriage.scan.alike import form_of
from runtriage.scan.block import Block
from runtriage.scan.contract import LineReader
from runtriage.scan.course import courses
from runtriage.scan.dialects import phrase_mismatch, phrase_standstill
from runtriage.scan.dialects.header import message_start
from runtriage.scan.dominant import dominant
from runtriage.scan.draft import Draft
from runtriage.scan.families import lines_at_end
from runtriage.scan.gone import gone
from runtriage.scan.last_scores import last_scores
from runtriage.scan.quiet import from_end
from runtriage.scan.reference import references
from runtriage.scan.sayings import lines_from_end
from runtriage.scan.stage_empty import empty
from runtriage.scan.stage_late import late
from runtriage.scan.stages import stages
from runtriage.scan.standing import last_moves
from runtriage.scan.swings import swings

LINES: Final = 24
"""Lines at the end in which every sentence is understood, whether or not a cue stands in it."""
ROWS: Final = 64
"""The same of rows of numbers; so few that any cut of a log holds them in one block."""
_LONGEST: Final = 300
_NO_SENTENCE = deferred(
    r"^[^a-zA-Z]*$|\d ?%\||\d:\d\d<|\d ?(?:it|s)/(?:s|it)\b|^\s*(?:File|raise|assert|return)\b|[,(\[{]\s*$"
)
"""A progress bar, or a line of source text."""
_RECORD, _MARKS = deferred(r"\s{0,4}\{\s?[\"']\w+[\"']:"), deferred(r"[{}\"':,=]+")
_KEYED = deferred(r"(?P<key>\w{1,40})_(?:s|secs?|seconds)[\"']\s?:\s?(?P<value>\d{1,7}(?:\.\d{1,6})?)")
"""A duration whose unit is in its name."""
_NEAR: Final = 2_000
"""Bytes behind the first line that is read in which a wait may have been said by others in turn."""
_TURNS: Final = 3
"""Lines of other words that may stand between two that say the same."""
_DIGITS: Final = re.compile(rb"0+(?:[.:]0+)*")
_GRAVE = deferred(
    r"[\"'](?:level|levelname|severity|lvl)[\"']\s?:\s?[\"'](?:critical|fatal|alert|emerg\w*)[\"']", re.IGNORECASE
)
"""A record of what ends a program."""
_CUES: Final = {
    phrase_mismatch: deferred("|".join(phrase_mismatch.CUE).encode(), re.IGNORECASE),
    phrase_standstill: deferred("|".join(phrase_standstill.CUE).encode(), re.IGNORECASE),
}


def said_at_end(block: Block, reader: LineReader, progress: int) -> Iterator[Draft]:
    """Yield what the last lines of a final block say of a standstill or of an evaluation; `progress` is the offset of the last step."""
    yield from last_moves(block, reader, progress)
    lines = lines_at_end(block, reader, ROWS)
    scores = last_scores(lines)
    if scores is not None:
        yield scores
    yield from dominant(lines)
    yield from references(lines)
    yield from gone(lines)
    yield from courses(lines)
    yield from swings(lines)
    yield from stages(block, reader, progress)
    yield from late(block, reader, progress)
    yield from empty(block, reader)
    yield from sentences(block, reader)


def _spoken(words: str) -> str:
    """Return a record of keys and values as if it were said: what it tells is in its keys as much as in its values."""
    if not _RECORD.match(words):
        return words
    return " ".join(_MARKS.sub(" ", _KEYED.sub(r"\g<key> \g<value> s", words)).replace("_", " ").split())


def sentences(block: Block, reader: LineReader) -> Iterator[Draft]:
    """Yield what the last sentences say that nobody was woken for, in their order."""
    lines = [line for _, line in zip(range(LINES), from_end(block), strict=False)]
    oldest = lines[-1][0] if len(lines) == LINES else -1
    for start, line in reversed(lines):
        text = line[reader.speaker(line)[0] :].decode("utf-8", "replace")
        words = _spoken(text[message_start(text) :])
        if len(words) > _LONGEST or _NO_SENTENCE.search(words):
            continue
        numbers: dict[str, float] = {}
        name = phrase_mismatch.kind_of(words)
        if name is not None and _CUES[phrase_mismatch].search(line):
            name = None
        apart = name is not None or phrase_standstill.of_kernel(text)
        if not apart and (told := phrase_standstill.strength(words)) and not _CUES[phrase_standstill].search(line):
            name, numbers = told
            if name.endswith("/short") and _GRAVE.search(text):
                name = f"{STANDSTILL}gave-up"
        if name is not None:
            where, length = (start, len(line)) if start - oldest > _NEAR or oldest < 0 else _first(block, start, line)
            yield Draft(kind=STATEMENT, name=name, start=where, end=where + length, numbers=numbers)
            oldest = -1


def _first(block: Block, start: int, line: bytes) -> tuple[int, int]:
    """Return where the first of the lines stands that say the same without a break, and its length, as far up as any cut of a log lets one see.

    A wait that fills all lines which are read here began above them.
    """
    form, found, apart = _form(line), (start, len(line)), 0
    for at, other in lines_from_end(block):
        if at >= start:
            continue
        if _form(other) == form:
            found, apart = (at, len(other)), 0
        elif (apart := apart + 1) > _TURNS:
            break
    return found


def _form(line: bytes) -> bytes:
    return _DIGITS.sub(b"0", form_of(line.strip()))
