"""Reads lines of one layout whose parts are all as long as in a sample: every number then stands in known columns."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from runtriage.scan.bulk_columns import Mask, Run, Runs
from runtriage.scan.bulk_numbers import EXACT, TENS, WORD, Numbers, Places, Text, scaled
from runtriage.scan.bulk_walk import Walked
from runtriage.scan.layout import Layout, Piece

_ROWS: Final = 1024
"""Lines that are read at once: what they need then stays in a core's own cache."""
_WIDEST: Final = 1024
_FORM: Final = re.compile(
    rb"(?P<sign>-?)(?P<whole>\d+(?:,\d{3})*)(?:\.(?P<fraction>\d+))?(?:[eE](?P<down>[-+]?)(?P<power>\d\d))?"
)


class _Number(Struct, frozen=True):
    """A number in fixed columns: its runs of digits as numbers of the shape's table, each with the power of ten it counts by.

    `power` is the run of the exponent, if it has one, and `down` whether that is negative.
    """

    group: int
    runs: tuple[tuple[int, int], ...]
    fraction: int
    negative: bool
    power: int | None
    down: bool


class Shape:
    """The columns of one sample line behind its launcher's prefix; `possible` is false where it cannot be read so."""

    def __init__(self, prefix: bytes, layout: Layout, body: bytes) -> None:
        self.layout = layout
        self.length = len(prefix) + len(body)
        totals = [group for name, group in layout.places if name == "total"]
        self._total = totals[0] if totals else 0
        self._wanted = {group for _, group in layout.values} | set(totals)
        self._runs: list[Run] = []
        self._numbers: list[_Number] = []
        self._nonzero: list[int] = []
        spans = layout.spans(body)
        self.possible = bool(spans) and self.length <= _WIDEST
        if not spans:
            return
        holes = bytearray(len(prefix))
        group = 0
        for piece, (start, end) in zip(layout.pieces, spans, strict=True):
            holes += bytes(_holes(piece, body[start:end]))
            if piece.kind in ("value", "count"):
                group += 1
                self.possible &= self._number(piece, group, body[start:end], len(prefix) + start)
        self._mask, self._table = Mask(prefix + body, holes), Runs(self._runs)

    def _number(self, piece: Piece, group: int, token: bytes, column: int) -> bool:
        """Plan how a number is read; tell whether that is possible."""
        if piece.kind == "count" and "positive" in piece.forms:
            self._nonzero.append(column)
        if group not in self._wanted:
            return True
        found = _FORM.fullmatch(token)
        if found is None or sum(48 <= byte <= 57 for byte in found["whole"] + (found["fraction"] or b"")) > EXACT:
            return False
        runs: list[tuple[int, int]] = []
        fraction, power = len(found["fraction"] or b""), None
        scale = 0
        for run in reversed(list(_runs(found, column))):
            self._runs.append(run)
            runs.append((len(self._runs) - 1, scale))
            scale += run.digits
        if found["power"]:
            self._runs.append(Run(column + found.start("power"), 2))
            power = len(self._runs) - 1
        self._numbers.append(_Number(group, tuple(runs), fraction, bool(found["sign"]), power, found["down"] == b"-"))
        return True

    def run(self, text: Text, starts: Places, ends: Places) -> Walked:
        """Return which lines have this shape and what they say."""
        chosen = np.flatnonzero(ends - starts == self.length)
        parts = [self._some(text, starts, chosen[low : low + _ROWS]) for low in range(0, len(chosen), _ROWS)]
        parts = [part for part in parts if len(part[0])]
        if not parts:
            return Walked(np.zeros(0, np.int64), [], None)
        rows = np.concatenate([rows for rows, _ in parts])
        found = {
            number.group: np.concatenate([columns[index] for _, columns in parts])
            for index, number in enumerate(self._numbers)
        }
        return Walked(rows, [found[group] for _, group in self.layout.values], found.get(self._total))

    def _some(self, text: Text, starts: Places, rows: Places) -> tuple[Places, list[Numbers]]:
        at = starts[rows]
        good = self._mask.holds(text.words(at, self._mask.width))
        for column in self._nonzero:
            good &= text.bytes[at + column] != 48
        if not good.all():
            rows, at = rows[good], at[good]
        digits = self._table.read(text, at)
        columns = [_value(number, digits) for number in self._numbers]
        fits = [good for _, good in columns if good is not None]
        if not fits:
            return rows, [values for values, _ in columns]
        good = np.logical_and.reduce(fits)
        return rows[good], [values[good] for values, _ in columns]


def _holes(piece: Piece, token: bytes) -> Iterator[bool]:
    """Yield for each byte of a part whether any digit may stand there."""
    number = piece.kind in ("value", "count", "digits", "form")
    return (number and 48 <= byte <= 57 for byte in token)


def _runs(found: re.Match[bytes], column: int) -> Iterator[Run]:
    """Yield the digits of a number in runs; a point or comma may stand within one."""
    start, end = found.start("whole"), found.end("fraction" if found["fraction"] else "whole")
    token = found.string
    while start < end:
        stop, mark = start, None
        while stop < end and stop - start < WORD and (mark is None or 48 <= token[stop] <= 57):
            if not 48 <= token[stop] <= 57:
                mark = stop - start
            stop += 1
        yield Run(column + start, stop - start - (mark is not None), mark)
        start = stop


def _value(number: _Number, digits: NDArray[np.int64]) -> tuple[Numbers, NDArray[np.bool_] | None]:
    """Return a number of many lines, and where it can be told exactly (None: everywhere)."""
    (first, _), *rest = number.runs
    whole = digits[first]
    for run, scale in rest:
        whole = whole + digits[run] * 10**scale
    values = whole.astype(np.float64)
    good = None
    if number.power is None:
        values /= TENS[number.fraction]
    else:
        power = (-digits[number.power] if number.down else digits[number.power]) - number.fraction
        good = (power >= -22) & (power <= 22)
        values = scaled(values, power)
    return (-values if number.negative else values), good
