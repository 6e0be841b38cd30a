"""Walks many lines of one layout at once, piece by piece."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
from msgspec import Struct

from runtriage.scan.bulk_numbers import WORD, Flags, Numbers, Places, Text, Words, read_values, skip_same
from runtriage.scan.layout import Layout, Piece

_MANY: Final = 64


class _Mask(Struct, frozen=True):
    """A stretch of fixed length: bytes that must stand there, and places where any digit may."""

    length: int
    want: Words
    fixed: Words
    holes: Words


class _Value(Struct, frozen=True):
    """A number of the layout, with its group."""

    group: int
    forms: frozenset[str]
    commas: bool


_Step = _Mask | _Value | str


class Walked(NamedTuple):
    """The lines that were read, a column for each value of their layout, and their planned last steps if they print any."""

    rows: Places
    columns: list[Numbers]
    totals: Numbers | None


class Walk:
    """A launcher's prefix and a layout, made ready.

    With `idle`, the numbers of digits of those numbers that mean nothing, only lines that agree in them are read, and faster.
    """

    def __init__(self, prefix: bytes, layout: Layout, idle: Sequence[int] = ()) -> None:
        totals = [group for name, group in layout.places if name == "total"]
        self._wanted = {group for _, group in layout.values} | set(totals)
        self._total = totals[0] if totals else 0
        self.layout = layout
        self.prefix = prefix
        self.steps: list[_Step] = []
        self.possible = not layout.voices and all(piece.kind != "bar" for piece in layout.pieces)
        text = [(byte, False) for byte in prefix]
        group, lengths = 0, list(idle)
        for piece in layout.pieces:
            if piece.kind == "digits" and lengths:
                text += [(48, True)] * lengths.pop(0)
                continue
            if piece.kind in ("text", "form"):
                text += [(byte, piece.kind == "form" and 48 <= byte <= 57) for byte in piece.text]
                continue
            self._flush(text)
            if piece.kind in ("value", "count"):
                group += 1
                self.steps.append(_value(piece, group, wanted=group in self._wanted))
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
                found[step.group], at, good = read_values(text, at, step.forms, step.commas)
            else:
                at, good = _skip(text, at, step)
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


def _value(piece: Piece, group: int, *, wanted: bool) -> _Step:
    if piece.kind == "value":
        return _Value(group, piece.forms, b"," in piece.text and "comma" in piece.forms)
    if "positive" in piece.forms:
        return "positive"
    return _Value(group, frozenset(), False) if wanted else "digits"


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


def _skip(text: Text, places: Places, kind: str) -> tuple[Places, Flags]:
    """Go on behind a gap of two or more blanks, behind digits, or behind a whole number that is not zero."""
    count = skip_same(text, places, blanks=kind == "gap")
    good = (count >= (2 if kind == "gap" else 1)) & (count < _MANY)
    if kind == "positive":
        good &= text.bytes[places] != 48
    return places + count, good
