"""Credential files, watched while a run is looked at: answers from two identities must not be mixed."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path


class CredentialFiles:
    """Remembers files by the hash of their content, which is itself never kept or shown."""

    def __init__(self, paths: Iterable[Path]) -> None:
        self._paths = tuple(paths)
        self._before = self._state()

    def changed(self) -> str:
        """Return the names of the files that are no longer as they were, or an empty string."""
        now = self._state()
        return ", ".join(str(path) for path, old, new in zip(self._paths, self._before, now, strict=True) if old != new)

    def _state(self) -> tuple[str, ...]:
        return tuple(_hash(path) for path in self._paths)


def _hash(path: Path) -> str:
    try:
        return sha256(path.read_bytes()).hexdigest()
    except OSError as error:
        return type(error).__name__
