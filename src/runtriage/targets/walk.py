"""Lists the files of a folder, within bounds and without leaving it."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from msgspec import Struct, field

from runtriage.targets.names import order
from runtriage.targets.regular import why

DEPTH: Final = 16
ENTRIES: Final = 200_000
_SKIPPED: Final = frozenset(
    {
        ".git",
        ".hg",
        ".svn",
        "__pycache__",
        "node_modules",
        ".venv",
        "venv",
        "site-packages",
        ".mypy_cache",
        ".pytest_cache",
        ".ipynb_checkpoints",
        ".cache",
    }
)
"""Folders that hold no trace of a run. Other hidden folders (`.hydra`, `.submitit`) do."""


class Listing(Struct):
    """What a walk met besides the files it yields. `denied` and `outside` are paths relative to the folder."""

    denied: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    outside: list[str] = field(default_factory=list[str])
    cut: str | None = None
    seen: int = 0


def walk(folder: Path, listing: Listing) -> Iterator[tuple[str, Path, os.stat_result]]:
    """Yield (path relative to the folder, path, status) of its regular files, in natural order, folders after files.

    Links are not followed: what they point at inside the folder is met anyway, and what lies outside is not part of the run.
    """
    root = os.path.realpath(folder)
    pending = [("", Path(folder), 0)]
    while pending:
        prefix, path, depth = pending.pop()
        try:
            with os.scandir(path) as found:
                entries = sorted(found, key=lambda entry: order(entry.name))
        except OSError as error:
            listing.denied.append((prefix.rstrip("/") or ".", why(error)))
            continue
        deeper: list[tuple[str, Path, int]] = []
        for entry in entries:
            listing.seen += 1
            if listing.seen > ENTRIES:
                listing.cut = f"only the first {ENTRIES:,} entries of the folder were looked at"
                return
            name = prefix + entry.name
            if _is_folder(entry, name, listing, root):
                deeper.append((name + "/", Path(entry.path), depth + 1))
            elif status := _status(entry, name, listing):
                yield name, Path(entry.path), status
        if deeper and depth + 1 > DEPTH:
            listing.cut = f"folders deeper than {DEPTH} levels were not looked at"
        else:
            pending.extend(reversed(deeper))


def _is_folder(entry: os.DirEntry[str], name: str, listing: Listing, root: str) -> bool:
    if entry.is_symlink():
        try:
            if not _inside(entry.path, root):
                listing.outside.append(name)
        except OSError as error:  # a link of /proc that only the process itself may follow
            listing.denied.append((name, why(error)))
        return False
    return entry.is_dir(follow_symlinks=False) and entry.name not in _SKIPPED


def _status(entry: os.DirEntry[str], name: str, listing: Listing) -> os.stat_result | None:
    try:
        status = entry.stat(follow_symlinks=False)
    except OSError as error:
        listing.denied.append((name, why(error)))
        return None
    return status if stat.S_ISREG(status.st_mode) else None


def _inside(path: str, root: str) -> bool:
    resolved = os.path.realpath(path)
    return resolved == root or resolved.startswith(root.rstrip(os.sep) + os.sep)
