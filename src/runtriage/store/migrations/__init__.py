"""Numbered steps from an empty database to the newest schema; a step that was released never changes."""

from __future__ import annotations

from pathlib import Path


def steps() -> list[tuple[int, list[str]]]:
    """Return each step's number and its statements, oldest first."""
    folder = Path(__file__).parent
    names = sorted(entry.name for entry in folder.iterdir() if entry.name.endswith(".sql"))
    return [(int(name[:4]), _statements(folder.joinpath(name).read_text(encoding="utf-8"))) for name in names]


def _statements(text: str) -> list[str]:
    return [statement.strip() for statement in text.split(";") if statement.strip()]
