"""A cache whose entries a test may look at."""

from __future__ import annotations


class Store:
    def __init__(self) -> None:
        self.entries: dict[str, bytes] = {}

    def load(self, name: str) -> bytes | None:
        return self.entries.get(name)

    def save(self, name: str, content: bytes) -> None:
        self.entries[name] = content
