"""Asks Hyperscan and RE2 what they make of a pattern, so that no file enters the catalogue they would refuse."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from runtriage.model.catalogue import Pattern


def hyperscan_lines(patterns: Sequence[Pattern], lines: Sequence[bytes]) -> list[set[int]] | None:
    """Return for each line the places of the patterns found in it; None where Hyperscan is not installed.

    Raises ValueError for a pattern that does not compile.
    """
    if find_spec("hyperscan") is None:
        return None
    import hyperscan

    database = hyperscan.Database(mode=hyperscan.HS_MODE_BLOCK)
    try:
        database.compile(
            expressions=[pattern.regex.encode() for pattern in patterns],
            ids=list(range(len(patterns))),
            flags=[hyperscan.HS_FLAG_CASELESS if pattern.ignore_case else 0 for pattern in patterns],
        )
    except hyperscan.error as error:
        raise ValueError(f"Hyperscan refuses it: {error}") from None
    found: list[set[int]] = []
    for line in lines:
        seen: set[int] = set()

        def note(number: int, _start: int, _end: int, _flags: int, _context: object, seen: set[int] = seen) -> None:
            seen.add(number)

        database.scan(line, match_event_handler=note)
        found.append(seen)
    return found


def re2_refusal(pattern: Pattern) -> str | None:
    """Return why RE2 refuses a pattern, or None where it takes it or is not installed."""
    if find_spec("re2") is None:
        return None
    re2: Any = import_module("re2")
    try:
        re2.compile(pattern.regex.encode())
    except re2.error as error:
        return f"RE2 refuses it: {error}"
    return None
