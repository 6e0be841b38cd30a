"""Detectors that other installed packages offer."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any, Final

ENTRY_POINTS: Final = "runtriage.detectors"

_RECORDS: Final = (".dist-info", ".egg-info")


def offered() -> list[Any]:
    """Load what packages offer. Python's own reader of package records is only imported where a record names the group."""
    if not any(map(_may_offer, sys.path)):
        return []
    from importlib.metadata import entry_points

    return [entry.load() for entry in entry_points(group=ENTRY_POINTS)]


def _may_offer(place: str) -> bool:
    """Tell whether a record in a folder of packages names the group; what is no folder, such as an archive, may."""
    try:
        with os.scandir(place or ".") as entries:
            return any(entry.name.endswith(_RECORDS) and _names_group(Path(entry.path)) for entry in entries)
    except NotADirectoryError:
        return True
    except OSError:
        return False


def _names_group(record: Path) -> bool:
    try:
        return ENTRY_POINTS.encode() in (record / "entry_points.txt").read_bytes()
    except OSError:
        return False
