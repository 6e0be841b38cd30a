"""Secrets in tables of HTML: cells below or behind a cell that names a secret, terms and their descriptions."""

from __future__ import annotations

import re
from bisect import bisect
from typing import Final

from runtriage.model.pattern import deferred
from runtriage.redact.fields import hides
from runtriage.redact.marker import MARKER
from runtriage.redact.names import kind_of

_ROW: Final = deferred(r"</?(?:tr|table|thead|tbody)\b[^<>]{0,200}>", re.IGNORECASE)
_CELL: Final = deferred(
    r"<(?P<kind>t[hd]|dt|dd)\b[^<>]{0,200}>\s{0,80}(?:<(?:b|i|em|strong|code|tt|span|p)\b[^<>]{0,200}>\s{0,80}){0,4}"
    r"(?P<text>[^<>\n]{0,2000}?)\s{0,80}(?=<|$)",
    re.IGNORECASE,
)
_ATTRIBUTE: Final = deferred(
    r"(?:name|key|id)=(?P<quote>[\"'])(?P<name>[\w.-]{2,80})(?P=quote)[^<>\n]{0,200}(?<!/)>(?P<text>[^<>\n]{1,2000})(?=<)"
)
"""`<entry key="db.password">...</entry>`."""


_NAME: Final = deferred(r"(?P<name>[A-Za-z_][\w .-]{0,60}?)[ \t]{0,4}:?")


def without_cells(text: str) -> str:
    """Return the text with such cells replaced."""
    if "<" not in text:
        return text
    text = _ATTRIBUTE.sub(_named, text)
    lowered = text.lower()
    return _without_cells(text) if "<t" in lowered or "<d" in lowered else text


def _named(found: re.Match[str]) -> str:
    hidden = hides(found["name"], found["text"].strip())
    return found[0][: found.start("text") - found.start()] + MARKER if hidden else found[0]


def _without_cells(text: str) -> str:
    parts: list[str] = []
    done = 0
    header: list[str] = []
    for row in _rows(text):
        names = [_name(cell["text"]) for cell in row]
        hidden = [at for at, cell in enumerate(row) if _is_hidden(at, names, header, cell["text"])]
        for at in hidden:
            parts += (text[done : row[at].start("text")], MARKER)
            done = row[at].end("text")
        if len(row) > 1 and all(names) and not hidden and any(kind_of(name) is not None for name in names):
            header = names
    return "".join((*parts, text[done:])) if parts else text


def _is_hidden(at: int, names: list[str], header: list[str], value: str) -> bool:
    if names[at] and kind_of(names[at]) is not None:
        return False
    above = header[at] if len(header) == len(names) else ""
    return any(name and hides(name, value) for name in (above, names[at - 1] if at else ""))


def _name(text: str) -> str:
    found = _NAME.fullmatch(text)
    return found["name"].replace(" ", "_") if found else ""


def _rows(text: str) -> list[list[re.Match[str]]]:
    marks = [found.start() for found in _ROW.finditer(text)]
    rows: dict[int, list[re.Match[str]]] = {}
    for cell in _CELL.finditer(text):
        rows.setdefault(bisect(marks, cell.start()), []).append(cell)
    return [*rows.values()]
