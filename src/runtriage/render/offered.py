"""Formats that installed packages offer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, cast

from runtriage.model.report import Report

ENTRY_POINTS: Final = "runtriage.renderers"
Renderer = Callable[[Report], str]


def names() -> list[str]:
    """Return the names of the formats that packages offer."""
    from importlib.metadata import entry_points

    return sorted({entry.name for entry in entry_points(group=ENTRY_POINTS)})


def renderer(name: str) -> Renderer | None:
    """Return what renders a format, None where no package offers it."""
    from importlib.metadata import entry_points

    found = sorted(entry_points(group=ENTRY_POINTS, name=name), key=lambda entry: entry.value)
    return cast(Renderer, found[0].load()) if found else None
