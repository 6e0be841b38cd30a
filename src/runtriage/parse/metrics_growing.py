"""Series that grow value by value in memory that does not grow with the run."""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterator, Sequence
from itertools import pairwise

from runtriage.model.naming import meaning
from runtriage.model.series import Point, Series
from runtriage.model.subject import NOBODY, Subject

WHOLE = 2048
"""A series of up to this many finite values is kept whole."""
_STRETCHES = 1024
"""Longer ones keep first, least, greatest and last value of at most this many stretches, older ones joined in pairs."""
_FIRST = 4
"""How many values the first stretches span."""
_NONFINITE = 256
_KNOWN = 1000
_OTHERS = 200
"""How many metrics with and without a known meaning one document may have."""
_ROW = 5
"""Numbers a held value takes: step, value, time, line, byte."""


class Growing:
    """One metric: values in the order they were written, each with its step and time (seconds, NaN where unknown)."""

    __slots__ = ("_before", "_held", "_last", "_rows", "_width", "_wild", "nonfinite", "total")

    def __init__(self) -> None:
        self.total = 0
        self.nonfinite = 0
        self._held = array("d")
        self._rows: list[list[Point]] = []
        self._width = _FIRST
        self._wild: list[Point] = []
        self._before: Point | None = None
        self._last: Point | None = None

    def add(self, step: float, value: float, time: float, line: int = 0, byte: int = -1) -> None:
        """Take one value in; `line` and `byte` say where it stands in a text."""
        self.total += 1
        if value - value == 0.0:
            held = self._held
            held.extend((step, value, time, line, byte))
            if len(held) >= WHOLE * _ROW:
                self._spread()
            return
        self.nonfinite += 1
        if not self._wild:
            self._before = self._latest()
        self._last = _point(step, value, time, line, byte)
        if len(self._wild) < _NONFINITE:
            self._wild.append(self._last)

    def extend(
        self, steps: Sequence[float], values: Sequence[float], times: Sequence[float], line: int, bytes_: Sequence[int]
    ) -> None:
        """Take in values that are all finite, of lines that follow one another from `line` on; the same as `add` for each."""
        at, count = 0, len(values)
        while at < count:
            room = min(WHOLE - len(self._held) // _ROW, count - at)
            rows = array("d", bytes(8 * _ROW * room))
            told = (steps, values, times, range(line, line + count), bytes_)
            for place, numbers in enumerate(told):
                rows[place::_ROW] = array("d", numbers[at : at + room])
            self._held.extend(rows)
            self.total += room
            at += room
            if len(self._held) >= WHOLE * _ROW:
                self._spread()

    def _latest(self) -> Point | None:
        if self._held:
            return _point(*self._held[-_ROW:])
        return self._rows[-1][-1] if self._rows else None

    def _spread(self) -> None:
        """Move the held values into stretches, and join stretches in pairs where there are too many."""
        values = self._held[1::_ROW]
        for start in range(0, len(values), self._width):
            self._rows.append(self._extremes(start, values[start : start + self._width]))
        self._held = array("d")
        while len(self._rows) > _STRETCHES:
            self._rows = [_joined(self._rows[index : index + 2]) for index in range(0, len(self._rows), 2)]
            self._width = min(self._width * 2, WHOLE)

    def _extremes(self, start: int, values: array[float]) -> list[Point]:
        least, greatest = values.index(min(values)), values.index(max(values))
        kept = sorted({0, least, greatest, len(values) - 1})
        return [_point(*self._held[(start + index) * _ROW : (start + index + 1) * _ROW]) for index in kept]

    def points(self) -> list[Point]:
        """Return what is kept, in order."""
        return [point for row in self._rows for point in row] + list(self._tail())

    def _tail(self) -> Iterator[Point]:
        for at in range(0, len(self._held), _ROW):
            yield _point(*self._held[at : at + _ROW])

    def series(self, artifact: str, name: str, role: str | None, subject: Subject = NOBODY) -> Series:
        """Return the series."""
        finite = self.points()
        before = self._before if self._wild else (finite[-1] if finite else None)
        return Series(
            artifact=artifact,
            name=name,
            role=role,
            subject=subject,
            points=tuple(self._merged(finite)),
            total=self.total,
            nonfinite=self.nonfinite,
            first_nonfinite=self._wild[0] if self._wild else None,
            last_finite=before,
            minimum=min(finite, key=_value, default=None),
            maximum=max(finite, key=_value, default=None),
        )

    def _merged(self, finite: list[Point]) -> list[Point]:
        """Return finite and other values in order of step; where nothing is finite after the last other one, it stays last."""
        if not self._wild:
            return finite
        wild = list(self._wild)
        if self._last is not None and self._last is not wild[-1]:
            wild.append(self._last)
        found = finite + wild
        if all(one.step <= two.step for one, two in pairwise(finite)):
            found.sort(key=lambda point: point.step)
        return found


def _point(step: float, value: float, time: float, line: float, byte: float) -> Point:
    return Point(step, value, int(line), None if math.isnan(time) else time, int(byte))


def _value(point: Point) -> float:
    return point.value


def _joined(rows: list[list[Point]]) -> list[Point]:
    every = [point for row in rows for point in row]
    chosen = {id(every[0]), id(every[-1]), id(min(every, key=_value)), id(max(every, key=_value))}
    return [point for point in every if id(point) in chosen]


class Board:
    """The metrics of one document by name; `left_out` counts names there was no room for."""

    def __init__(self, *, evaluating: bool = False) -> None:
        self._columns: dict[str, Growing | None] = {}
        self._roles: dict[str, str | None] = {}
        self._evaluating = evaluating
        self._others = 0
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
        self._columns[name] = None if full else Growing()
        return self._columns[name]

    def series(self, artifact: str, subject: Subject = NOBODY) -> list[Series]:
        """Return every metric as a series."""
        return [
            column.series(artifact, name, self._roles[name], subject)
            for name, column in self._columns.items()
            if column is not None and column.total
        ]

    def cut(self) -> str | None:
        """Say how many metrics were left out, None for none."""
        return f"{self.left_out:,} more metrics than are read from one file" if self.left_out else None
