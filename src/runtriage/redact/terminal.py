"""Removes what a terminal, a browser or a reader would act on or not see: escapes, control and invisible characters."""

from __future__ import annotations

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

_SPACE: Final = deferred(r"[\r\v\f\x1c-\x1e\x85\u2028\u2029]")
_CONTROL: Final = deferred(r"[\x00-\x08\x0e-\x1f\x7f]")
_HIDDEN: Final = deferred(
    "[\x80-\x84\x86-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufeff\uffa0\ufff9-\ufffb\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
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
    """Return the text with plain characters in the place of their escapes (`\\u0061` is `a`, `\\u003d` is `=`): a name is read as what it is."""
    return _SPELT.sub(lambda found: chr(int(found["code"], 16)), text) if "u00" in text else text


def folded(text: str) -> str:
    """Return the text with the plain letter, digit or mark in the place of each wide or ornate form of it; its length stays.

    A password in full-width letters is read as what it is. Source: Unicode Standard Annex 15, compatibility decomposition.
    """
    strange = {mark for mark in set(text) if not mark.isascii() and _simple(mark) != mark}
    return text.translate({ord(mark): _simple(mark) for mark in strange}) if strange else text


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
