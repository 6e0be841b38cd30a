"""Where signature files come from: this package, folders a user names, and packages that offer theirs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from importlib import resources
from importlib.metadata import entry_points
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Final

from runtriage.signatures.error import SignatureError

ENTRY_POINTS: Final = "runtriage.signatures"
FIXES: Final = "fixes"


@dataclass(frozen=True, slots=True)
class SourceFile:
    """One TOML file. `label` is how a person finds it, `folder` the name of the folder it lies in."""

    label: str
    folder: str
    place: Traversable

    def content(self) -> bytes:
        """Read it. Raises SignatureError."""
        try:
            return self.place.read_bytes()
        except OSError as error:
            raise SignatureError(self.label, "", f"cannot be read: {error.strerror}") from None

    def stamp(self) -> str:
        """Return a text that changes with the content: size and time on disk, a digest elsewhere."""
        if isinstance(self.place, Path):
            status = self.place.stat()
            return f"{self.label}\0{status.st_size}\0{status.st_mtime_ns}\n"
        return f"{self.label}\0{sha256(self.place.read_bytes()).hexdigest()}\n"


def source_files(folders: Sequence[Path] = ()) -> list[SourceFile]:
    """List every file: the packaged ones, those of installed packages, those in `folders`. Raises SignatureError."""
    found = _walk(resources.files("runtriage.signatures"), "signatures")
    for entry in sorted(entry_points(group=ENTRY_POINTS), key=lambda entry: entry.value):
        try:
            found += _walk(resources.files(entry.module), entry.module)
        except (ImportError, TypeError) as error:
            raise SignatureError(entry.module, "", f"offers signatures but cannot be opened: {error}") from None
    for folder in folders:
        if not folder.is_dir():
            raise SignatureError(str(folder), "", "is not a folder")
        found += _walk(folder, str(folder))
    return found


def _walk(root: Traversable, label: str) -> list[SourceFile]:
    """List the TOML files in a folder and its sub-folders one level down, by name."""
    found: list[SourceFile] = []
    for child in sorted(root.iterdir(), key=lambda child: child.name):
        if child.name.endswith(".toml"):
            found.append(SourceFile(f"{label}/{child.name}", root.name, child))
        elif child.is_dir():
            found += [
                SourceFile(f"{label}/{child.name}/{file.name}", child.name, file)
                for file in sorted(child.iterdir(), key=lambda file: file.name)
                if file.name.endswith(".toml")
            ]
    return found
