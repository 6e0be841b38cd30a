"""Walks many lines of one layout at once, piece by piece."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from runtriage.scan.bulk_numbers import WORD, Flags, Places, Text, Words, read_values
from runtriage.scan.layout import Layout, Piece

_BLANKS: Final = 24
_DIGITS: Final = 20


@dataclass(frozen=True, slots=True)
class _Mask:
    """A stretch of fixed length: bytes that must stand there, and places where any digit may."""

    length: int
    want: Words
    fixed: Words
    holes: Words


@dataclass(frozen=True, slots=True)
class _Value:
    """A number of the layout, with its group."""

    group: int
    forms: frozenset[str]
    commas: bool
    whole: bool


_Step = _Mask | _Value | str


Numbers = NDArray[np.float64]


class Walked(NamedTuple):
    """The lines that were read, a column for each value of their layout, and their planned last steps if they print any."""

    rows: Places
    columns: list[Numbers]
    totals: Numbers | None


class Walk:
    """A launcher's prefix and a layout, made ready."""

    def __init__(self, prefix: bytes, layout: Layout) -> None:
        totals = [group for name, group in layout.places if name == "total"]
        self._wanted = {group for _, group in layout.values} | set(totals)
        self._total = totals[0] if totals else 0
        self.layout = layout
        self.prefix = prefix
        self.steps: list[_Step] = []
        self.possible = not layout.voices and all(piece.kind != "bar" for piece in layout.pieces)
        text = [(byte, False) for byte in prefix]
        group = 0
        for piece in layout.pieces:
            if piece.kind in ("text", "form"):
                text += [(byte, piece.kind == "form" and 48 <= byte <= 57) for byte in piece.text]
                continue
            self._flush(text)
            if piece.kind in ("value", "count"):
                group += 1
                self.steps.append(_value(piece, group))
            else:
                self.steps.append(piece.kind)
        self._flush(text)

    def _flush(self, text: list[tuple[int, bool]]) -> None:
        if text:
            self.steps.append(_mask(text))
            text.clear()

    def run(self, text: Text, starts: Places, ends: Places) -> Walked:
        """Return which lines the layout reads and what they say."""
        rows = np.arange(len(starts))
        at = starts
        found: dict[int, Numbers] = {}
        for step in self.steps:
            if isinstance(step, _Mask):
                good = _matches(text, at, step)
                at = at + step.length
            elif isinstance(step, _Value):
                values, at, good = read_values(text, at, step.forms, step.commas)
                if step.whole:
                    good &= values > 0
                if step.group in self._wanted:
                    found[step.group] = values
            else:
                at, good = _skip(text, at, blanks=step == "gap")
            rows, at, found = _kept(rows, at, found, good)
            if not len(rows):
                return Walked(rows, [], None)
        rows, at, found = _kept(rows, at, found, at == ends[rows])
        return Walked(rows, [found[group] for _, group in self.layout.values], found.get(self._total))


def _kept(
    rows: Places, at: Places, found: dict[int, Numbers], good: Flags
) -> tuple[Places, Places, dict[int, Numbers]]:
    if good.all():
        return rows, at, found
    return rows[good], at[good], {group: values[good] for group, values in found.items()}


def _mask(text: list[tuple[int, bool]]) -> _Mask:
    size = -(-len(text) // WORD) * WORD
    want, fixed, holes = np.zeros((3, size), np.uint8)
    for index, (byte, hole) in enumerate(text):
        want[index] = 0 if hole else byte
        fixed[index] = 0 if hole else 255
        holes[index] = 255 if hole else 0
    return _Mask(len(text), want.view(np.uint64), fixed.view(np.uint64), holes.view(np.uint64))


def _value(piece: Piece, group: int) -> _Value:
    if piece.kind == "count":
        return _Value(group, frozenset(), False, "positive" in piece.forms)
    return _Value(group, piece.forms, b"," in piece.text and "comma" in piece.forms, False)


_SIX: Final = np.uint64(0x0606060606060606)
_UPPER: Final = np.uint64(0xF0F0F0F0F0F0F0F0)
_THREES: Final = np.uint64(0x3030303030303030)


def _matches(text: Text, places: Places, mask: _Mask) -> Flags:
    words = text.words(places, len(mask.want))
    wrong = np.zeros(len(places), np.uint64)
    for column, (want, fixed, holes) in enumerate(zip(mask.want, mask.fixed, mask.holes, strict=True)):
        word = words[:, column]
        if fixed:
            wrong |= (word ^ want) & fixed
        if holes:
            digits = word & holes
            three = _THREES & holes
            wrong |= ((digits & _UPPER) ^ three) | (((digits + (_SIX & holes)) & _UPPER & holes) ^ three)
    return wrong == 0


def _skip(text: Text, places: Places, *, blanks: bool) -> tuple[Places, Flags]:
    """Go on behind two or more blanks, or behind one or more digits."""
    least, most = (2, _BLANKS) if blanks else (1, _DIGITS)
    count = np.zeros(len(places), np.int64)
    active = np.ones(len(places), bool)
    for step in range(most):
        char = text.bytes[places + step]
        active &= (char == 32) if blanks else (char - np.uint8(48) < 10)
        count += active
        if step + 1 >= least and not active.any():
            break
    return places + count, (count >= least) & ~active
