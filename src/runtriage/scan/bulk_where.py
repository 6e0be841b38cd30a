"""Where many lines that were read at once stand: offsets, steps, line numbers and times, all of them as columns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from runtriage.model.series import Columns
from runtriage.scan.block import Block
from runtriage.scan.bulk import Batch
from runtriage.scan.bulk_clock import read_clock
from runtriage.scan.bulk_numbers import Numbers, Places, Text
from runtriage.scan.table import Place
from runtriage.scan.ticks import Ticks

Slow = Callable[[int], Place]
"""Tells where one row stands."""


class Share(NamedTuple):
    """Rows of one batch: their places among the rows that are asked for, the rows themselves, and where they start."""

    at: Places
    rows: Places
    starts: Places


class Where:
    """The columns of some rows as they are filled."""

    def __init__(self, block: Block, count: int) -> None:
        self._block = block
        self._text = Text(block.data, block.top)
        self._steps = np.full(count, np.nan)
        self._times = np.full(count, np.nan)
        self._lines = np.zeros(count, np.int64)
        self._offsets = np.zeros(count, np.int64)

    def columns(self) -> Columns:
        """Return them packed."""
        packed = (each.tobytes() for each in (self._steps, self._lines, self._times, self._offsets))
        return Columns(*packed)

    def add_each(self, share: Share, place: Slow) -> None:
        """Fill in rows one by one."""
        for at, row in zip(share.at.tolist(), share.rows.tolist(), strict=True):
            byte, step, line, seconds = place(row)
            self._offsets[at], self._lines[at] = byte, line
            self._steps[at] = np.nan if step is None else step
            self._times[at] = np.nan if seconds is None else seconds

    def add(self, batch: Batch, ticks: Ticks | None, share: Share, place: Slow) -> None:
        """Fill in rows of one batch, all at once where their shape and the place of their time are known."""
        shape, breaks = batch.shape, self._block.breaks
        place_of_time = ticks.place if ticks is not None else None
        shift = 0 if batch.own else len(batch.prefix)
        if (
            shape is None
            or breaks is None
            or not self._block.uncoded
            or int(share.starts.min()) < self._block.low
            or (steps := shape.steps(self._text, share.starts)) is None
            or ticks is None
            or (not ticks.silent and (place_of_time is None or place_of_time < shift))
        ):
            self.add_each(share, place)
            return
        self._steps[share.at] = steps
        self._offsets[share.at] = share.starts + self._block.base
        self._lines[share.at] = np.searchsorted(np.asarray(breaks[0]), share.starts) + (
            self._block.line + 1 - breaks[1]
        )
        if place_of_time is not None:
            self._times[share.at] = self._clock(share, share.starts + (place_of_time - shift), ticks, place)

    def _clock(self, share: Share, starts: Places, ticks: Ticks, place: Slow) -> Numbers:
        odd: dict[int, float | None] = {}

        def full(index: int) -> None:
            odd[index] = place(int(share.rows[index])).seconds

        seconds = read_clock(self._text, starts, ticks, full)
        for index in np.flatnonzero(np.isnan(seconds)).tolist():
            known = odd.get(index)
            seconds[index] = np.nan if known is None else known
        return seconds


def shares(rows: Sequence[int], order: Places, starts: Places, offsets: Sequence[int]) -> list[Share]:
    """Return for each batch which of some rows are its own; `order` are the rows by their place in all batches together."""
    chosen = np.asarray(rows, np.int64)
    part = np.searchsorted(np.asarray(offsets), order[chosen], "right") - 1
    found: list[Share] = []
    for index in range(len(offsets) - 1):
        at = np.flatnonzero(part == index)
        found.append(Share(at, chosen[at], starts[chosen[at]]))
    return found
