"""Receipts that the workflow tool leaves on the machine a run was submitted from. Nothing in storage replaces them."""

from __future__ import annotations

from pathlib import Path
from typing import Final

_FOLDER: Final = (".npa", "workflow-submissions")
_LIMIT: Final = 1 << 20
_PROJECTS: Final = 100


def receipts(run_id: str, home: Path | None = None) -> list[bytes]:
    """Return the receipts of a run on this machine, one a project that knows it; none is the usual answer."""
    folder = (home or Path.home()).joinpath(*_FOLDER)
    found: list[bytes] = []
    try:
        for project in sorted(folder.iterdir())[:_PROJECTS]:
            path = project / f"{run_id}.json"
            if path.is_file() and path.stat().st_size <= _LIMIT:
                found.append(path.read_bytes())
    except OSError:
        return found
    return found
