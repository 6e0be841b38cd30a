"""Series that grow value by value in memory that does not grow with the run."""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Sequence
from itertools import chain

from runtriage.model.series import Point, Series
from runtriage.model.subject import NOBODY, Subject

WHOLE = 2048
"""A series of fewer finite values is kept whole."""
_STRETCHES = 1024
"""Longer ones keep first, least, greatest and last value of at most this many stretches, older ones joined in pairs."""
_FIRST = 4
"""How many values the first stretches span, where nobody knows how many will come."""
_NONFINITE = 256
_CHANGES = 256
"""Values that differ from the one before are kept while there are no more (settings that rarely change)."""
_ROW = 6
"""Numbers a kept value takes: step, value, time, line, byte, and its rank in the series."""
_STRETCH = 4 * _ROW

Row = tuple[float, float, float, float]
"""What is known of a value beside itself: step, time (seconds, NaN where unknown), line (0 for none), byte (-1 for none)."""


class Growing:
    """One metric: values in the order they were written; the result depends on them alone, not on how they were handed over."""

    __slots__ = (
        "_before",
        "_changes",
        "_held",
        "_last_wild",
        "_previous",
        "_rows",
        "_waiting",
        "_width",
        "_wild",
        "nonfinite",
        "total",
    )

    def __init__(self) -> None:
        self.total = 0
        self.nonfinite = 0
        self._held = array("d")
        self._rows = array("d")
        self._width = _FIRST
        self._changes: array[float] | None = array("d")
        self._previous = math.nan
        self._wild = array("d")
        self._before = array("d")
        self._last_wild = array("d")
        self._waiting = (array("d"), array("d"), array("d"))

    def expect(self, count: int) -> None:
        """About so many values will come: stretches then need not be joined. What is said after the first were made is too late."""
        while not self._rows and self._width < WHOLE and self._width * _STRETCHES < count:
            self._width *= 2

    def add(self, step: float, value: float, time: float, line: int = 0, byte: int = -1) -> None:
        """Take one value in; `line` and `byte` say where it stands in a text."""
        if self._waiting[0]:
            self.settle()
        row = (step, value, time, line, byte, self.total)
        self.total += 1
        if value - value == 0.0:
            if value != self._previous:
                self._changed(row)
            self._previous = value
            self._held.extend(row)
            if len(self._held) >= WHOLE * _ROW:
                self._spread()
            return
        if not self.nonfinite:
            self._before = self._latest()
        self._odd(row)

    def gather(self, values: Sequence[float], steps: Sequence[float], times: Sequence[float]) -> None:
        """Take in values of a document that has no lines, in whatever portions it comes; they count once they are settled."""
        for waiting, numbers in zip(self._waiting, (values, steps, times), strict=True):
            waiting.extend(numbers)
        if len(self._waiting[0]) >= WHOLE:
            self.settle()

    def settle(self) -> None:
        """Count what was gathered."""
        values, steps, times = self._waiting
        if values:
            self._waiting = (array("d"), array("d"), array("d"))
            self.extend(values.tolist(), lambda at: (steps[at], times[at], 0, -1))

    def extend(self, values: list[float], row: Callable[[int], Row]) -> None:
        """Take in values; `row` says what else is known of the one at an index, and is asked only for those that are kept."""
        base = self.total
        places: Sequence[int] = range(len(values))
        finite = values
        if not math.isfinite(sum(values)):
            places = [at for at in places if values[at] - values[at] == 0.0]
            finite = [values[at] for at in places]

        def whole(place: int) -> tuple[float, ...]:
            step, time, line, byte = row(place)
            return step, values[place], time, line, byte, base + place

        if len(places) < len(values):
            self._odd_ones(values, whole)
        self._take(finite, whole if finite is values else lambda at: whole(places[at]))
        self.total = base + len(values)

    def _odd_ones(self, values: list[float], whole: Callable[[int], tuple[float, ...]]) -> None:
        odd = [at for at, value in enumerate(values) if value - value != 0.0]
        if not self.nonfinite:
            self._before = array("d", whole(odd[0] - 1)) if odd[0] else self._latest()
        room = max(_NONFINITE - self.nonfinite, 0)
        for at in odd[:room]:
            self._odd(whole(at))
        if len(odd) > room:
            self.nonfinite += len(odd) - room
            self._last_wild = array("d", whole(odd[-1]))

    def _odd(self, row: Sequence[float]) -> None:
        if self.nonfinite < _NONFINITE:
            self._wild.extend(row)
        self.nonfinite += 1
        self._last_wild = array("d", row)

    def _take(self, values: list[float], whole: Callable[[int], Sequence[float]]) -> None:
        """Take in finite values; those that fill whole stretches are never held."""
        self._note_changes(values, whole)
        held = len(self._held) // _ROW
        wanted = -held % self._width if self._rows else WHOLE - held
        at = 0 if wanted == WHOLE <= len(values) else min(wanted, len(values))
        self._held.extend(chain.from_iterable(map(whole, range(at))))
        if at < len(values) or at == wanted:
            if self._held:
                self._spread()
            at += self._stretch(values[at:], lambda index: whole(at + index))
            self._held.extend(chain.from_iterable(map(whole, range(at, len(values)))))

    def _note_changes(self, values: list[float], whole: Callable[[int], Sequence[float]]) -> None:
        if not values:
            return
        previous, self._previous = self._previous, values[-1]
        if self._changes is None or values.count(previous) == len(values):
            return
        for at, value in enumerate(values):
            if value != previous:
                if not self._changed(whole(at)):
                    return
                previous = value

    def _changed(self, row: Sequence[float]) -> bool:
        """Keep a value that differs from the one before; False where there are too many of them."""
        if self._changes is not None:
            self._changes.extend(row)
            if len(self._changes) > _CHANGES * _ROW:
                self._changes = None
        return self._changes is not None

    def _latest(self) -> array[float]:
        """Return the last finite value that was taken in, empty for none."""
        return (self._held or self._rows)[-_ROW:]

    def _spread(self) -> None:
        """Move the held values that fill whole stretches into them."""
        held = self._held
        taken = self._stretch(held[1::_ROW].tolist(), lambda at: held[at * _ROW : (at + 1) * _ROW])
        self._held = held[taken * _ROW :]

    def _stretch(self, values: list[float], whole: Callable[[int], Sequence[float]]) -> int:
        """Keep first, least, greatest and last of each whole stretch, join all in pairs where there are too many, and say how many values that were."""
        start = 0
        while start + self._width <= len(values):
            room = _STRETCHES - len(self._rows) // _STRETCH
            last = start + min((len(values) - start) // self._width, room) * self._width
            kept: list[float] = []
            for at in range(start, last, self._width):
                part = values[at : at + self._width]
                for place in (0, part.index(min(part)), part.index(max(part)), len(part) - 1):
                    kept += whole(at + place)
            start = last
            self._rows.extend(kept)
            if len(self._rows) == _STRETCHES * _STRETCH:
                self._rows = _joined(self._rows)
                self._width = min(self._width * 2, WHOLE)
        return start

    def series(self, artifact: str, name: str, role: str | None, subject: Subject = NOBODY) -> Series:
        """Return the series."""
        self.settle()
        if self._rows:
            self._spread()
        rows = self._rows + self._held + (self._changes or array("d")) + self._before + self._wild + self._last_wild
        kept = dict(zip(rows[5::_ROW], range(0, len(rows), _ROW), strict=True))
        points = [_point(rows[kept[rank] : kept[rank] + 5]) for rank in sorted(kept)]
        finite = [point for point in points if point.value - point.value == 0.0]
        before = self._before if self.nonfinite else self._latest()
        return Series(
            artifact=artifact,
            name=name,
            role=role,
            subject=subject,
            points=tuple(points),
            total=self.total,
            nonfinite=self.nonfinite,
            first_nonfinite=_point(self._wild[:5]) if self._wild else None,
            last_finite=_point(before[:5]) if before else None,
            minimum=min(finite, key=_value, default=None),
            maximum=max(finite, key=_value, default=None),
        )


def _point(row: array[float]) -> Point:
    step, value, time, line, byte = row
    return Point(step, value, int(line), None if time != time else time, int(byte))


def _value(point: Point) -> float:
    return point.value


def _joined(rows: array[float]) -> array[float]:
    """Return one stretch for two."""
    found = array("d")
    for one in range(0, len(rows), 2 * _STRETCH):
        two = one + _STRETCH
        least = (one if rows[one + _ROW + 1] <= rows[two + _ROW + 1] else two) + _ROW
        greatest = (one if rows[one + 2 * _ROW + 1] >= rows[two + 2 * _ROW + 1] else two) + 2 * _ROW
        for at in (one, least, greatest, two + 3 * _ROW):
            found.extend(rows[at : at + _ROW])
    return found
