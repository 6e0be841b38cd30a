"""What the workflow tool leaves on the machine a run was submitted from. Nothing in storage replaces it."""

from __future__ import annotations

from pathlib import Path
from typing import Final

_SUBMISSIONS: Final = (".npa", "workflow-submissions")
_FIRST_RUNS: Final = (".npa", "workflow-runs")
_LIMIT: Final = 1 << 20
_PROJECTS: Final = 100
_WORKFLOWS: Final = 200


def receipts(run_id: str, home: Path | None = None) -> list[bytes]:
    """Return the receipts of a run on this machine, one a project that knows it; none is the usual answer."""
    folder = (home or Path.home()).joinpath(*_SUBMISSIONS)
    return [content for path in _below(folder, f"{run_id}.json") if (content := _content(path)) is not None]


def first_runs(home: Path | None = None) -> list[bytes]:
    """Return this machine's notes of the first run of each workflow; which run each is of stands in it."""
    folder = (home or Path.home()).joinpath(*_FIRST_RUNS)
    return [content for path in _below(folder, "*.json") if (content := _content(path)) is not None]


def _below(folder: Path, pattern: str) -> list[Path]:
    """Return files one folder down."""
    found: list[Path] = []
    try:
        for project in sorted(folder.iterdir())[:_PROJECTS]:
            found += sorted(project.glob(pattern) if "*" in pattern else [project / pattern])[:_WORKFLOWS]
    except OSError:
        return found
    return found


def _content(path: Path) -> bytes | None:
    try:
        return path.read_bytes() if path.is_file() and path.stat().st_size <= _LIMIT else None
    except OSError:
        return None
