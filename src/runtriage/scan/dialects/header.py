"""Where a log line's own words begin: behind time, level, logger and source place."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from runtriage.model.pattern import deferred
from runtriage.scan.alike import form_of_text

_LEVEL: Final = r"(?:INFO|WARN(?:ING)?|ERROR|DEBUG|CRITICAL|FATAL|NOTICE|TRACE|info|warning|error|debug|[IWEDC])"
_TIME: Final = (
    r"(?:\d{4}[-/]\d\d[-/]\d\d[T _]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?: ?(?:Z|UTC|[+-]\d\d:?\d\d)(?!\w))?"
    r"|[IWEFD]\d{3,4} \d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?: {1,6}\d{1,9})?"
    r"|\d\d/\d\d/\d\d \d\d:\d\d:\d\d"
    r"|\d\d[/-]\d\d \d\d:\d\d:\d\d(?:[.,]\d{1,9})?"
    r"|\d{1,2}\.\d{1,2}\.(?:\d{4}|\d\d)?,? \d\d:\d\d:\d\d(?:[.,]\d{1,9})?"
    r"|[A-Z][a-z]{2} {1,2}\d{1,2} \d\d:\d\d:\d\d"
    r"|\d\d:\d\d:\d\d(?:[.,]\d{1,9})?)"
)
_PIECE = deferred(
    rf"\s{{0,8}}(?:"
    rf"\[(?:{_TIME}|{_LEVEL})(?:[|, -][^\[\]\n]{{0,80}})?\]:?"
    rf"|\[[\w./-]{{1,80}}:\d{{1,6}}(?::[\w<>]{{1,60}})?\]:?"
    rf"|\[(?!done|finished|complete|after |before |[A-Za-z_]+[ :=#-]{{0,2}}\d+\])[A-Za-z_][\w.@:/ -]{{0,60}}\](?=[ \[:-])"
    rf"|{_TIME}[,:]?(?=[\s|\]-])"
    rf"|{_LEVEL}(?=\s*[|: \]-])"
    rf"|[\w./-]{{1,80}}\.py:\d{{1,6}}(?:\])?"
    rf"|[A-Za-z_][\w.]{{0,60}}(?:\[\d{{1,9}}\])?(?= {{1,16}}{_LEVEL} )"
    rf")\s{{0,8}}(?:[-|:]{{1,2}}(?=\s))?"
)
_NAMED = deferred(
    r"\s{0,4}(?P<name>[A-Za-z_][\w.$\[\]-]{0,60}?(?::\d{1,6}(?= - ))?)\s{0,8}(?P<mark>:(?=[^\s:])|: |[|] | - )"
)
_STAMP = deferred(_TIME)
"""What a logger prints first that another one relays."""
_STANDARD = deferred(rf"{_LEVEL}:[\w.]{{1,80}}:(?:\d{{1,6}}: )?")
_NO_LOGGER = deferred(
    r"(?:launch(?:ing)?|cmd|command|argv|run(?:ning)?|config|eval\w*|val\w*|test\w*|train(?:ing)?|epoch|step|iter\w*|batch|checkpoint)$",
    re.IGNORECASE,
)
_PIECES: Final = 8
WINDOW: Final = 320
_LATELY: Final = 512
"""Forms of lines of which it is remembered where their words begin: all that looks at the end of a log asks for the same ones."""
_FARTHEST: Final = 4096
"""Characters in which a header ends; a line may have millions, and none so long is remembered."""


def message_start(text: str) -> int:
    """Return the offset where the words of a log line begin; 0 for a line without a header.

    A logger's name counts as header only behind a time or level, so that `loss: 0.5` keeps its key.
    """
    return _start(form_of_text(text[:_FARTHEST]))


@lru_cache(maxsize=_LATELY)
def _start(text: str) -> int:
    standard = _STANDARD.match(text)
    if standard is not None:
        return standard.end()
    at, pieces, names = 0, 0, 0
    while pieces < _PIECES:
        found = _PIECE.match(text, at, at + WINDOW)
        if found is None and pieces and not names and (named := _NAMED.match(text, at, at + 80)):
            names += 1
            found = named if _is_logger(named, text) else None
        if found is None or found.end() == at:
            break
        at, pieces = found.end(), pieces + 1
    if not pieces:
        return 0
    while text[at : at + 1] == " ":
        at += 1
    return at


def _is_logger(named: re.Match[str], text: str) -> bool:
    if named["mark"] in ("| ", " - ") or _STAMP.match(text, named.end()):
        return True
    return _NO_LOGGER.match(named["name"]) is None and (
        not text[named.end() : named.end() + 1].isdigit() and "loss" not in named["name"]
    )
