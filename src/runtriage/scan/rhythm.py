"""At what rhythm lines came while work still moved."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from runtriage.model.time import Instant
from runtriage.scan.silence import between


class Line(Protocol):
    """A line of a log."""

    @property
    def shape(self) -> bytes:
        """Return its words without numbers."""
        ...

    @property
    def numbers(self) -> tuple[bytes, ...]:
        """Return the numbers in it."""
        ...

    @property
    def start(self) -> int:
        """Return where it begins."""
        ...

    @property
    def end(self) -> int:
        """Return where it ends."""
        ...

    @property
    def when(self) -> Instant | None:
        """Return when it was printed."""
        ...


class Before(NamedTuple):
    """What came before a standstill: how many lines moved, how many of the lines that now stand came between two of those at most,
    whether any came at all, and the longest time between two that moved."""

    moves: int = 0
    usual: int = 0
    known: bool = False
    pace: float | None = None
    last: Line | None = None
    """The last line that moved."""


def before(lines: Sequence[Line], stood: Sequence[Line]) -> Before:
    """Return the rhythm of lines in the order they were printed; `stood` are those that are repeated behind them.

    A line moves where one of its shape stands above it with other numbers.
    """
    kinds: dict[bytes, set[tuple[bytes, ...]]] = {}
    for line in stood:
        kinds.setdefault(line.shape, set()).add(line.numbers)
    state: dict[bytes, tuple[bytes, ...]] = {}
    moves = usual = run = 0
    known = False
    pace: float | None = None
    last: Line | None = None
    when = since = None
    coarse = all(line.when is None or line.when.seconds == int(line.when.seconds) for line in lines)
    for line in lines:
        moved = state.get(line.shape, line.numbers) != line.numbers
        state[line.shape] = line.numbers
        known = known or line.shape in kinds
        if line.shape in kinds and not moved:
            run += 1
        if not moved:
            continue
        gap = between(when, line.when)
        if gap is not None:
            pace = max(gap, pace or 0.0)
        usual = max(usual, run) if moves else usual
        moves, run, last, when = moves + 1, 0, line, line.when or when
        since = since or when
    span = between(since, when)
    if coarse and pace is not None and span is not None:
        pace = max(pace - 1.0, span / max(moves - 1, 1))  # times without fractions make a moment a second
    moves += any(state[shape] not in numbers for shape, numbers in kinds.items() if shape in state)
    return Before(moves, usual, known, pace, last)
