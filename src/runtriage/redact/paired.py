"""Entries that give the name of a secret and its value as two members, in either order, with others between them."""

from __future__ import annotations

import re
from typing import Final

from runtriage.model.pattern import deferred
from runtriage.redact.fields import value_at
from runtriage.redact.marker import MARKER
from runtriage.redact.names import kind_of

_MEMBER: Final = r"(?<![\w.-])(?:(?:env|var|param|parameter|property|option|attribute|secret|setting|config|header|field)[_-]?)?(?:{})\\{{0,8}}[\"']?\s{{0,4}}[=:>]\s{{0,4}}"
_NAME: Final = deferred(
    _MEMBER.format("name|key|k|id|variable|header|option|parameter|property|setting|attribute|env|field")
    + r"\\{0,8}[\"']?(?P<name>[A-Za-z_][\w.-]{1,80})",
    re.IGNORECASE,
)
_LABEL: Final = deferred(r"\bvariable[ \t]{1,4}\"(?P<name>[A-Za-z_][\w-]{1,80})\"[ \t]{0,4}\{", re.IGNORECASE)
"""How Terraform begins the block of a variable, whose value is its default."""
_VALUE: Final = deferred(_MEMBER.format("value|val|v|string|default|data|content|literal|plain_?text"), re.IGNORECASE)
_APART: Final = deferred(r"[{}()]|\n[ \t]{0,40}- |\n[ \t]{0,40}\n")
"""What ends an entry: nothing of it lies behind."""
_VALUED: Final = ("val", "string", "default", "data", "content", "literal", "plain", 'v"', "v'")
_FARTHEST: Final = 400


def without_paired(text: str) -> str:
    """Return the text with the values of entries replaced whose name member speaks of a secret."""
    lowered = text.lower()
    if not any(word in lowered for word in _VALUED):
        return text
    names = sorted([*_NAME.finditer(text), *_LABEL.finditer(text)], key=lambda found: found.start())
    spans = {span for at in range(len(names)) if (span := _span(text, names, at))}
    for start, end in sorted(spans, reverse=True):
        text = text[:start] + MARKER + text[end:]
    return text


def _span(text: str, names: list[re.Match[str]], at: int) -> tuple[int, int] | None:
    """Return where the value of one entry stands: behind its name, else before it; never in the entry of another name."""
    found = names[at]
    kind = kind_of(found["name"])
    if kind is None:
        return None
    limit = min(found.end() + _FARTHEST, names[at + 1].start() if at + 1 < len(names) else len(text))
    value = _VALUE.search(text, found.end(), limit)
    if value and not _APART.search(text, found.end(), value.start()):
        return value_at(text, value.end(), found["name"], kind)
    floor = max(0, found.start() - _FARTHEST, names[at - 1].end() if at else 0)
    before = [*_VALUE.finditer(text, floor, found.start())][-1:]
    for value in before:
        span = value_at(text, value.end(), found["name"], kind)
        if span and span[1] <= found.start() and not _APART.search(text, span[1], found.start()):
            return span
    return None
