"""Copies the packaged skills to where agents look for them."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Final

FILE: Final = "SKILL.md"
DEFAULT: Final = Path(".agents") / "skills"
"""The folder of a project that agents of all makes read."""


class OccupiedError(Exception):
    """Something else lies where a skill would go; one line."""


def skills() -> dict[str, str]:
    """Return the text of each packaged skill by its name."""
    return {folder.name: folder.joinpath(FILE).read_text(encoding="utf-8") for folder in _folders()}


def install(folder: Path, *, replace: bool = False) -> list[Path]:
    """Write every skill into a folder of its own below `folder` and return the files.

    A file that is there and differs stays unless `replace`. Raises `OccupiedError` and OSError.
    """
    texts = skills()
    for name, text in texts.items():
        place = folder / name / FILE
        if place.exists() and not replace and place.read_text(encoding="utf-8", errors="replace") != text:
            raise OccupiedError(f"{place} is there and differs; --replace overwrites it")
    written: list[Path] = []
    for name, text in texts.items():
        place = folder / name / FILE
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8", newline="\n")
        written.append(place)
    return written


def _folders() -> Iterator[Traversable]:
    found = [
        entry for entry in files("runtriage.skills").iterdir() if entry.is_dir() and entry.joinpath(FILE).is_file()
    ]
    yield from sorted(found, key=lambda entry: entry.name)
