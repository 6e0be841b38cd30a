"""How long a run has been silent before it counts as gone, and how that is said."""

from __future__ import annotations

from typing import Final

SILENT: Final = 900.0
"""Seconds without a sign of life after which a run that is still open counts as silent."""


def lasted(seconds: float) -> str:
    """Return a time in hours and minutes."""
    hours, minutes = divmod(int(seconds) // 60, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min"
