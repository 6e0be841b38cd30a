"""Secrets that a line of source hands to a call: `set_password("...")`, `BasicAuth("user", "...")`."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from runtriage.model.pattern import deferred
from runtriage.redact.marker import MARKER, is_placeholder
from runtriage.redact.names import Kind, kind_of, looks_random

_TELLING: Final = ("pass", "pwd", "secret", "token", "key", "credential", "auth")
_CALL: Final = deferred(r"(?<![\w.])(?P<name>(?:[A-Za-z_]\w{0,60}\.){0,8}[A-Za-z_]\w{2,80})\((?=[^)\n])")
_LITERAL: Final = deferred(
    r"(?<![\w\])\"'`])(?:[bruBRU]{0,2}\\{0,3}(?P<quote>[\"'`])(?P<text>(?:(?!\\{0,3}(?P=quote))[^\n]){1,400})\\{0,3}(?P=quote)|(?P<digits>\d{4,20})(?=[ \t]{0,4}[,)]))"
)
_FARTHEST: Final = 1_000
_DEEPEST: Final = 6
_MOST: Final = 12
"""Literals of one call that are looked at."""
_WORDS: Final = deferred(r"[A-Z]{2,}(?![a-z])|[A-Z]?[a-z]+|\d+")
_READING: Final = frozenset(
    {
        "get",
        "read",
        "load",
        "fetch",
        "find",
        "lookup",
        "list",
        "describe",
        "delete",
        "remove",
        "revoke",
        "rotate",
        "has",
        "is",
    }
    | {
        "need",
        "require",
        "missing",
        "ask",
        "prompt",
        "input",
        "resolve",
        "access",
        "from",
        "exists",
        "mount",
        "query",
        "search",
    }
    | {"no", "not", "invalid", "unknown", "unexpected", "error", "exception", "warning"}
)
"""First or last words of names whose argument names, asks for or complains about a secret rather than being one."""
_GIVING: Final = frozenset(
    {"set", "with", "use", "put", "store", "save", "update", "assign", "login", "change", "reset"}
)
_NAMING: Final = deferred(
    r"(?:~|\.{0,2})?/[\w./@-]*|[\w-]{1,100}(?:[./][\w-]{1,100}){1,20}|[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+"
)
"""A path, a dotted name, or the name of an environment variable."""


def without_calls(text: str) -> str:
    """Return the text with the literal arguments replaced of calls whose name says that they are secrets."""
    if "(" not in text or not any(word in text.lower() for word in _TELLING):
        return text
    parts: list[str] = []
    done = 0
    for call in _CALL.finditer(text):
        told = _told(call["name"].rpartition(".")[2])
        if told is None or call.end() < done or _defines(text, call.start()):
            continue
        for literal in _literals(text, call.end()):
            group = "text" if literal["text"] is not None else "digits"
            if _is_secret(literal[group], *told):
                parts += (text[done : literal.start(group)], MARKER)
                done = literal.end(group)
    return "".join((*parts, text[done:])) if parts else text


@lru_cache(maxsize=1024)
def _told(name: str) -> tuple[Kind, bool, bool] | None:
    """Return the kind of what a call of this name is given, whether it is set by it, and whether the name is that of a class."""
    words = [word.lower() for word in _WORDS.findall(name)]
    if not words or words[0] in _READING or words[-1] in _READING:
        return None
    kind = kind_of(name)
    if kind in (None, Kind.TOKEN):
        starts = (kind_of("_".join(words[first:last])) for last in range(1, len(words) + 1) for first in range(last))
        kind = next((start for start in starts if start in (Kind.PASSWORD, Kind.KEY)), kind)
    if kind is None and words[-2:] == ["basic", "auth"]:
        kind = Kind.PASSWORD
    if kind in (None, Kind.HEADER):
        return None
    return kind, not _GIVING.isdisjoint(words[:2]), name[0].isupper()


def _defines(text: str, start: int) -> bool:
    return text[max(0, start - 6) : start].endswith(("def ", "class ", "func ", "fn "))


def _literals(text: str, start: int) -> list[re.Match[str]]:
    """Return the literals among the arguments of a call, up to its closing bracket on the same line; an inner call's are its own."""
    found: list[re.Match[str]] = []
    newline = text.find("\n", start)
    limit = min(newline if newline >= 0 else len(text), start + _FARTHEST)
    at, depth = start, 0
    while at < limit and depth <= _DEEPEST and len(found) < _MOST:
        literal = _LITERAL.match(text, at, limit)
        if literal is not None:
            if depth == 0:
                found.append(literal)
            at = literal.end()
            continue
        depth += (text[at] in "([{") - (text[at] in ")]}")
        if depth < 0:
            break
        at += 1
    return found


def _is_secret(value: str, kind: Kind, given: bool, is_class: bool) -> bool:
    if is_placeholder(value) or kind_of(value) is not None or value.endswith(MARKER):
        return False
    if kind is Kind.CODE:
        return value.isdigit()
    if kind is Kind.PASSWORD:
        return not (is_class and " " in value)
    if " " in value or _NAMING.fullmatch(value):
        return False
    mixed = any(map(str.isdigit, value)) and any(map(str.isalpha, value))
    if kind is Kind.TOKEN:
        return looks_random(value) or (given and mixed and len(value) >= 8)
    return len(value) >= 4 if given else mixed and len(value) >= 6
