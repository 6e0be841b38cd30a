"""A stage that was begun before the one that writes its input: it misses a file which another stage then announces."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from runtriage.model.event import STATEMENT
from runtriage.model.event_names import STAGE_LATE
from runtriage.model.pattern import deferred
from runtriage.scan.block import Block
from runtriage.scan.contract import LineReader
from runtriage.scan.dialects.header import message_start
from runtriage.scan.draft import Draft
from runtriage.scan.quiet import from_end
from runtriage.scan.traceback_frames import read_frame
from runtriage.scan.traceback_line import is_code, is_header

_LONGEST: Final = 400
_ABSENT: Final = deferred(
    rb"No such file or directory|FileNotFound|does(?: not|n't) exist|cannot open|can't open|NoSuchKey"
)
_PATH: Final = deferred(r"(?<![\w.-])[\w./-]{0,160}?(?P<base>[\w-]{1,80}(?:\.[A-Za-z_]\w{0,9}){1,3})(?![\w-])")
_CODE: Final = deferred(r"\.(?:py|sh|so(?:\.\d+)?|exe|log|toml|cfg|ini)$", re.IGNORECASE)
_WRITES: Final = deferred(
    r"(?<![a-z])(?:wrote|writ(?:es?|ing|ten)|sav(?:es?|ed|ing)|creat(?:es?|ed|ing)|export(?:s|ed|ing)?|produc(?:es?|ed|ing)|publish(?:es|ed|ing)?|generat(?:es?|ed|ing)|dump(?:s|ed|ing)?|outputs?:)(?![a-z])",
    re.IGNORECASE,
)
_DENIES: Final = deferred(
    r"(?<![a-z])(?:not?|nothing|never|cannot|can't|could|unable|fail\w*|error|without|missing|would|will|if)(?![a-z])",
    re.IGNORECASE,
)
_WELL: Final = deferred(
    r"(?<![a-z])(?:succe(?:ss\w*|eded)|completed?|finished|done|passed|all (?:\d+ )?(?:stages|tasks|steps|jobs))(?![a-z])",
    re.IGNORECASE,
)
_BADLY: Final = deferred(
    rb"(?<![a-z])(?:exit(?:ed|ing|s)?(?: with)?|return(?:ed|s)?|rc|code|status|error)\b\W{0,3}(?:code |status |with )?\W{0,2}[1-9]\d{0,2}(?![\d.])|(?<![a-z])(?:failed|failure|fatal|aborted|errored|killed|crashed|Error \d)(?![a-z])|\*\*\*|Traceback|Error:",
    re.IGNORECASE,
)
"""What says that the end of somebody was no good one."""
_TOLERATED: Final = deferred(
    r"(?<![a-z])(?:first run|skipp\w*|ignor\w*|optional|default\w*|none yet|not yet|fall(?:ing)? ?back|continu\w*|using)(?![a-z])",
    re.IGNORECASE,
)
"""What a line says that goes on without the file."""
_SPEAKER: Final = deferred(
    r"\s{0,4}(?:[\[<(](?P<boxed>[A-Za-z][\w./-]{0,40})[\]>)]|(?P<plain>[A-Za-z][\w./-]{0,40})(?=:(?: |$)| [|>] ))"
)
_NAME: Final = deferred(r"[A-Za-z][A-Za-z_./-]{0,40}")
_DRIVER: Final = frozenset(
    {
        "make",
        "ninja",
        "error",
        "warning",
        "warn",
        "info",
        "debug",
        "critical",
        "note",
        "traceback",
        "root",
        "main",
        "__main__",
    }
)


class _Line(NamedTuple):
    start: int
    end: int
    text: str
    words: str
    who: str
    """Who speaks, by the name in front of the line; empty where none is given."""


def late(block: Block, reader: LineReader, progress: int) -> Iterator[Draft]:
    """Yield the line that misses a file, where a later line of another speaker says that it was written, and the one that missed it is gone.

    `progress` is the offset of the last step: what was missed before it ended nothing.
    """
    if not any(_ABSENT.search(line) for _, line in from_end(block)):
        return
    lines = list(_lines(block, reader))[::-1]
    for at, each in enumerate(lines):
        names = _missed(each)
        if not names or block.first_byte(each.end) < progress:
            continue
        reader_of_it = next((other.who for other in reversed(lines[: at + 1]) if other.who), "")
        behind = lines[at + 1 :]
        if _went_well(each, behind):
            continue
        if not reader_of_it or any(other.who == reader_of_it for other in behind):
            continue
        wrote = next((other for other in behind if other.who and _writes(other, names)), None)
        if wrote is not None:
            captures = {"stage": reader_of_it, "writer": wrote.who}
            yield Draft(kind=STATEMENT, name=STAGE_LATE, start=each.start, end=each.end, captures=captures)
            return


def _went_well(miss: _Line, behind: Sequence[_Line]) -> bool:
    """Tell whether who missed a file did without: it says so, the workflow is said to have succeeded, or nobody ends badly at or behind the miss."""
    if _TOLERATED.search(miss.words) or any(
        _WELL.search(line.words) and not _DENIES.search(line.words) for line in behind if not line.who
    ):
        return True
    return not any(_BADLY.search(line.text.encode("utf-8", "replace")) for line in (miss, *behind))


def _lines(block: Block, reader: LineReader) -> Iterator[_Line]:
    """Yield the last lines that are no source or frames of a traceback, the last one first."""
    for start, line in from_end(block):
        cut = reader.speaker(line)[0]
        text = line[cut:].decode("utf-8", "replace")
        if len(text) > _LONGEST or is_header(text) or read_frame(text) or is_code(text):
            continue
        front = text[: message_start(text)]
        found = _SPEAKER.match(text[len(front) :]) or _SPEAKER.match(text)
        who = (found["boxed"] or found["plain"]) if found else _letters(line[:cut].decode("utf-8", "replace") or front)
        who = who.lower()
        own = "" if who in _DRIVER or _ABSENT.search(who.encode()) or who.endswith("error") else who
        yield _Line(start, start + len(line), text, text[len(front) :], own)


def _letters(text: str) -> str:
    """Return the name in what a logger or a launcher puts in front of a line; the ranks of a program are one speaker."""
    return "".join(word for word in _NAME.findall(text) if word.lower() not in _DRIVER)


def _missed(line: _Line) -> set[str]:
    return _names(line) if _ABSENT.search(line.text.encode("utf-8", "replace")) else set()


def _names(line: _Line) -> set[str]:
    return {path["base"].lower() for path in _PATH.finditer(line.words) if not _CODE.search(path["base"])}


def _writes(line: _Line, names: Sequence[str] | set[str]) -> bool:
    return (
        bool(_names(line) & set(names))
        and _WRITES.search(line.words) is not None
        and _DENIES.search(line.words) is None
    )
