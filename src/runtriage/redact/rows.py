"""Secrets in columns: rows of a table of text whose header names a column a password, a key or a token."""

from __future__ import annotations

from typing import Final

from runtriage.model.pattern import deferred
from runtriage.redact.fields import hides
from runtriage.redact.marker import MARKER
from runtriage.redact.names import kind_of

_SEPARATORS: Final = ",;\t|"
_FEWEST: Final = 2
_MOST: Final = 200
"""Columns of a table."""
_NAME = deferred(r"[\"']?[ \t]*[A-Za-z_][\w .-]{0,60}[\"']?[ \t]*")


def without_rows(text: str) -> str:
    """Return the text with the values below such a name replaced, as far as lines have as many fields as the header."""
    if "\n" not in text:
        return text
    lines = text.split("\n")
    told: tuple[str, int, dict[int, str]] | None = None
    for at, line in enumerate(lines):
        header = _header(line)
        if header is not None:
            told = header
        elif told is not None:
            lines[at] = _clean(line, *told)
            told = told if lines[at] is not line or line.count(told[0]) == told[1] - 1 else None
    return "\n".join(lines)


def names_secrets(line: str) -> bool:
    """Tell whether a line is the header of a table whose rows may hold secrets."""
    return _header(line) is not None


def _header(line: str) -> tuple[str, int, dict[int, str]] | None:
    """Return the separator, the number of columns and the names of those that may hold secrets; None where a line is no such header."""
    for mark in _SEPARATORS:
        names = line.rstrip("\r").split(mark)
        if not _FEWEST <= len(names) <= _MOST or not all(_NAME.fullmatch(name) for name in names):
            continue
        plain = [name.strip("\"' \t").replace(" ", "_") for name in names]
        secret = {at: name for at, name in enumerate(plain) if kind_of(name) is not None}
        return (mark, len(names), secret) if secret else None
    return None


def _clean(line: str, mark: str, count: int, secret: dict[int, str]) -> str:
    fields = line.split(mark)
    if len(fields) != count:
        return line
    for at, name in secret.items():
        value = fields[at].strip("\"' \t\r")
        if value and hides(name, value):
            fields[at] = fields[at].replace(value, MARKER)
    return mark.join(fields)
