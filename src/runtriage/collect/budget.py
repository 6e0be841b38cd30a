"""How much may be asked for and taken in."""

from __future__ import annotations

from msgspec import Struct


class Budget(Struct):
    """What is left for one diagnosis. Counts only, no clock: the same answers exhaust it at the same request."""

    requests: int = 5_000
    artifacts: int = 100_000
    bytes: int | None = None
    """Stored bytes of all artifacts together; None for no limit (local files are read in a stream)."""
