"""How long nothing was printed."""

from __future__ import annotations

from typing import Final

from runtriage.model.time import Instant

NOTABLE: Final = 60.0
"""Silences up to this many seconds are not told apart."""


def between(earlier: Instant | None, later: Instant | None) -> float | None:
    """Return the seconds between two prints of one clock, or None where they cannot be compared."""
    if earlier is None or later is None or earlier.clock != later.clock:
        return None
    if (earlier.dated, earlier.zoned) != (later.dated, later.zoned) or later.seconds < earlier.seconds:
        return None
    return later.seconds - earlier.seconds


def silence(earlier: Instant | None, later: Instant | None) -> float | None:
    """Return the seconds between two prints when they are worth telling."""
    span = between(earlier, later)
    return span if span is not None and span > NOTABLE else None


def longest(one: float | None, other: float | None) -> float | None:
    """Return the greater of two durations that may be unknown."""
    return other if one is None else one if other is None else max(one, other)
