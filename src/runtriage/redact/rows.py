"""Secrets in columns: rows of a table of text whose header names a column a password, a key or a token."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from runtriage.model.pattern import deferred
from runtriage.redact.fields import hides
from runtriage.redact.marker import MARKER
from runtriage.redact.names import kind_of

_SEPARATORS: Final = tuple(deferred(f"({mark})") for mark in (",", ";", "\t", "[|│┃║]", "[ \t]{2,80}"))
_FEWEST: Final = 2
_MOST: Final = 200
"""Columns of a table."""
_NAME: Final = deferred(r"[\"']?[ \t]*[*_`]{0,3}[A-Za-z_][\w .-]{0,60}[*_`]{0,3}[\"']?[ \t]*")
_WORD: Final = deferred(r"[A-Za-z_][\w.-]{0,60}")
_TELLING: Final = deferred(
    r"pass|pw|secret|token|key|cred|auth|cookie|connection|session|sas|pin|otp|cv[vc]|code|val|default|content",
    re.IGNORECASE,
)
"""What every name holds that may say that a value is secret, and the title of every column of values."""
_RULE: Final = deferred(r"[ \t]*[-+|:=─━┼├┤┌┬┐└┴┘╞╪╡┡╇┩┠╂┨┏┳┓│┃═╬ \t]*[-=─━═][-+|:=─━┼├┤┌┬┐└┴┘╞╪╡┡╇┩┠╂┨┏┳┓│┃═╬ \t]*\r?")
"""The line between the header of a table and its rows."""
_DRESS: Final = "\"'`* \t\r"
_NAMING: Final = frozenset(
    {"name", "key", "variable", "setting", "parameter", "option", "field", "env", "property", "item"}
)
_VALUED: Final = frozenset({"value", "val", "default", "content", "setting_value"})


class _Header(NamedTuple):
    mark: re.Pattern[str]
    columns: int
    secret: dict[int, str]
    """The columns that may hold secrets, by their names."""
    pair: tuple[int, int] | None
    """The columns of a name and of its value."""


def without_rows(text: str) -> str:
    """Return the text with the values below such a name replaced, as far as lines have as many fields as the header."""
    if "\n" not in text or _TELLING.search(text) is None:
        return text
    lines = text.split("\n")
    told: _Header | None = None
    for at, line in enumerate(lines):
        header = _header(line)
        if header is not None and not (told and told.pair and header.mark is told.mark):
            told = header
        elif told is not None and not _RULE.fullmatch(line):
            cleaned = _clean(line, told)
            lines[at], told = (line, None) if cleaned is None else (cleaned, told)
            if header is not None and _RULE.fullmatch(lines[min(at + 1, len(lines) - 1)]):
                told = _joined(told, header)
    return "\n".join(lines)


def _joined(told: _Header | None, header: _Header) -> _Header:
    """Return the header of a table that follows one of names and values; it may be a row of that one, too."""
    return header._replace(pair=told.pair) if told is not None and told.columns == header.columns else header


def names_secrets(line: str) -> bool:
    """Tell whether a line is the header of a table whose rows may hold secrets."""
    return _header(line) is not None


def _header(line: str) -> _Header | None:
    """Return what a line says as a header of columns; None where it is no such header."""
    for mark in _SEPARATORS:
        names = _fields(line.rstrip("\r"), mark)[::2]
        inner = [name for name in names if name.strip()]
        if not _FEWEST <= len(names) <= _MOST or len(inner) < _FEWEST or not all(map(_NAME.fullmatch, inner)):
            continue
        plain = [name.strip(_DRESS).replace(" ", "_") for name in names]
        if mark is _SEPARATORS[-1] and not all(_WORD.fullmatch(name) for name in plain if name):
            continue
        secret = {at: name for at, name in enumerate(plain) if kind_of(name) is not None}
        pair = _pair(plain)
        return _Header(mark, len(names), secret, pair) if secret or pair else None
    return None


def _fields(line: str, mark: re.Pattern[str]) -> list[str]:
    """Return fields and separators in turn."""
    return mark.split(line) if line else [line]


def _pair(names: list[str]) -> tuple[int, int] | None:
    lowered = [name.lower() for name in names]
    name = next((at for at, word in enumerate(lowered) if word in _NAMING), None)
    value = next((at for at, word in enumerate(lowered) if word in _VALUED), None)
    return (name, value) if name is not None and value is not None else None


def _clean(line: str, header: _Header) -> str | None:
    """Return a row without its secrets, or None for a line that is no row of the table."""
    fields = _fields(line, header.mark)
    if len(fields) != 2 * header.columns - 1:
        return None
    secret = dict(header.secret)
    if header.pair:
        name, value = header.pair
        secret.setdefault(value, fields[2 * name].strip(_DRESS).replace(" ", "_"))
    for at, name in secret.items():
        value = fields[2 * at].strip(_DRESS)
        if value and hides(name, value):
            fields[2 * at] = fields[2 * at].replace(value, MARKER)
    return "".join(fields)
