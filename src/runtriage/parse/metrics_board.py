"""The metrics of one document by name, of which there may be any number."""

from __future__ import annotations

from runtriage.model.naming import meaning
from runtriage.model.series import Series
from runtriage.model.subject import NOBODY, Subject
from runtriage.parse.metrics_growing import Growing

_KNOWN = 1000
_OTHERS = 200
"""How many metrics with and without a known meaning one document may have."""


class Board:
    """The metrics of one document by name; `left_out` counts names there was no room for."""

    def __init__(self, *, evaluating: bool = False) -> None:
        self._columns: dict[str, Growing | None] = {}
        self._roles: dict[str, str | None] = {}
        self._evaluating = evaluating
        self._others = 0
        self._expected = 0
        self.left_out = 0

    def column(self, name: str, role: str | None = None) -> Growing | None:
        """Return the metric of a name, a new one where there is room, or None; `role` overrides what the name means."""
        try:
            return self._columns[name]
        except KeyError:
            return self._new(name, role)

    def _new(self, name: str, role: str | None) -> Growing | None:
        meant = role or meaning(name, self._evaluating).role
        if meant is None:
            self._others += 1
        full = len(self._columns) >= _KNOWN or (meant is None and self._others > _OTHERS)
        if full:
            self.left_out += 1
            if self.left_out > _KNOWN:
                return None
        self._roles[name] = meant
        column = self._columns[name] = None if full else Growing()
        if column is not None:
            column.expect(self._expected)
        return column

    def expect(self, count: int) -> None:
        """About so many values of each metric will come; only what is said first counts."""
        if not self._expected:
            self._expected = count
            for column in filter(None, self._columns.values()):
                column.expect(count)

    def series(self, artifact: str, subject: Subject = NOBODY) -> list[Series]:
        """Return every metric as a series."""
        found: list[Series] = []
        for name, column in self._columns.items():
            if column is not None:
                column.settle()
                if column.total:
                    found.append(column.series(artifact, name, self._roles[name], subject))
        return found

    def cut(self) -> str | None:
        """Say how many metrics were left out, None for none."""
        return f"{self.left_out:,} more metrics than are read from one file" if self.left_out else None
