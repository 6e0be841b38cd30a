"""Secrets whose name is joined to them by something else than `=` or `:`: columns, pairs, arrows, percent-encoding, a blank."""

from __future__ import annotations

import re
from typing import Final

from runtriage.model.pattern import deferred
from runtriage.redact.marker import is_placeholder
from runtriage.redact.names import Kind, kind_of, looks_issued, looks_random

_PERCENT: Final = deferred(
    r"(?:%(?:25){0,3}2[27]|(?:%(?:25){0,3}5[Cc])+%(?:25){0,3}22)?(?:%(?:25){0,3}20|\+| )?%(?:25){0,3}3[ADad]"
    r"(?:%(?:25){0,3}2[027]|(?:%(?:25){0,3}5[Cc])|\+){0,4}(?:(?:bearer|basic|token)(?:%(?:25){0,3}20|\+|[ \t]))?",
    re.IGNORECASE,
)
_ESCAPED: Final = deferred(r"\\{2,31}[\"'][ \t]{0,2}[:=][ \t]{0,2}\\{2,31}[\"']")
_COLUMN: Final = deferred(r"[\"'`*]{0,4}[ \t]{0,60}(?:[│┃║|]|->|→|\uff1a|\uff1d|\.{3,80}:?)[ \t]{0,60}[\"'`*]{0,4}")
_PAIR: Final = deferred(
    r"([\"'])[ \t]{0,4},[ \t]{0,4}[bruBRU]{0,2}([\"'])(?:(?:bearer|basic|token)[ \t]+)?", re.IGNORECASE
)
_DOTTED: Final = deferred(r"[\"']?[ \t]{1,4}\.[ \t]{1,4}[\"']?")
"""Between the members of a pair in Lisp."""
_HALVES: Final = deferred(r"[\"']?;[\"']?(?=[^\s;]{1,200}[ \t]*$)", re.MULTILINE)
"""Between the only two fields of a line."""
_GAP: Final = deferred(r"[\"'`]?[ \t]{1,80}[\"'`]?")
_ENCODED: Final = deferred(r"(?:[^\s\"'<>&%\\]|%(?!(?:25){0,3}(?:26|22|27|2C|7D|0A|5C)))+", re.IGNORECASE)
_BARE: Final = deferred(r"[^\s\"'`<>,;│┃|\\(){}\[\]]+")
_QUOTED: Final = deferred(r"[^\"'\n]+(?=[\"'][ \t]{0,2}[)\]])")
_INNER: Final = deferred(r"[^\"'\\\n]+")
_INNER_QUOTED: Final = deferred(r"[^\"'\n]+")
_SPOKEN: Final = deferred(r"(?<![\w.-])([A-Za-z]{2,16}) \Z")
_VAGUE: Final = frozenset({"secret", "secrets", "credential", "credentials", "sas"})
_LONGEST: Final = 8_000


def spoken_name(text: str, start: int, name: str) -> str | None:
    """Return the name that the word before makes of it (`API key` is `api_key`) where that one speaks of a secret."""
    before = _SPOKEN.search(text, max(0, start - 18), start)
    joined = f"{before[1]}_{name}" if before else ""
    return joined if joined and kind_of(joined) is not None else None


def loose_value(text: str, span: tuple[int, int], name: str, kind: Kind) -> tuple[int, int] | None:
    """Return where the secret of the name at `span` starts and ends, if it stands loosely behind it."""
    at = span[1]
    following = text[at : at + 1]
    if following == "%" or text[at : at + 3] in ("+%3", " %3"):
        return _told(text, _PERCENT.match(text, at), _ENCODED, kind)
    if following == "\\":
        return _told(text, _ESCAPED.match(text, at), _INNER, kind)
    if text[span[0] - 2 : span[0]] in ("('", '("', "['", '["', "b'", 'b"') and (pair := _PAIR.match(text, at)):
        return _told(text, pair, _QUOTED, kind if kind is Kind.PASSWORD else Kind.TOKEN)
    if kind in (Kind.HEADER, Kind.CODE):
        return None
    if text[max(span[0] - 2, 0) : span[0]].lstrip()[:1] == "(" and (dot := _DOTTED.match(text, at)):
        return _told(text, dot, _BARE if text[dot.end() - 1] in " \t" else _INNER_QUOTED, kind)
    if following in (";", '"', "'") and text[text.rfind("\n", 0, span[0]) + 1 : span[0]].strip("\"' \t") == "":
        return _told(text, _HALVES.match(text, at), _BARE, kind)
    if column := _COLUMN.match(text, at):
        found = _BARE.match(text, column.end(), column.end() + _LONGEST)
        return (column.end(), found.end()) if found and _mixed(found[0], kind) else None
    return _after_gap(text, at, name, kind)


def _told(text: str, joint: re.Match[str] | None, shape: re.Pattern[str], kind: Kind) -> tuple[int, int] | None:
    found = shape.match(text, joint.end(), joint.end() + _LONGEST) if joint else None
    if found is None or is_placeholder(found[0]) or kind_of(found[0]) is not None:
        return None
    secret = kind is Kind.PASSWORD or (len(found[0]) >= 6 if kind is not Kind.TOKEN else looks_random(found[0]))
    return found.span() if secret else None


def _after_gap(text: str, at: int, name: str, kind: Kind) -> tuple[int, int] | None:
    """One blank joins words of any sentence, so that only what cannot be a word or the name of something is taken."""
    if name.lower().strip("-_") in _VAGUE:
        return None
    gap = _GAP.match(text, at)
    found = _BARE.match(text, gap.end(), gap.end() + _LONGEST) if gap else None
    if (
        found is None
        or kind_of(found[0]) is not None
        or not looks_random(found[0])
        or any(mark in found[0] for mark in ".:=@")
        or "-" in found[0]
        or (kind is Kind.TOKEN and not looks_issued(found[0]))
    ):
        return None
    return found.span()


def _mixed(value: str, kind: Kind) -> bool:
    if is_placeholder(value) or kind_of(value) is not None or value.startswith(("/", "~/", "./")):
        return False
    if kind is Kind.TOKEN:
        return looks_random(value)
    return len(value) >= 6 and any(map(str.isdigit, value)) and any(map(str.isalpha, value))
