"""Secrets below their name: lists and maps under `passwords`, `api_keys` or `tokens`, and the key under the name of its service."""

from __future__ import annotations

import re
from typing import Final

from runtriage.model.pattern import deferred
from runtriage.redact.marker import MARKER, is_placeholder
from runtriage.redact.names import Kind, kind_of, looks_issued

_HEAD: Final = deferred(
    r"(?<![\w.-])(?P<name>[A-Za-z_][\w.-]{1,80})\\{0,8}[\"']?[ \t]{0,4}[:=] ?(?P<open>[\[{(]|(?=\n))"
)
_ITEM: Final = deferred(r"(?:[\w.-]{1,60}\\{0,8}[\"']?[ \t]{0,4}[:=]|[\[{(,]|-(?= ))[ \t]{0,4}[\[{(]?\\{0,8}[\"']?")
_LEAF: Final = deferred(
    r"(?<=[\"'])[^\"'\\\n]{4,400}(?=\\{0,8}[\"'](?![ \t]{0,4}[:=]))|[^\s\\\"'\[\]{}(),:]{4,400}(?=\\{0,8}[\"']?[ \t]{0,4}(?:[,\]})\n]|$))"
)
_CHILD: Final = deferred(r"(?:- )?(?P<name>[A-Za-z_][\w-]{0,60})[\"']?:[ \t]+[\"']?\Z")
_SOLID: Final = deferred(r"[A-Za-z0-9+/=~!@#$%^&*]{8,}")
_OPENED: Final = tuple(f"{joint}{gap}{mark}" for joint in ":=" for gap in ("", " ") for mark in "[{(\n")
"""Few lines of a log open a list or a map, or name what stands on the next lines."""
_TELLING: Final = ("passw", "secret", "key", "token", "credential", "auth", "pwd", "pass")
_FARTHEST: Final = 2_000
_NEAR: Final = 200
_CLOSING: Final = {"[": "]", "{": "}", "(": ")"}


def without_nested(text: str) -> str:
    """Return the text with what looks like a secret in a list or map below a telling name replaced."""
    for opening in _OPENED:
        if opening in text:
            lowered = text.lower()
            return _without_leaves(text) if any(word in lowered for word in _TELLING) else text
    return text


def _without_leaves(text: str) -> str:
    parts: list[str] = []
    copied = passed = 0
    for head in _HEAD.finditer(text):
        kind = _kind(head["name"])
        if head.end() < passed or (kind is None and (head["open"] or kind_of(head["name"] + "_key") is None)):
            continue
        end = _end(text, head, _FARTHEST if kind else _NEAR)
        for start, stop in _leaves(text, head, end, kind):
            if start >= copied:
                parts += (text[copied:start], MARKER)
                copied = stop
        passed = end if kind else passed
    return "".join((*parts, text[copied:])) if parts else text


def _kind(name: str) -> Kind | None:
    kind = kind_of(name)
    return kind_of(name.removesuffix("s")) if kind is None and name.lower().endswith("tokens") else kind


def _end(text: str, head: re.Match[str], farthest: int) -> int:
    """Return where the list or map ends that stands behind the name; for lines, the first one that is not deeper."""
    start = head.end()
    limit = min(len(text), start + farthest)
    if head["open"]:
        return _closed(text, start, limit, head["open"])
    line = text.rfind("\n", 0, head.start()) + 1
    depth = len(text[line : head.start()])
    if text[line : head.start()].strip(" -\"'\\"):
        return start
    while start < limit:
        following = text.find("\n", start + 1)
        body = text[start + 1 : following if following >= 0 else len(text)]
        inner = len(body) - len(body.lstrip(" "))
        if inner < depth or (inner == depth and not body.lstrip(" ").startswith("- ")):
            break
        start = following if following >= 0 else len(text)
    return min(start, limit)


def _closed(text: str, start: int, limit: int, opening: str) -> int:
    depth = 1
    for at in range(start, limit):
        if text[at] == opening:
            depth += 1
        elif text[at] == _CLOSING[opening]:
            depth -= 1
            if depth == 0:
                return at
    return limit


def _leaves(text: str, head: re.Match[str], end: int, kind: Kind | None) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    at = head.end() - len(head["open"])
    while item := _ITEM.search(text, at, end):
        at = item.end()
        leaf = _LEAF.match(text, at, end + 1)
        if leaf is None:
            continue
        child = _CHILD.match(text, item.start(), at)
        if _leaf_is_secret(head["name"], child["name"] if child else "", leaf[0], kind):
            found.append(leaf.span())
        at = leaf.end()
    return found


def _leaf_is_secret(parent: str, child: str, value: str, kind: Kind | None) -> bool:
    if is_placeholder(value):
        return False
    if kind is Kind.PASSWORD:
        return child not in ("user", "username", "name", "host", "type")
    if kind is Kind.KEY:
        return _mixed(value) and (looks_issued(value) or _SOLID.fullmatch(value) is not None)
    if kind is Kind.TOKEN:
        return looks_issued(value)
    joined = child in ("key", "token", "secret") and kind_of(f"{parent}_{child}") is not None
    return joined and _mixed(value) and len(value) >= 8


def _mixed(value: str) -> bool:
    return any(map(str.isdigit, value)) and any(map(str.isalpha, value))
