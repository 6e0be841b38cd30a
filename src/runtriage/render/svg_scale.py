"""Numbers to places on a drawing, and back to short labels."""

from __future__ import annotations

import math

from msgspec import Struct


class Scale(Struct, frozen=True):
    """Maps values between `low` and `high` to places between `start` and `end`, by size or by order of magnitude."""

    low: float
    high: float
    start: float
    end: float
    log: bool = False

    def at(self, value: float) -> float:
        """Return the place of a value, to a tenth of a unit."""
        low, high, here = (math.log10(item) if self.log else item for item in (self.low, self.high, value))
        part = (here - low) / (high - low) if high > low else 0.5
        return round(self.start + min(max(part, 0.0), 1.0) * (self.end - self.start), 1)

    def middle(self) -> float:
        """Return the value in the middle of the drawing."""
        if self.log:
            return 10 ** ((math.log10(self.low) + math.log10(self.high)) / 2)
        return self.low + (self.high - self.low) / 2


def number(value: float | None) -> str:
    """Return a value in at most four digits; what is not finite is `nan`."""
    if value is None or not math.isfinite(value):
        return "nan"
    return f"{value:,.0f}" if value == int(value) and abs(value) < 1e7 else f"{value:.4g}"


def whole(value: float) -> str:
    """Return a step with thousands marked."""
    return f"{value:,.0f}" if value == int(value) else f"{value:,.2f}"
