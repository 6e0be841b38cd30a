"""Small byte strings kept for the life of the process."""

from __future__ import annotations

from typing import Final

from runtriage.model.target import Cache

LIMIT: Final = 64 << 20
"""Bytes all entries together may take; beyond it nothing more is kept."""


class MemoryCache:
    """A cache for one process: the second diagnosis of a program need not compile the catalogue again."""

    def __init__(self, limit: int = LIMIT, behind: Cache | None = None) -> None:
        """`behind` is another cache that is asked for what is not here, and never written to."""
        self._entries: dict[str, bytes] = {}
        self._room = limit
        self._behind = behind

    def load(self, name: str) -> bytes | None:
        """Return what was stored under the name, or None."""
        stored = self._entries.get(name)
        return stored if stored is not None or self._behind is None else self._behind.load(name)

    def save(self, name: str, content: bytes) -> None:
        """Keep the content while there is room."""
        if name not in self._entries and len(content) <= self._room:
            self._entries[name] = content
            self._room -= len(content)
