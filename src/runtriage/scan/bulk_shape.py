"""Reads lines of one layout whose parts are all as long as in a sample: every number then stands in known columns."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import numpy as np

from runtriage.scan.bulk_clock import Minute
from runtriage.scan.bulk_keys import Coded, Column, Columns, Number, Window
from runtriage.scan.bulk_numbers import EXACT, WORD, Flags, Places, Text, Words
from runtriage.scan.layout import Layout, Piece, number

LEAD: Final = WORD
"""Bytes before a line that are looked at with it: its own line must begin there, or a part of it behind a carriage return."""
_AT_ONCE: Final = 384 * 1024
"""Bytes of lines that are read at once: what they need then stays in a core's own cache."""
_WIDEST: Final = 1024
_COLON: Final = 58
_SURE: Final = 0.9
"""Where less than this share of the lines of the right length was of the shape, a word of each is compared before the whole."""
_FORM: Final = re.compile(
    rb"(?P<sign>-?)(?P<digits>\d+(?:,\d{3})*(?:\.(?P<fraction>\d+))?)(?:[eE](?P<down>[-+]?)(?P<power>\d\d))?"
)


class Shaped(NamedTuple):
    """The lines of a shape, the values of their layout, and their planned last steps if they print any.

    `same` tells of a line that it prints the same minute as the one before it among them.
    """

    rows: Places
    columns: list[Column]
    totals: Column | None
    same: Flags | None


_NONE: Final = Shaped(np.zeros(0, np.int64), [], None, None)


class Shape:
    """The columns of one sample line; `possible` is false where it cannot be read so.

    `own` is false for a part of a line behind a carriage return. `sure` tells that such a line holds one of some literals.
    """

    def __init__(self, prefix: bytes, layout: Layout, body: bytes, *, own: bool = True) -> None:
        self.layout = layout
        self.length = len(prefix) + len(body)
        totals = [group for name, group in layout.places if name == "total"]
        self._total = totals[0] if totals else 0
        self._wanted = {group for _, group in layout.values} | set(totals)
        self._numbers: dict[int, Number] = {}
        self._nonzero: list[int] = []
        self._spans: dict[int, tuple[int, int]] = {}
        spans = layout.spans(body)
        self.possible = bool(spans) and self.length <= _WIDEST
        if not self.possible:
            return
        holes = bytearray(len(prefix))
        group = 0
        for piece, (start, end) in zip(layout.pieces, spans, strict=True):
            holes += bytes(_holes(piece, body[start:end]))
            if piece.kind in ("value", "count"):
                group += 1
                self._spans[group] = (len(prefix) + start, len(prefix) + end)
                self.possible &= self._number(piece, group, body[start:end], len(prefix) + start)
        self._plan(prefix + body, holes, own=own)

    def _number(self, piece: Piece, group: int, token: bytes, column: int) -> bool:
        """Plan how a number is read; tell whether that is possible."""
        if piece.kind == "count" and "positive" in piece.forms:
            self._nonzero.append(LEAD + column)
        if group not in self._wanted:
            return True
        found = _FORM.fullmatch(token)
        if found is None or sum(48 <= byte <= 57 for byte in found["digits"]) > EXACT:
            return False
        start, end = (LEAD + column + at for at in found.span("digits"))
        power = Window(LEAD + column + found.end("power"), 2) if found["power"] else None
        planned = Number(
            tuple(_windows(found["digits"], start, end)),
            len(found["fraction"] or b""),
            bool(found["sign"]),
            power,
            found["down"] == b"-",
        )
        if power is not None and planned.brief:
            if found["digits"][:1] == b"0":
                return False
            self._nonzero.append(start)
        self._numbers[group] = planned
        return True

    def _plan(self, sample: bytes, holes: bytearray, *, own: bool) -> None:
        """Lay out what a line must be compared with: the bytes of the sample, and by how much each may differ from it."""
        self._width = -(-(LEAD + self.length) // WORD)
        self._rows = max(_AT_ONCE // (self._width * WORD), 1)
        base, limit = np.zeros((2, self._width * WORD), np.uint8)
        limit[:] = 255
        base[LEAD - 1], limit[LEAD - 1] = 10 if own else 13, 0
        known = np.frombuffer(bytes(holes), np.uint8).astype(bool)
        line = slice(LEAD, LEAD + self.length)
        base[line] = np.where(known, 48, np.frombuffer(sample, np.uint8))
        limit[line] = np.where(known, 9, 0)
        self._base, self._limit = base.view(np.uint64), limit
        self._probe = _probe(sample, holes)
        self._text = bytes(0 if hole else byte for byte, hole in zip(sample, holes, strict=True))
        self._sure = True

    def holds(self, literals: Sequence[bytes]) -> bool:
        """Tell whether every line of the shape holds one of some literals, where no digit is."""
        return any(literal in self._text for literal in literals)

    def step(self, line: bytes) -> float | None:
        """Return the step a line of this shape prints, else its epoch; only for a `whole` layout."""
        places = dict(self.layout.places)
        name = "step" if "step" in places else "epoch"
        if name not in places:
            return None
        start, end = self._spans[places[name]]
        printed = number(line[start:end])
        return float(int(printed)) if name == "step" else printed

    def run(self, text: Text, starts: Places, lengths: Places, minute: Minute | None = None) -> Shaped:
        """Return which lines have this shape and what they say. Lines must begin at `LEAD` or behind it."""
        chosen = np.flatnonzero(lengths == self.length)
        tried = len(chosen)
        if tried and not self._sure:
            at, mask, word = self._probe
            chosen = chosen[(text.word(starts[chosen] + at) & mask) == word]
        step = min(self._rows, len(chosen))
        like = np.tile(self._base, (step, 1)), np.tile(self._limit, (step, 1))
        parts = [
            self._some(text, starts, chosen[low : low + step], like, minute) for low in range(0, len(chosen), step or 1)
        ]
        parts = [part for part in parts if len(part.rows)]
        if not parts:
            self._sure = not tried
            return _NONE
        rows = np.concatenate([part.rows for part in parts])
        self._sure = len(rows) >= _SURE * tried
        totals = [part.totals for part in parts if part.totals is not None]
        same = [part.same for part in parts if part.same is not None]
        return Shaped(
            rows,
            [Coded.joined(columns) for columns in zip(*(part.columns for part in parts), strict=True)],
            Coded.joined(totals) if totals else None,
            np.concatenate(same) if same else None,
        )

    def _some(
        self, text: Text, starts: Places, rows: Places, like: tuple[Words, Columns], minute: Minute | None
    ) -> Shaped:
        base, limit = (each[: len(rows)] for each in like)
        lines = text.words(starts[rows] - LEAD, self._width)
        np.bitwise_xor(lines, base, out=lines)
        columns = lines.view(np.uint8)
        wrong = np.greater(columns, limit)
        good: Flags | None = np.logical_not(wrong.any(axis=1)) if wrong.any() else None
        for column in self._nonzero:
            good = _both(good, columns[:, column] != 0)
        good = _both(good, columns[:, LEAD - 2] != _COLON)
        if good is not None:
            rows, columns = rows[good], columns[good]
        if not len(rows):
            return _NONE
        found = {group: planned.read(columns) for group, planned in self._numbers.items()}
        return Shaped(
            rows,
            [found[group] for _, group in self.layout.values],
            found.get(self._total),
            minute.same(columns, LEAD) if minute is not None else None,
        )


def _both(one: Flags | None, other: Flags) -> Flags | None:
    """Return where both hold; None stands for everywhere."""
    if other.all():
        return one
    return other if one is None else one & other


def _holes(piece: Piece, token: bytes) -> Iterator[bool]:
    """Yield for each byte of a part whether any digit may stand there."""
    number = piece.kind in ("value", "count", "digits", "form")
    return (number and 48 <= byte <= 57 for byte in token)


def _windows(token: bytes, start: int, end: int) -> Iterator[Window]:
    """Yield the digits of a number, eight bytes at most at once, the first ones first."""
    first = end - (end - start - 1) // WORD * WORD
    for stop in range(first, end + 1, WORD):
        low = max(stop - WORD, start)
        marks = [stop - 1 - at for at in range(stop - 1, low - 1, -1) if not 48 <= token[at - start] <= 57]
        yield Window(stop, stop - low, tuple(_closer(marks)))


def _closer(marks: list[int]) -> Iterator[int]:
    """Yield how far marks are from the end once those behind them are gone."""
    return (mark - gone for gone, mark in enumerate(marks))


def _probe(sample: bytes, holes: bytearray) -> tuple[int, np.uint64, np.uint64]:
    """Return where eight bytes of a line are mostly letters, which of them must stand, and how."""
    line, free = sample.ljust(WORD, b"\0"), bytes(holes).ljust(WORD, b"\1")
    at = max(
        range(len(line) - WORD + 1), key=lambda at: (WORD - sum(free[at : at + WORD]), len(set(line[at : at + WORD])))
    )
    mask = np.array([0 if hole else 255 for hole in free[at : at + WORD]], np.uint8)
    word = np.frombuffer(line[at : at + WORD], np.uint8) & mask
    return at, mask.view(np.uint64)[0], word.view(np.uint64)[0]
