"""Private keys in text form, whole, cut at either end, or with a rank prefix before each line."""

from __future__ import annotations

import re
from typing import Final

from runtriage.model.pattern import deferred
from runtriage.redact.marker import MARKER

_BEGIN: Final = deferred(r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
_END: Final = deferred(r"-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
_BODY: Final = deferred(r"(?:[^\n:]{0,40}:)?[ \t>|]{0,20}(?:[A-Za-z0-9+/=\r]|\\[rn]){1,80000}+[\"',]{0,4}$")
_HEADER: Final = deferred(r"(?:Proc-Type|DEK-Info|Version|Comment): [^\n]{0,200}$")
_LONE: Final = deferred(r"(?<![A-Za-z0-9+/=_])[A-Za-z0-9+/]{60,80}={0,2}$", re.MULTILINE)
_FARTHEST: Final = 20_000


def without_private_keys(text: str) -> str:
    """Return the text with the bodies of private keys replaced; lines are kept."""
    if "PRIVATE KEY" in text:
        text = _without_heads(text)
        text = _without_tails(text)
    return _LONE.sub(_lone, text) if len(text) >= 60 else text


def _without_heads(text: str) -> str:
    parts: list[str] = []
    done = 0
    while begin := _BEGIN.search(text, done):
        end = _END.search(text, begin.end(), begin.end() + _FARTHEST)
        stop = end.start() if end else _body_end(text, begin.end())
        parts += (text[done : begin.end()], _blank(text[begin.end() : stop]))
        done = stop
    return "".join((*parts, text[done:])) if parts else text


def _body_end(text: str, start: int) -> int:
    """Return where the lines that can belong to a key without an end stop."""
    at = start
    while at < len(text):
        newline = text.find("\n", at)
        stop = newline if newline >= 0 else len(text)
        line = text[at:stop]
        if at > start and line.strip() and not _BODY.match(line) and not _HEADER.match(line):
            return at - 1
        at = stop + 1
    return len(text)


def _without_tails(text: str) -> str:
    """Replace the lines before an END whose BEGIN was cut off."""
    end = _END.search(text)
    begin = _BEGIN.search(text)
    if end is None or (begin and begin.start() < end.start()):
        return text
    start = text.rfind("\n", 0, end.start()) + 1
    if start == 0 or text[start : end.start()].strip():
        return _blank(text[: end.start()]) + text[end.start() :] if start == 0 else text
    while start > 0:
        before = text.rfind("\n", 0, start - 1) + 1
        if not _BODY.match(text[before : start - 1]):
            break
        start = before
    return text[:start] + _blank(text[start : end.start()]) + text[end.start() :]


def _blank(body: str) -> str:
    if not body.strip("\r\n\\nr \"',"):
        return body
    if "\n" not in body:
        return MARKER
    first, *rest = body.split("\n")
    kept = [first and MARKER, *(MARKER if line.strip() else "" for line in rest[:-1])]
    return "\n".join([*kept, rest[-1] and MARKER])


def _lone(found: re.Match[str]) -> str:
    """A line that ends in 60 or more characters of base64 is taken for a piece of a key; a digest or a path is not."""
    run = found[0]
    mixed = any(map(str.isdigit, run)) and any(map(str.isupper, run)) and any(map(str.islower, run))
    return MARKER if mixed and run.count("/") <= 6 else run
