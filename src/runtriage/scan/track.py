"""Tells a run's own steps from those of bars that run inside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from runtriage.scan.contract import MetricLine


class Printed(Protocol):
    """Metric lines by number."""

    def said(self, index: int) -> MetricLine:
        """Return what a line says."""
        ...

    def total(self, index: int) -> int | None:
        """Return the planned last step a line prints."""
        ...

    def totals(self, rows: Sequence[int]) -> set[int | None]:
        """Return all planned last steps that some lines print."""
        ...


@dataclass(slots=True)
class Track:
    """The run's own bar: the first total that is printed, and the next one once that is reached.

    A bar with another total that begins before the own one is full belongs to an evaluation inside the run; its steps do not
    count. `at` is the last own step that was printed with a total.
    """

    total: int | None = None
    at: int = 0
    inner: set[int] = field(default_factory=set[int])
    beside: set[int] = field(default_factory=set[int])

    def follow(self, printed: Printed, rows: Sequence[int]) -> Sequence[int]:
        """Follow the lines that print a step, in order; return those whose steps are the run's own."""
        totals = printed.totals(rows) if rows else set[int | None]()
        if not totals:
            return ()
        if totals == {None}:
            return rows
        if totals == {self.total}:
            self._resume()
            self.at = printed.said(rows[-1]).step or 0
            return rows
        own: list[int] = []
        for index in rows:
            step = printed.said(index).step
            if step is not None and self._take(step, printed.total(index)):
                own.append(index)
        return own

    def join(self, later: Track) -> bool:
        """Go on with what was seen further on; tell whether its steps are the run's own."""
        own = self.total is None or later.total in (None, self.total)
        own = own or (later.total not in self.inner and self.at >= (self.total or 0))
        self.inner |= later.inner
        if own:
            self._resume()
            self.total, self.at = (later.total, later.at) if later.total is not None else (self.total, self.at)
        return own

    def _take(self, step: int, total: int | None) -> bool:
        if total is None:
            return True
        if total == self.total:
            self._resume()
        elif self.total is None or (total not in self.inner and self.at >= self.total):
            self.total = total
        else:
            self.beside.add(total)
            return False
        self.at = step
        return True

    def _resume(self) -> None:
        self.inner |= self.beside
        self.beside.clear()
