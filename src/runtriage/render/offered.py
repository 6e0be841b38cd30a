"""Formats that installed packages offer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, cast

from runtriage.model.offers import offers
from runtriage.model.report import Report

ENTRY_POINTS: Final = "runtriage.renderers"
Renderer = Callable[[Report], str]


def names() -> list[str]:
    """Return the names of the formats that packages offer."""
    return sorted({entry.name for entry in offers(ENTRY_POINTS)})


def renderer(name: str) -> Renderer | None:
    """Return what renders a format, None where no package offers it."""
    found = sorted((entry for entry in offers(ENTRY_POINTS) if entry.name == name), key=lambda entry: entry.value)
    return cast(Renderer, found[0].load()) if found else None
