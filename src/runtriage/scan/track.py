"""Tells a run's own steps from those of bars that run inside it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple, Protocol

from msgspec import Struct, field

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


_RUNS: Final = 8192
"""Changes from one total to another that are remembered."""


class Reach(Struct, frozen=True):
    """How far a subject had come: in which run of equal totals (-1: before any), and the last step it had printed."""

    run: int
    step: int | None
    total: int | None = None


NOWHERE: Final = Reach(-1, None)


class Replay(NamedTuple):
    """Which runs of a later stretch are the run's own in the light of what came before, and the last own step before each."""

    last: int | None
    runs: list[tuple[bool, int | None]]

    def step(self, reach: Reach, before: int | None) -> int | None:
        """Return the last own step at a place in the later stretch; `before` is the last one before the stretch."""
        if reach.run < 0:
            return before
        if reach.run >= len(self.runs):
            return reach.step
        own, last = self.runs[reach.run]
        return reach.step if own else last


class Track(Struct):
    """The run's own bar: the first total that is printed, and the next one once that is reached.

    A bar with another total that begins before the own one is full belongs to an evaluation inside the run; its steps do not
    count. `at` is the last own step that was printed with a total.
    """

    total: int | None = None
    at: int = 0
    inner: set[int] = field(default_factory=set[int])
    beside: set[int] = field(default_factory=set[int])
    runs: list[tuple[int | None, int]] = field(default_factory=list["tuple[int | None, int]"])
    """The totals in the order they were printed, each with the last step of its run: what `join` needs to go over it again."""

    def follow(self, printed: Printed, rows: Sequence[int]) -> Sequence[int]:
        """Follow the lines that print a step, in order; return those whose steps are the run's own."""
        totals = printed.totals(rows) if rows else set[int | None]()
        if len(totals) == 1:
            (total,) = totals
            return rows if self._take(printed.said(rows[-1]).step or 0, total) else ()
        own: list[int] = []
        for index in rows:
            step, total = printed.said(index).step, printed.total(index)
            if step is not None and self._take(step, total):
                own.append(index)
        return own

    def note(self, printed: Printed, rows: Sequence[int]) -> None:
        """Remember the totals of lines that print a step, for `join`."""
        for index in rows if len(printed.totals(rows)) > 1 else rows[-1:]:
            self._note(printed.total(index), printed.said(index).step or 0)

    def rewind(self) -> None:
        """Forget lines that were followed but belong to the next attempt."""
        self.total, self.at = None, 0
        self.inner.clear()
        self.beside.clear()
        for total, step in self.runs:
            self._take(step, total)

    def _note(self, total: int | None, step: int) -> None:
        if self.runs and self.runs[-1][0] == total:
            self.runs[-1] = (total, step)
        elif len(self.runs) < _RUNS:
            self.runs.append((total, step))

    def join(self, later: Track, last: int | None) -> Replay:
        """Go on with what was seen further on, `last` being the last own step so far."""
        replay = Replay(last, [])
        for total, step in later.runs:
            self._note(total, step)
            own = self._take(step, total)
            replay.runs.append((own, last))
            last = step if own else last
        return replay._replace(last=last)

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
