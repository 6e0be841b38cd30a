"""Counts that stay small however many different things are counted."""

from __future__ import annotations

from typing import Final

from msgspec import Struct, field

_LIMIT: Final = 20_000
"""Names kept at most; beyond twice as many the rarest are forgotten, and the count says so."""


class Line(Struct):
    """How often, with how many run-hours, and one run as an example."""

    runs: int = 0
    hours: float = 0.0
    example: str = ""


class Tally(Struct):
    """Runs by name."""

    lines: dict[str, Line] = field(default_factory=dict[str, Line])
    forgotten: int = 0
    """Runs whose names were forgotten because too many different ones were met."""

    def add(self, name: str, hours: float | None, example: str) -> None:
        """Count one run."""
        line = self.lines.get(name)
        if line is None:
            if len(self.lines) >= 2 * _LIMIT:
                self._shrink()
            line = self.lines[name] = Line(example=example)
        line.runs += 1
        line.hours += hours or 0.0

    def top(self, count: int | None = None) -> list[tuple[str, Line]]:
        """Return the most frequent names; at equal count in order of hours, then of name."""
        return sorted(self.lines.items(), key=lambda item: (-item[1].runs, -item[1].hours, item[0]))[:count]

    def _shrink(self) -> None:
        kept = dict(self.top(_LIMIT))
        self.forgotten += sum(line.runs for name, line in self.lines.items() if name not in kept)
        self.lines = kept
