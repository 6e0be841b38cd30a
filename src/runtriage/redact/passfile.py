"""Lines of a password file of PostgreSQL."""

from __future__ import annotations

import re
from typing import Final

from runtriage.model.pattern import deferred
from runtriage.redact.marker import MARKER, is_placeholder

_LINE: Final = deferred(
    r"(?<![^\s\"'`])(?P<keep>(?:\*|[A-Za-z0-9_](?:[\w.-]|\\:){0,252}):(?P<port>\*|\d{2,5}):(?:\*|[A-Za-z_][\w.$-]{0,62}):(?:\*|[A-Za-z_][\w.$@-]{0,62}):)"
    r"(?P<word>(?:[^\s\"'`\\]|\\.){1,400})(?=[\"'`]?(?:\s|$))"
)
"""`host:port:database:user:password`, a colon in a field behind a backslash. Source: The Password File, PostgreSQL's documentation of libpq."""
_OWN: Final = frozenset({"*", "5432", "5433", "6432"})
"""Ports of PostgreSQL and of PgBouncer; behind any other one a plain word is the state of a connection."""


def without_passfile(text: str) -> str:
    """Return the text with the passwords of such lines replaced."""
    return _LINE.sub(_masked, text) if text.count(":") >= 4 else text


def _masked(found: re.Match[str]) -> str:
    word = found["word"]
    if is_placeholder(word) or (found["port"] not in _OWN and word.replace("-", "").replace("_", "").isalpha()):
        return found[0]
    return found["keep"] + MARKER
