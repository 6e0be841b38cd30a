"""Wakes the cue readers as the engine does, but simply: one pass over the lines, with `re`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain, takewhile
from pathlib import Path

from runtriage.model.artifact import Artifact
from runtriage.scan.contract import Cue, Row
from runtriage.scan.dialects import line_reader
from runtriage.scan.dialects.cues import CUES, READERS
from runtriage.scan.dialects.front import FrontReader
from runtriage.scan.draft import Draft
from runtriage.scan.rows import hangs

LOGS = Path(__file__).parent / "logs"
_PATTERNS = [(cue, re.compile(cue.regex.encode(), re.IGNORECASE if cue.ignore_case else 0)) for cue in CUES]


def rows(text: str) -> Iterator[Row]:
    """The lines of a text as rows without any speaker's prefix."""
    at = 0
    for line in text.encode().split(b"\n"):
        yield Row(at, at + len(line), line)
        at += len(line) + 1


def drafts(text: str, *, path: str = "train.log", readers: set[str] | None = None) -> list[Draft]:
    """All drafts that the cue readers make of a log, in order; framework drafts are left out."""
    data = text.encode()
    reader = line_reader(Artifact(path=path, kind="log"), data[:65536])
    lines = list(rows(text))
    made: list[Draft] = []
    used: set[tuple[str, int]] = set()
    for index, line in enumerate(lines):
        for cue, pattern in _PATTERNS:
            if readers is not None and cue.reader not in readers:
                continue
            if cue.reader == "framework" or (cue.block and ("block", line.start) in used):
                continue
            if pattern.search(line.text + b"\n"):
                taken: list[Row] = []
                reading = READERS[cue.reader](cue.name, _tapped(_window(lines, index, reader, cue), taken))
                made += reading.drafts
                if cue.block and reading.drafts:
                    used |= {("block", row.start) for row in taken[_led(taken, line) : reading.rows]}
    return made


def printed(text: str, draft: Draft) -> str:
    """The text a draft cites."""
    return text.encode()[draft.start : draft.end].decode()


def log(name: str) -> str:
    """A recorded log."""
    return (LOGS / name).read_text(encoding="utf-8")


def _led(taken: list[Row], cue: Row) -> int:
    """How many rows stand before the one with the cue."""
    return next((place for place, row in enumerate(taken) if row.start >= cue.start), 0)


def _window(lines: list[Row], index: int, reader: FrontReader, cue: Cue) -> Iterator[Row]:
    length, key = reader.speaker(lines[index].text)
    first = [Row(lines[index].start, lines[index].end, lines[index].text[length:])]
    rest = (row for row in _same(lines[index + 1 :], reader, key)) if cue.block else iter(())
    before = list(_same(lines[max(0, index - 64) : index], reader, key))
    above = [before[-1] if before else Row(lines[index].start, lines[index].start, b"")] if cue.lead else []
    return chain(above, _stack(before, cue.stack), first, rest)


def _stack(before: list[Row], most: int) -> list[Row]:
    rows = list(takewhile(lambda row: hangs(row.text), reversed(before)))[:most]
    while rows and not rows[-1].text.strip():
        rows.pop()
    return rows[::-1]


def _same(lines: list[Row], reader: FrontReader, key: bytes) -> Iterator[Row]:
    for row in lines:
        length, speaker = reader.speaker(row.text)
        if speaker == key:
            yield Row(row.start, row.end, row.text[length:])


def _tapped(source: Iterator[Row], taken: list[Row]) -> Iterator[Row]:
    for row in source:
        taken.append(row)
        yield row


FAULTS = {"traceback", "bare", "syntax", "fatal", "terminate", "summary"}


def faults(text: str) -> list[Draft]:
    return [draft for draft in drafts(text, readers=FAULTS) if draft.kind == "exception"]
