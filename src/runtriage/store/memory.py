"""Small byte strings kept for the life of the process."""

from __future__ import annotations

from typing import Final

LIMIT: Final = 64 << 20
"""Bytes all entries together may take; beyond it nothing more is kept."""


class MemoryCache:
    """A cache for one process: the second diagnosis of a program need not compile the catalogue again."""

    def __init__(self, limit: int = LIMIT) -> None:
        self._entries: dict[str, bytes] = {}
        self._room = limit

    def load(self, name: str) -> bytes | None:
        """Return what was stored under the name, or None."""
        return self._entries.get(name)

    def save(self, name: str, content: bytes) -> None:
        """Keep the content while there is room."""
        if name not in self._entries and len(content) <= self._room:
            self._entries[name] = content
            self._room -= len(content)
