"""A traceback within one line: as a string of a record in JSON or of a printed dictionary, its line ends written as escapes."""

from __future__ import annotations

import re
from typing import Final

from msgspec import Struct

from runtriage.model.pattern import deferred

MOST: Final = 64 * 1024
"""Characters of such a line that are looked at."""
_MARK: Final = r"Traceback \(most recent call last\):"
_ESCAPED = deferred(_MARK + r"(?P<escape>\\{1,8})n")
_PRINTED: Final = 'File "'
"""How the first frame looks in a string that Python printed: its quotes are the other ones."""


_CAUGHT = deferred(
    r"(?:level|levelname|log_?level|severity|lvl)[\\\"']{1,9}: ?[\\\"']{1,9}(?:warn(?:ing)?|info|debug|notice|trace)[\\\"']",
    re.IGNORECASE,
)


class Unfolded(Struct, frozen=True):
    """The lines of a traceback, and what else the record says that holds it."""

    lines: list[str]
    around: str


def caught(around: str) -> bool:
    """Tell whether a record is of a level at which nobody reports what ended a program."""
    return _CAUGHT.search(around) is not None


def unfolded(line: str) -> Unfolded | None:
    """Return the traceback that a line holds in a string; None where it holds none.

    A string within a string has its escapes escaped once more: where a line ends with n backslashes and an `n`, the string does at a quote
    behind n - 1 of them, and its own quotes have 2 n - 1.
    """
    found = _ESCAPED.search(line[:MOST])
    if found is None:
        return None
    escape = found["escape"]
    text = line[found.start() : MOST]
    outer = escape[1:]
    printed = text[found.end() - found.start() :].lstrip().startswith(_PRINTED)
    quote = "'" if printed and not outer else '"'
    end = _end(text, outer, quote)
    around, text = line[: found.start()] + text[end:], text[:end]
    if not printed:
        text = text.replace(f'{escape}{outer}"', '"')
    plain = text.replace(f"{escape}n", "\n").replace(f"{escape}t", "\t").replace(escape * 2, "\\")
    return Unfolded(plain.split("\n"), around)


def _end(text: str, outer: str, quote: str) -> int:
    """Return where the string ends: at the first quote with as many backslashes before it as the string's own quotes have."""
    at = text.find(quote)
    while at >= 0:
        before = text[max(at - 2 * len(outer) - 2, 0) : at]
        if len(before) - len(before.rstrip("\\")) == len(outer):
            return at - len(outer)
        at = text.find(quote, at + 1)
    return len(text)
