"""Where signature files come from: this package, folders a user names, and packages that offer theirs."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from typing import Final, cast

from msgspec import Struct

from runtriage.model.target import Cache
from runtriage.signatures.error import SignatureError

ENTRY_POINTS: Final = "runtriage.signatures"
FIXES: Final = "fixes"

PACKAGED: Final = Path(__file__).parent


class SourceFile(Struct, frozen=True):
    """One TOML file. `label` is how a person finds it, `folder` the name of the folder it lies in; size and time are in bytes and ns."""

    label: str
    folder: str
    place: Path
    size: int = -1
    modified: int = -1

    def content(self) -> bytes:
        """Read it. Raises SignatureError."""
        try:
            return self.place.read_bytes()
        except OSError as error:
            raise SignatureError(self.label, "", f"cannot be read: {error.strerror}") from None


def source_files(folders: Sequence[Path] = (), cache: Cache | None = None) -> list[SourceFile]:
    """List every file: the packaged ones, those of installed packages, those in `folders`. Raises SignatureError."""
    found = _walk(PACKAGED, "signatures")
    for module in _offering_modules(cache):
        found += _walk(_module_folder(module), module)
    for folder in folders:
        if not folder.is_dir():
            raise SignatureError(str(folder), "", "is not a folder")
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
    found: list[SourceFile] = []
    with os.scandir(folder) as entries:
        for entry in sorted(entries, key=lambda entry: entry.name):
            if entry.name.endswith(".toml"):
                status = entry.stat()
                place = Path(entry.path)
                found.append(
                    SourceFile(f"{label}/{entry.name}", folder.name, place, status.st_size, status.st_mtime_ns)
                )
    return found


def _offering_modules(cache: Cache | None) -> list[str]:
    """Name the modules that installed packages offer, remembered for as long as the folders of packages do not change.

    Asking every installed package takes longer than reading the whole catalogue.
    """
    key = sha256("".join(map(_folder_stamp, sys.path)).encode(errors="surrogateescape")).hexdigest()
    name = f"signature-packages-{key[:32]}.json"
    known = _remembered(cache.load(name)) if cache is not None else None
    if known is not None:
        return known
    from importlib.metadata import entry_points

    modules = sorted({entry.module for entry in entry_points(group=ENTRY_POINTS)})
    if cache is not None:
        cache.save(name, json.dumps(modules).encode())
    return modules


def _remembered(stored: bytes | None) -> list[str] | None:
    """Read a list of names from the cache; None where it holds something else."""
    try:
        names: object = json.loads(stored or b"")
    except ValueError:
        return None
    return [str(name) for name in cast("list[object]", names)] if isinstance(names, list) else None


def _folder_stamp(folder: str) -> str:
    try:
        return f"{folder}\0{Path(folder).stat().st_mtime_ns}\n"
    except OSError:
        return f"{folder}\n"


def _module_folder(module: str) -> Path:
    try:
        file = import_module(module).__file__
    except ImportError as error:
        raise SignatureError(module, "", f"offers signatures but cannot be imported: {error}") from None
    if file is None:
        raise SignatureError(module, "", "offers signatures but has no folder of its own")
    return Path(file).parent
