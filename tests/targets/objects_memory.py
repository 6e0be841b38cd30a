"""Objects in memory in the place of a bucket."""

from __future__ import annotations

from collections.abc import Iterator

from runtriage.targets.objects import Entry, Kind, ObjectError


class MemoryStore:
    """One bucket; keys in `refused` are answered with an error of that kind."""

    address = "s3://b/"

    def __init__(self, objects: dict[str, bytes], refused: dict[str, Kind] | None = None) -> None:
        self._objects = objects
        self._refused = refused or {}

    def read(self, key: str, start: int, length: int) -> bytes:
        self.entry(key)
        return self._objects[key][start : start + length]

    def entry(self, key: str) -> Entry:
        if key in self._refused:
            raise ObjectError(self._refused[key], "refused")
        if key not in self._objects:
            raise ObjectError("absent", "no such object")
        return Entry(key, len(self._objects[key]))

    def entries(self, prefix: str) -> Iterator[Entry]:
        if prefix in self._refused:
            raise ObjectError(self._refused[prefix], "refused")
        yield from (Entry(key, len(value)) for key, value in sorted(self._objects.items()) if key.startswith(prefix))

    def folders(self, prefix: str) -> tuple[list[str], list[Entry]]:
        return [], list(self.entries(prefix))
