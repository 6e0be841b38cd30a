"""Long answers in pages; a cursor is where the next one starts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

Item = TypeVar("Item")


class CursorError(Exception):
    """A cursor that no answer gave; one line."""


def offset_of(cursor: str | None) -> int:
    """Return where a page starts. Raises `CursorError`."""
    if cursor is None:
        return 0
    if not cursor.isascii() or not cursor.isdigit() or len(cursor) > 9:
        raise CursorError(f"{cursor[:20]!r} is no cursor; pass the next_cursor of the last answer")
    return int(cursor)


def page(items: Sequence[Item], cursor: str | None, size: int) -> tuple[Sequence[Item], str | None]:
    """Return one page and the cursor of the next, None at the end. Raises `CursorError`."""
    start = offset_of(cursor)
    end = start + size
    return items[start:end], str(end) if end < len(items) else None
