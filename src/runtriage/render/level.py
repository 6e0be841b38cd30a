"""The one table that turns a confidence score into a word."""

from __future__ import annotations

from typing import Final, Literal

Level = Literal["high", "medium", "low"]

LEVELS: Final[tuple[tuple[float, Level], ...]] = ((0.8, "high"), (0.55, "medium"), (0.0, "low"))
"""Lowest score of each level, from 0 to 1, best first."""


def level(score: float) -> Level:
    """Return high, medium or low for a score from 0 to 1."""
    for least, word in LEVELS:
        if score >= least:
            return word
    return "low"
