"""Removes what a terminal, a browser or a reader would act on or not see: escapes, control and invisible characters."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final
from unicodedata import normalize

from runtriage.model.pattern import deferred

_ESCAPE: Final = deferred(
    r"(?:\x1b\[|\x9b)[0-?]{0,64}[ -/]{0,16}[@-~]?"  # CSI: colours, cursor moves
    r"|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c\n]{0,2000}(?:\x07|\x1b\\|\x9c)"  # OSC, DCS and other strings
    r"|\x1b[ -/]{0,8}[0-~]?"
)
"""A string sequence that never ends loses only its introducer: it must not swallow the text behind it."""

_SPELT: Final = deferred(r"\\{1,8}u00(?P<code>2[1-9a-fA-F]|[346][0-9a-fA-F]|5[0-9abAB]|5[d-fD-F]|7[0-9a-eA-E])")
"""A printable character that JSON need not escape. A backslash stays: unescaped, it could make an escape of what follows."""

_ENTITY: Final = deferred(
    r"&(?:(?P<joint>equals|colon)|#(?:0{0,4}(?P<code>\d{2,3})|[xX]0{0,4}(?P<hex>[0-9a-fA-F]{2})));"
)
_READ: Final = frozenset({*range(0x41, 0x5B), *range(0x61, 0x7B), *map(ord, "=:_-")})
"""Letters of a name and what joins it to its value; quotes and brackets keep their entities, which a page needs."""
_DEEPEST: Final = 8

_SPACE: Final = deferred(r"[\r\v\f\x1c-\x1e\x85\u2028\u2029]")
_CONTROL: Final = deferred(r"[\x00-\x08\x0e-\x1f\x7f]")
_HIDDEN: Final = deferred(
    "[\x80-\x84\x86-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufeff\uffa0\ufff9-\ufffb\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
_MIXED: Final = deferred(r"[A-Za-z\u0370-\u052f]{2,200}")
_ALIKE: Final = str.maketrans(
    "\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0455\u0458\u04bb\u0501\u051d\u0410\u0415\u041e\u0420\u0421\u0423\u0425\u0406\u0405\u0422\u041a\u041d\u0412\u03bf\u03b1\u03c1\u03bd\u039f\u0391\u03a1\u0395\u039a\u03a4",
    "aeopcyxisjhdwAEOPCYXISTKHBoapvOAPEKT",
)
"""Letters of Cyrillic and Greek that look like Latin ones. Source: Unicode Technical Standard 39, confusables."""
_SURROGATE: Final = deferred(r"[\ud800-\udfff]")


def plain(text: str) -> str:
    """Return the text without escapes and control characters; the number of lines (split on `\\n`) stays.

    A carriage return before a line feed goes, any other becomes a space, as do the separators of lines and pages that
    are not `\\n`; what a backspace has overtyped goes. Unpaired surrogates become U+FFFD so that the result can always be encoded.
    """
    if text.isprintable():
        return text if text.isascii() else _HIDDEN.sub("", text)
    if "\x1b" in text or not text.isascii():
        text = _ESCAPE.sub("", text)
    if "\x08" in text:
        text = "\n".join(_overtyped(line) if "\x08" in line else line for line in text.split("\n"))
    text = _CONTROL.sub("", _SPACE.sub(" ", text.replace("\r\n", "\n")))
    return text if text.isascii() else _SURROGATE.sub("\ufffd", _HIDDEN.sub("", text))


def spelled(text: str) -> str:
    """Return the text with plain characters in the place of their escapes (`\\u0061` is `a`, `&#61;` and `\\u003d` are `=`): a name is read as what it is.

    Raises ValueError where entities lie within each other too deep for any writer of HTML.
    """
    text = _SPELT.sub(lambda found: chr(int(found["code"], 16)), text) if "u00" in text else text
    for _ in range(_DEEPEST):
        if "&" not in text or (read := _ENTITY.sub(_entity, text)) == text:
            return text
        text = read
    raise ValueError("entities within entities")


def _entity(found: re.Match[str]) -> str:
    if found["joint"]:
        return "=" if found["joint"] == "equals" else ":"
    code = int(found["code"]) if found["code"] else int(found["hex"], 16)
    return chr(code) if code in _READ else found[0]


def folded(text: str) -> str:
    """Return the text with the plain letter, digit or mark in the place of each wide or ornate form of it; its length stays.

    A password in full-width letters is read as what it is. Source: Unicode Standard Annex 15, compatibility decomposition.
    """
    strange = {mark for mark in set(text) if not mark.isascii() and _simple(mark) != mark}
    text = text.translate({ord(mark): _simple(mark) for mark in strange}) if strange else text
    return text if _ALIKE.keys().isdisjoint(map(ord, set(text))) else _MIXED.sub(_latin, text)


def _latin(found: re.Match[str]) -> str:
    """Return a word in Latin letters if all its others look like such; a word of one alphabet stays."""
    word = found[0]
    read = word.translate(_ALIKE)
    return read if read.isascii() and any(map(str.isascii, word)) else word


@lru_cache(maxsize=4096)
def _simple(mark: str) -> str:
    form = normalize("NFKC", mark)
    return form if len(form) == 1 and form.isascii() and form.isprintable() else mark


def _overtyped(line: str) -> str:
    shown: list[str] = []
    column = 0
    for mark in line:
        if mark == "\x08":
            column = max(0, column - 1)
            continue
        shown[column : column + 1] = [mark]
        column += 1
    return "".join(shown)
