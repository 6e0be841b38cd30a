"""Small byte strings on disk that may be forgotten at any time."""

from __future__ import annotations

import contextlib
import hashlib
import os
from pathlib import Path
from typing import Final

LIMIT: Final = 512 << 20
"""Bytes all entries together may take; beyond it the ones unused for longest go."""
ENTRY_LIMIT: Final = 64 << 20

_SUFFIX: Final = ".entry"


class DiskCache:
    """A folder of entries that only their owner may read. Whatever fails is silent: without a cache everything only takes longer."""

    def __init__(self, folder: Path, limit: int = LIMIT, *, touches: bool = True) -> None:
        """Reading an entry notes that it was used, unless the cache `touches` nothing."""
        self._folder = folder
        self._limit = limit
        self._touches = touches

    def load(self, name: str) -> bytes | None:
        """Return what was stored under the name, or None; content that was damaged or planted counts as forgotten."""
        path = self._path(name)
        try:
            if not _own(path):
                return None
            stored = memoryview(path.read_bytes())
            if self._touches:
                with contextlib.suppress(OSError):
                    os.utime(path)
        except OSError:
            return None
        content = stored[32:]
        return bytes(content) if _digest(name, content) == bytes(stored[:32]) else None

    def save(self, name: str, content: bytes) -> None:
        """Store the content whole or not at all."""
        if len(content) > min(ENTRY_LIMIT, self._limit):
            return
        with contextlib.suppress(OSError):
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._write(self._path(name), _digest(name, content) + content)
            self._shrink()

    def _path(self, name: str) -> Path:
        return self._folder / (hashlib.sha256(name.encode()).hexdigest()[:40] + _SUFFIX)

    def _write(self, path: Path, stored: bytes) -> None:
        draft = self._folder / f".draft-{os.getpid()}-{os.urandom(8).hex()}"
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_CLOEXEC", 0), 0o600)
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(stored)
            draft.replace(path)
        except BaseException:
            draft.unlink(missing_ok=True)
            raise

    def _shrink(self) -> None:
        """Remove the entries unused for longest until the rest fits, and drafts that a killed process left."""
        entries = [(entry.stat(), entry.path) for entry in os.scandir(self._folder) if entry.is_file()]
        total = sum(status.st_size for status, _ in entries)
        if total <= self._limit and all(path.endswith(_SUFFIX) for _, path in entries):
            return
        newest = max((status.st_mtime for status, _ in entries), default=0.0)
        for status, path in sorted(entries, key=lambda each: (each[0].st_mtime, each[1])):
            abandoned = not path.endswith(_SUFFIX) and newest - status.st_mtime > 3600
            if total > self._limit or abandoned:
                Path(path).unlink(missing_ok=True)
                total -= status.st_size


def _digest(name: str, content: bytes | memoryview) -> bytes:
    digest = hashlib.sha256(name.encode() + b"\0")
    digest.update(content)
    return digest.digest()


def user_cache(*, touches: bool = True) -> DiskCache:
    """Return the cache in this user's cache folder."""
    from runtriage.store.folders import user_folder

    return DiskCache(user_folder("cache"), touches=touches)


def _own(path: Path) -> bool:
    """Say whether a file is regular and nobody else could have written it."""
    status = path.lstat()
    mine = not hasattr(os, "getuid") or status.st_uid == os.getuid()
    return mine and not path.is_symlink() and not status.st_mode & 0o022
