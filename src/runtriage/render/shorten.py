"""A report cut down to what fits a page, its text made inert; what is cut is said."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final, cast

from msgspec import Struct, convert, to_builtins

from runtriage.model.report import Report

_UNSEEN: Final = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u115f\u180e\u200b-\u200f\u2028-\u202f\u2060-\u206f\u3164\ufeff"
    "\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e007f]"
)
"""Control characters, marks that change the direction of text, and characters nobody sees; tab and newline stay."""
_WHOLE: Final = frozenset({"command", "next_commands"})
"""Cut in the middle, a command would do something else: too long, it is left out."""


class Limits(Struct, frozen=True, kw_only=True):
    """How much of a report is kept: characters a text, entries a list, lines around a citation, points a curve."""

    characters: int
    entries: int
    lines: int
    points: int = 120


def inert(text: str) -> str:
    """Return text in which what is invisible or steers a display is written out, as `␛` or `[U+202E]`."""
    return _UNSEEN.sub(_named, text.replace("\r\n", "\n").rstrip("\r"))


def _named(found: re.Match[str]) -> str:
    code = ord(found[0])
    return chr(0x2400 + code) if code < 0x20 else f"[U+{code:04X}]"


def shortened(report: Report, limits: Limits) -> Report:
    """Return the report within the limits, every text inert."""
    document = to_builtins(report)
    for item in document["evidence"]:
        _centre(item, limits.lines)
    return convert(_value(document, limits, ""), Report)


def _centre(item: dict[str, Any], count: int) -> None:
    """Keep `count` context lines around the first cited one."""
    first, cited = item["context_first_line"], item["citation"]["first_line"]
    if first is None or len(item["context"]) <= count:
        return
    start = max(0, min((cited or first) - first - count // 2, len(item["context"]) - count))
    item["context"] = item["context"][start : start + count]
    item["context_first_line"] = first + start


def _value(value: object, limits: Limits, name: str) -> object:
    if isinstance(value, str):
        return None if name in _WHOLE and len(value) > limits.characters else _text(value, limits.characters)
    if isinstance(value, Mapping):
        pairs = list(cast("Mapping[str, object]", value).items())
        kept = pairs if name != "free" else pairs[: limits.entries]
        inner = "free" if name in ("workflow", "extension", "free") else ""
        return {_text(key, limits.characters): _value(item, limits, inner or key) for key, item in kept}
    if isinstance(value, list | tuple):
        return _list(list(cast("list[object]", value)), limits, name)
    return value


def _list(items: list[object], limits: Limits, name: str) -> list[object]:
    if name == "curve":
        return _thinned(items, limits.points)
    if name == "ranks":
        return items[: 64 * limits.entries]
    kept = (_value(item, limits, name) for item in items[: limits.entries if name != "context" else limits.lines])
    return [item for item in kept if item is not None]


def _thinned(points: list[object], count: int) -> list[object]:
    if len(points) <= count:
        return points
    return [points[index * (len(points) - 1) // (count - 1)] for index in range(count)]


def _text(text: str, limit: int) -> str:
    cut = text if len(text) <= limit else f"{text[:limit]}… [{len(text) - limit:,} characters more]"
    return inert(cut)
