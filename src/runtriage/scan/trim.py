"""Shortens a pattern at its end, so that finding it costs one match and not one a byte."""

from __future__ import annotations

import re
from typing import Final

_QUANTIFIER: Final = re.compile(r"(?:[*+?]|\{(\d+)(?:,\d*)?\})\??")
_CLASS: Final = re.compile(r"\[\^?\]?(?:\\.|[^\]\\])*\]", re.DOTALL)
_ESCAPE: Final = re.compile(r"\\(?:x[0-9A-Fa-f]{2}|.)", re.DOTALL)


def trim(regex: str) -> str:
    """Return a pattern that finds something wherever `regex` does, never ending later; `re` confirms with the whole one.

    Repeats that end the pattern are cut to their least number: `asked (?P<size>[0-9]+)` becomes `asked (?P<size>[0-9])`.
    """
    while (shorter := _shorter(regex)) != regex:
        regex = shorter
    return regex


def _shorter(regex: str) -> str:
    last = _last_repeat(regex)
    if last is None:
        return regex
    start, repeat = last
    tail = regex[repeat.end() :]
    sign = repeat.group()[0]
    if sign == "+":
        return regex[: repeat.start()] + tail
    least = int(repeat.group(1) or 0)
    if least == 0:
        return regex[:start] + tail
    fixed = "" if least == 1 else f"{{{least}}}"
    return regex[: repeat.start()] + fixed + tail


def _last_repeat(regex: str) -> tuple[int, re.Match[str]] | None:
    """Return start and quantifier of the repeated single atom that only closing brackets follow."""
    at, found = 0, None
    while at < len(regex):
        start, single = at, regex[at] not in "()|"
        atom = _CLASS.match(regex, at) if regex[at] == "[" else _ESCAPE.match(regex, at) if regex[at] == "\\" else None
        at = atom.end() if atom else at + 1
        if regex[start] == "(" and regex.startswith("?", at):
            at = _group_head(regex, at)
        if regex[start] in "(|":
            found = None
            continue
        repeat = _QUANTIFIER.match(regex, at)
        if repeat is None:
            found = found if regex[start] == ")" else None
            continue
        at = repeat.end()
        varies = single and repeat.group() != f"{{{repeat.group(1)}}}"
        found = (start, repeat) if varies else None
    return found


def _group_head(regex: str, at: int) -> int:
    """Skip `?:`, `?P<name>` or flags such as `?i:` behind an opening bracket."""
    if regex.startswith("?P<", at):
        return regex.index(">", at) + 1
    while at < len(regex) and regex[at] not in ":)":
        at += 1
    return at + 1 if at < len(regex) and regex[at] == ":" else at
