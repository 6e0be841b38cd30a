"""What a program that gives up says last: a sentence without the name of an exception, as `sys.exit("...")` prints it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from runtriage.model.event import EXCEPTION
from runtriage.model.pattern import deferred
from runtriage.scan.block import Block
from runtriage.scan.contract import LineReader
from runtriage.scan.dialects.header import message_start
from runtriage.scan.draft import Draft
from runtriage.scan.traceback_frames import read_frame
from runtriage.scan.traceback_line import is_header, read_exception

NAME: Final = "SystemExit"
_LINES: Final = 12
"""Lines at the end that are looked at."""
_LONGEST: Final = 600
_LEAST_WORDS: Final = 3
_REFUSES = deferred(
    r"\brefus(?:e|es|ed|ing)\b|\baborting\b|\bgiving up\b|\bcan(?:not|'t|not be)\b|\bcould(?: not|n't)\b|\bunable to\b"
    r"|\bmust (?:not )?(?:be|have|contain|match)\b|\bnot (?:found|supported|allowed|available|enough|permitted|writable|readable)\b"
    r"|\bno such\b|\bdoes(?: not|n't) (?:exist|match|fit|have|contain)\b|\bis missing\b|\bmissing (?:required|key|column|file|field)"
    r"|\binvalid\b|\bunsupported\b|\bused up\b|\bexhausted\b|\bexceed(?:s|ed)\b|\bmismatch\b"
    r"|\bexpected\b.{1,60}\b(?:got|found|but)\b|\bfailed to\b|^\W{0,4}(?:fatal|error)\b|\berror: |\b(?:far )?below\b"
    r"|\btoo (?:small|large|few|many|low|high|short|long|old)\b|\binsufficient\b|\bnothing to (?:train|do)\b|\bdenied\b|\bforbidden\b",
    re.IGNORECASE,
)
_NO_END = deferred(
    r"\b(?:INFO|WARN(?:ING)?|DEBUG|NOTICE)\b|warning|\bskip|\bignor|retry|\bcontinu|falling back|fell back|\bwill\b|\bset \w+ to\b|\binstead\b|early stop"
    r"|improve|complet|finish|\bsaved\b|\bdone\b|recover|\bnot? (?:an )?errors?\b|\bwandb\b|^\s{0,8}(?:warnings\.|raise |return )|[?{\[(,]\s{0,3}$",
    re.IGNORECASE,
)
_AFTERWARDS = deferred(
    r"\s*$|make(?:\[\d+\])?: \*\*\* |srun: |slurmstepd: |\s*\[?[EWI]\d{4} \d\d:|.{0,40}\b(?:exit(?:ed|s)?|return(?:ed)?|rc|status)\b.{0,24}\d{1,3}\W{0,4}$"
    r"|(?:ERROR|WARNING|INFO):torch\.distributed|wandb: ",
    re.IGNORECASE,
)


class _Said(NamedTuple):
    start: int
    end: int
    text: str


def last_words(block: Block, reader: LineReader) -> tuple[Draft, bytes] | None:
    """Return what stands last in the artifact and refuses, with the key of its speaker; None where the last line says no such thing."""
    for (start, end), line in _from_end(block):
        length, key = reader.speaker(line)
        text = line[length:].decode("utf-8", "replace")
        if _AFTERWARDS.match(text):
            continue
        words = text[message_start(text) :].strip()
        if not _refuses(text, words):
            return None
        captures = {"message": words, "bare": "yes", "said": "yes"}
        draft = Draft(kind=EXCEPTION, name=NAME, start=start, end=end, captures=captures, numbers={"frames": 0.0})
        return draft, key
    return None


def _refuses(text: str, words: str) -> bool:
    if len(words) >= _LONGEST or len(words.split()) < _LEAST_WORDS or _NO_END.search(text):
        return False
    if is_header(text) or read_frame(text) or read_exception(text, after_frames=False):
        return False
    return _REFUSES.search(words) is not None


def _from_end(block: Block) -> Iterator[tuple[tuple[int, int], bytes]]:
    data, end = block.data, block.high
    for _ in range(_LINES):
        if end <= 0:
            return
        start = data.rfind(b"\n", 0, end) + 1
        back = data.rfind(b"\r", start, max(end - 1, start)) + 1
        begin = max(start, back)
        yield (begin, end), block.slice(begin, end).rstrip(b"\r")
        end = start - 1
