"""Where signature files come from: this package, folders a user names, and packages that offer theirs."""

from __future__ import annotations

import os
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Final

from msgspec import Struct

from runtriage.model.offers import offers
from runtriage.signatures.error import SignatureError

ENTRY_POINTS: Final = "runtriage.signatures"
FIXES: Final = "fixes"

PACKAGED: Final = Path(__file__).parent


class SourceFile(Struct, frozen=True):
    """One TOML file. `label` is how a person finds it, `folder` the name of the folder it lies in; `place` its path, size and time are in bytes and ns."""

    label: str
    folder: str
    place: str
    size: int = -1
    modified: int = -1

    def content(self) -> bytes:
        """Read it. Raises SignatureError."""
        try:
            return Path(self.place).read_bytes()
        except OSError as error:
            raise SignatureError(self.label, "", f"cannot be read: {error.strerror}") from None


def source_files(folders: Sequence[Path] = ()) -> list[SourceFile]:
    """List every file: the packaged ones, those of installed packages, those in `folders`. Raises SignatureError."""
    found = _walk(PACKAGED, "signatures")
    for module in _offering_modules():
        found += _walk(_module_folder(module), module)
    seen: set[Path] = set()
    for folder in folders:
        if not folder.is_dir():
            raise SignatureError(str(folder), "", "is not a folder")
        if (place := folder.resolve()) not in seen:  # named by the settings and again on the command line
            seen.add(place)
            found += _walk(folder, str(folder))
    return found


def _walk(root: Path, label: str) -> list[SourceFile]:
    """List the TOML files in a folder and its sub-folders one level down, by name."""
    found = _listed(root, label)
    with os.scandir(root) as entries:
        inner = sorted(entry.name for entry in entries if entry.is_dir() and not entry.name.startswith(("_", ".")))
    for name in inner:
        found += _listed(root / name, f"{label}/{name}")
    return found


def _listed(folder: Path, label: str) -> list[SourceFile]:
    with os.scandir(folder) as entries:
        return [
            SourceFile(f"{label}/{entry.name}", folder.name, entry.path, *_stamps(entry))
            for entry in sorted(entries, key=lambda entry: entry.name)
            if entry.name.endswith(".toml") and not entry.name.startswith(".")  # so editors name their locks
        ]


def _stamps(entry: os.DirEntry[str]) -> tuple[int, int]:
    """Return size and time; those of nothing where a link leads nowhere, which reading will tell of."""
    try:
        status = entry.stat()
    except OSError:
        return -1, -1
    return status.st_size, status.st_mtime_ns


def _offering_modules() -> list[str]:
    """Name the modules that installed packages offer."""
    return sorted({entry.module for entry in offers(ENTRY_POINTS)})


def _module_folder(module: str) -> Path:
    try:
        file = import_module(module).__file__
    except ImportError as error:
        raise SignatureError(module, "", f"offers signatures but cannot be imported: {error}") from None
    if file is None:
        raise SignatureError(module, "", "offers signatures but has no folder of its own")
    return Path(file).parent
