"""Reads the fronts of the lines of one artifact: who speaks, and when."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator
from functools import lru_cache
from typing import Final

from msgspec.structs import replace

from runtriage.model.artifact import Artifact
from runtriage.model.pattern import deferred
from runtriage.model.subject import NOBODY, Subject
from runtriage.model.time import Instant
from runtriage.scan.clock import MAY_DATE, learn_date, read_instant
from runtriage.scan.contract import LineContext
from runtriage.scan.prefix import FRONT, behind_breaks, extent, prefix_length, said, said_time, without_time
from runtriage.scan.prefix_field import names_rank, read_fields
from runtriage.scan.prefix_host import host_in_name, host_of
from runtriage.scan.prefix_path import read_path
from runtriage.scan.prefix_style import PLAIN, Style, learn_style

_HEAD: Final = 400
_SAMPLE: Final = 1000
_OPENING: Final = b"[(\x1b"
_NO_ONE: Final = (0, b"")
_GAP: Final = b"  "
_FAR: Final = 128
_FRONTS: Final = 4096
_RANKED = deferred(rb"^\[rank(\d{1,6})\]:", re.MULTILINE)
_SURE: Final = 256
"""Bytes of prefixes up to which no other can follow that goes on behind the bytes in which prefixes are looked for."""


def openings(style: Hashable) -> bytes:
    """Return the bytes that a line with a launcher's prefix begins with, or nothing where the style does not tell."""
    return _OPENING if style is PLAIN else b""


class FrontReader:
    """What the path, the launcher's prefix and the logger's fields say about each line of one artifact."""

    def __init__(self, artifact: Artifact, sample: bytes) -> None:
        self._style = learn_style(sample)
        self._plain = self._style is PLAIN
        self._prefixes = extent(self._style).match
        self._kept: dict[bytes, tuple[int, bytes]] | None = None if self._style.bare else {}
        """Who speaks in lines whose prefix is followed by two blanks; a bare number may itself stand behind some."""
        self._whole = _of_artifact(artifact, sample)
        self._clock = self._whole.node or artifact.path
        self._date = learn_date(_own_words(sample, self._style))

    @property
    def style(self) -> Style:
        """How the launcher's prefixes look in this artifact."""
        return self._style

    def speaker(self, line: bytes, /) -> tuple[int, bytes]:
        """Return the length of the launcher's prefix and a key that is equal for equal speakers."""
        if self._plain and line[:1] not in _OPENING:
            return _NO_ONE
        time = said_time(line) if self._style.timed else 0
        if not time or line[time : time + 1].isdigit():
            return self._behind(line)
        length, key = self._behind(line[time:FRONT])
        return time + length, key

    def _behind(self, line: bytes) -> tuple[int, bytes]:
        """Return the same of a line without a collector's time. No prefix goes on behind two blanks, and most lines of a stack have them."""
        gap = line.find(_GAP, 1, _FAR) if self._kept is not None and line[:1] != b" " else -1
        if gap < 0 or self._kept is None:
            return self._read(line)
        front = line[: gap + len(_GAP)]
        told = self._kept.get(front)
        if told is None:
            if len(self._kept) >= _FRONTS:
                self._kept.clear()
            told = self._kept[front] = self._read(front)
        return told

    def _read(self, line: bytes) -> tuple[int, bytes]:
        found = self._prefixes(line, 0, FRONT)
        if found is None or not (length := found.end()):
            return _NO_ONE
        prefix = line[:length]
        return length, (without_time(prefix) if self._style.timed else prefix).rstrip(b" ")

    def prefixes(self, text: bytes, /) -> Iterator[bytes]:
        """Return the launcher's prefixes at the fronts of the lines of a text, in order; one may come again."""
        if not self._plain:
            yield from (line[: self.speaker(line)[0]] for line in text.split(b"\n"))
            return
        text = b"\n" + text
        distinct: dict[bytes, None] = dict.fromkeys(behind_breaks().findall(text))
        if max(map(len, distinct), default=0) <= _SURE:
            yield from (prefix[1:] for prefix in distinct)
            return
        for found in behind_breaks().finditer(text):
            start, end = found.start() + 1, found.end()
            if end - start > _SURE:
                line = text[start:].partition(b"\n")[0]
                end = start + self.speaker(line)[0]
            yield text[start:end]

    def about(self, line: bytes, /) -> Hashable:
        """Return a key that is equal for lines about one subject."""
        length = prefix_length(line, self._style)
        prefix = without_time(line[:length]) if self._style.timed else line[:length]
        head = line[length : length + _HEAD]
        if not names_rank(head) or said(prefix, self._style).rank is not None:
            return prefix
        fields = read_fields(head)
        return prefix if fields.rank is None and fields.local_rank is None else (prefix, fields.rank, fields.local_rank)

    def subject(self, line: bytes, /) -> Subject:
        """Return whom one whole line is about: its prefix, then its logger's fields, then its file."""
        return self._subject(line, prefix_length(line, self._style))

    def _subject(self, line: bytes, length: int) -> Subject:
        told = said(without_time(line[:length]), self._style) if length else NOBODY
        if told.rank is None:
            fields = read_fields(line[length : length + _HEAD])
            if fields.rank is not None or fields.local_rank is not None:
                local = told.local_rank if told.local_rank is not None else fields.local_rank
                told = replace(told, rank=fields.rank, local_rank=local)
        return _merge(self._whole, told)

    def may_date(self, line: bytes, /) -> bool:
        """Tell whether a line may print a time: false where it holds nothing like one."""
        return MAY_DATE.search(line) is not None

    def when(self, line: bytes, /) -> Instant | None:
        """Return the time that one whole line prints."""
        length = prefix_length(line, self._style)
        told = said(without_time(line[:length]), self._style) if length else NOBODY
        return self._when(line, length, told.node or self._clock)

    def context(self, line: bytes, /) -> LineContext:
        """Return subject and time of one whole line."""
        length = prefix_length(line, self._style)
        subject = self._subject(line, length)
        return LineContext(subject, self._when(line, length, subject.node or self._clock))

    def _when(self, line: bytes, length: int, clock: str) -> Instant | None:
        """Return the time behind a prefix of some length, or in it."""
        when = read_instant(line[length : length + _HEAD].decode("utf-8", "replace"), clock, self._date)
        if when is None and length:
            when = read_instant(line[:length].decode("utf-8", "replace"), clock, self._date)
        return when


def _own_words(sample: bytes, style: Style) -> Iterator[str]:
    for line in sample.split(b"\n", _SAMPLE)[:_SAMPLE]:
        yield line[prefix_length(line, style) :][:_HEAD].decode("utf-8", "replace")


def _of_artifact(artifact: Artifact, sample: bytes) -> Subject:
    facts = read_path(artifact.path)
    attempt = artifact.attempt if artifact.attempt is not None else facts.attempt
    return Subject(
        attempt=attempt or 0,
        rank=artifact.rank if artifact.rank is not None else _rank_of_file(facts.rank, sample),
        local_rank=facts.local_rank,
        node=artifact.node or host_of(sample) or host_in_name(artifact.path) or facts.node,
    )


def _rank_of_file(numbered: int | None, sample: bytes) -> int | None:
    """Return the rank whose file it is: the number in its name may count nodes or pods, where its lines name other ranks."""
    if numbered is None:
        return None
    named = {int(found[1]) for found in _RANKED.finditer(sample)}
    if not named or numbered in named:
        return numbered
    return named.pop() if len(named) == 1 else None


@lru_cache(maxsize=4096)
def _merge(whole: Subject, said: Subject) -> Subject:
    """Let what a line says go before what its file says; a line about another rank has not the file's local rank."""
    rank = said.rank if said.rank is not None else whole.rank
    local = said.local_rank
    if local is None and (said.rank is None or said.rank == whole.rank):
        local = whole.local_rank
    return replace(said, attempt=whole.attempt, rank=rank, local_rank=local, node=said.node or whole.node)
