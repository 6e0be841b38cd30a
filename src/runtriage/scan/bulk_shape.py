"""Reads lines of one layout whose parts are all as long as in a sample: every number then stands in known columns."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import numpy as np
from msgspec.structs import replace

from runtriage.scan.bulk_clock import Minute
from runtriage.scan.bulk_columns import Run, read_runs
from runtriage.scan.bulk_keys import Coded, Column, Columns, Number, Window
from runtriage.scan.bulk_numbers import EXACT, WORD, Flags, Numbers, Places, Text
from runtriage.scan.layout import Layout, Piece, number

LEAD: Final = WORD
"""Bytes before a line that are looked at with it: its own line must begin there, or a part of it behind a carriage return."""
_AT_ONCE: Final = 384 * 1024
"""Bytes of lines that are read at once: what they need then stays in a core's own cache."""
_WIDEST: Final = 1024
_COLON: Final = 58
_LIFTED: Final = 8
"""What a digit that is not zero may differ from the least such by."""
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

    def some(self, chosen: Flags) -> Shaped:
        """Return the lines that are chosen."""
        same = self.same
        if same is not None:
            same = same.copy()
            same[1:] &= chosen[:-1]
            same = same[chosen]
        totals = self.totals.some(chosen) if self.totals is not None else None
        return Shaped(self.rows[chosen], [column.some(chosen) for column in self.columns], totals, same)


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
        base[LEAD - 2], limit[LEAD - 2] = _COLON + 1, 254
        known = np.frombuffer(bytes(holes), np.uint8).astype(bool)
        line = slice(LEAD, LEAD + self.length)
        base[line] = np.where(known, 48, np.frombuffer(sample, np.uint8))
        limit[line] = np.where(known, 9, 0)
        for column in self._nonzero:
            base[column], limit[column] = 49, _LIFTED
        self._base, self._limit = base, limit
        self._numbers = {group: _placed(planned, limit) for group, planned in self._numbers.items()}
        self._probe = _probe(sample, holes)
        self._text = bytes(0 if hole else byte for byte, hole in zip(sample, holes, strict=True))
        self._sure = True

    @property
    def sample(self) -> bytes:
        """Such a line, with zeros where any digit may stand."""
        return self._text.replace(b"\0", b"0")

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

    def steps(self, text: Text, starts: Places) -> Numbers | None:
        """Return the steps that lines of this shape print, as `step` does; None where they are not read at once."""
        places = dict(self.layout.places)
        if not self.layout.whole or ("step" not in places and "epoch" in places):
            return None
        if "step" not in places:
            return np.full(len(starts), np.nan)
        start, end = self._spans[places["step"]]
        if any(self._text[start:end]) or end - start > EXACT:
            return None
        stops = range(end, start, -WORD)
        runs = [Run(max(stop - WORD, start), min(WORD, stop - start)) for stop in stops]
        found = read_runs(text, starts, runs)
        tens = np.array([10 ** (end - stop) for stop in stops], np.int64).reshape(-1, 1)
        return (found * tens).sum(axis=0).astype(np.float64)

    def run(self, text: Text, starts: Places, lengths: Places, minute: Minute | None = None) -> Shaped:
        """Return which lines have this shape and what they say. Lines must begin at `LEAD` or behind it."""
        chosen = np.flatnonzero(lengths == self.length)
        tried = len(chosen)
        if tried and not self._sure:
            at, mask, word = self._probe
            chosen = chosen[(text.word(starts[chosen] + at) & mask) == word]
        if not len(chosen):
            self._sure = not tried
            return _NONE
        step = min(self._rows, len(chosen))
        like = np.tile(self._base, (step, 1)), np.tile(self._limit, (step, 1))
        parts = [
            self._some(text, starts[chosen[low : low + step]], like, minute) for low in range(0, len(chosen), step)
        ]
        found = [part.found for part in parts]
        totals = [each[self._total] for each in found if self._total]
        same = [part.same for part in parts if part.same is not None]
        shaped = Shaped(
            chosen,
            [Coded.joined([each[group] for each in found]) for _, group in self.layout.values],
            Coded.joined(totals) if totals else None,
            np.concatenate(same) if same else None,
        )
        wrong = np.concatenate([part.wrong + step * index for index, part in enumerate(parts)])
        self._sure = len(wrong) <= (1 - _SURE) * tried
        if len(wrong):
            good = np.ones(len(chosen), bool)
            good[wrong] = False
            shaped = shaped.some(good)
        return shaped

    def _some(self, text: Text, starts: Places, like: tuple[Columns, Columns], minute: Minute | None) -> _Part:
        """Read some lines, whether they are of the shape or not."""
        base, limit = (each[: len(starts)] for each in like)
        columns = text.words(starts - LEAD, self._width).view(np.uint8)
        np.subtract(columns, base, out=columns)
        return _Part(
            {group: planned.read(columns) for group, planned in self._numbers.items()},
            minute.same(columns, LEAD) if minute is not None else None,
            _rows_of(np.greater(columns, limit)),
        )


class _Part(NamedTuple):
    """What lines say, which of them print the minute of the one before, and which are not of the shape."""

    found: dict[int, Column]
    same: Flags | None
    wrong: Places


def _placed(planned: Number, limit: Columns) -> Number:
    """Return a number that knows what stands in the columns around it."""

    def placed(window: Window) -> Window:
        first, alone = window.end - window.span, not limit[window.end - WORD : window.end - window.span].any()
        return replace(window, lift=bool(limit[first] == _LIFTED), alone=alone)

    power = placed(planned.power) if planned.power is not None else None
    return replace(planned, windows=tuple(map(placed, planned.windows)), power=power)


def _rows_of(flags: Flags) -> Places:
    """Return the rows with a flag."""
    if not np.count_nonzero(flags):
        return np.zeros(0, np.int64)
    return np.flatnonzero(np.bitwise_or.reduce(flags.view(np.uint64), axis=1))


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
