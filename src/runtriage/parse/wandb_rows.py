"""Rows of metrics as an offline run of W&B holds them: items with a name and a number written as JSON, in no order of names.

Rows are only cut into items as they come; numbers are decoded name by name once many rows are at hand.
"""

from __future__ import annotations

import contextlib
import math

from msgspec import DecodeError
from msgspec.json import Decoder

from runtriage.parse.metrics_board import Board
from runtriage.parse.protobuf import Value, WireError, double, field, signed, submessage, text

_AT_ONCE = 4 << 20
"""Bytes of rows that are held before their numbers are decoded."""
_NAMES = 4096
_NAME = 200
_VALUE_TAG = b"\x82\x01"

_decode = Decoder(list[float]).decode


class _Items:
    """The values of one name as they stand, and the row each belongs to."""

    __slots__ = ("rows", "values")

    def __init__(self) -> None:
        self.values: list[bytes] = []
        self.rows: list[int] = []

    def empty(self) -> tuple[list[float], list[int]]:
        """Return the numbers among the values and their rows, and hold nothing more."""
        values, rows = self.values, self.rows
        self.__init__()
        try:
            return _decode(b"[%b]" % b",".join(values)), rows
        except DecodeError:
            told = list(zip(map(_number, values), rows, strict=True))
            return [value for value, _ in told if value is not None], [row for value, row in told if value is not None]


def _number(told: bytes) -> float | None:
    with contextlib.suppress(ValueError):
        return float(told.strip(b'"'))
    return None


class Rows:
    """Rows in the order they were written; `settle` hands those that are held to the metrics."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self._names: dict[str, _Items] = {"_step": _Items(), "_timestamp": _Items()}
        self._known: dict[bytes, _Items] = {}
        self._unread = _Items()
        self._steps: list[float] = []
        self._before = 0
        self._held = 0

    def take(self, row: Value) -> None:
        """Take a row in. Raises `WireError`."""
        if not isinstance(row, bytes):
            raise WireError("no row")
        self._steps.append(float(self._before + len(self._steps)))
        at = 0
        while at < len(row):
            at = self._short(row, at)
            if at < len(row):
                at = self._any(row, at)
        self._held += len(row) + 32
        if self._held >= _AT_ONCE:
            self.settle()

    def _short(self, row: bytes, at: int) -> int:
        """Take in items of known names and less than 128 bytes; return where the first other field begins."""
        known, place, end = self._known, len(self._steps) - 1, len(row)
        while at + 8 < end and row[at] == 10:
            stop = at + 2 + row[at + 1]
            middle = row.find(_VALUE_TAG, at + 2, stop) + 2
            items = known.get(row[at + 2 : middle])
            if items is None or row[at + 1] > 127 or stop > end or middle + 1 + row[middle] != stop:
                break
            items.values.append(row[middle + 1 : stop])
            items.rows.append(place)
            at = stop
        return at

    def _any(self, row: bytes, at: int) -> int:
        number, held, end = field(row, at)
        if number == 2:
            self._steps[-1] = float(next((signed(value) for key, value in submessage(held) if key == 1), 0))
        elif number == 1 and isinstance(held, bytes):
            name, told = item_of(held)
            if name and told is not None and _number(told.encode()) is not None:
                items = self._of(name)
                items.values.append(told.encode())
                items.rows.append(len(self._steps) - 1)
                middle = held.find(_VALUE_TAG) + 2
                if (
                    len(held) < 128
                    and held[middle:] == bytes([len(told)]) + told.encode()
                    and len(self._known) < _NAMES
                ):
                    self._known[held[:middle]] = items
        return end

    def _of(self, name: str) -> _Items:
        found = self._names.get(name)
        if found is None:
            unread = name.startswith("_") or self._board.column(name) is None or len(self._names) >= _NAMES
            found = self._unread if unread else _Items()
            if len(self._names) < _NAMES:
                self._names[name] = found
        return found

    def settle(self) -> None:
        """Hand the rows that are held to the metrics."""
        steps, times = self._steps, [math.nan] * len(self._steps)
        self._steps, self._before, self._held = [], self._before + len(steps), 0
        for column, name in ((steps, "_step"), (times, "_timestamp")):
            for number, row in zip(*self._names[name].empty(), strict=True):
                column[row] = number
        self._unread.empty()
        whole = list(range(len(steps)))
        for name, items in self._names.items():
            column = self._board.column(name) if items.values else None
            if column is not None:
                values, rows = items.empty()
                every = rows == whole
                column.gather(
                    values,
                    steps if every else [steps[row] for row in rows],
                    times if every else [times[row] for row in rows],
                )


def item_of(content: Value) -> tuple[str, str | None]:
    """Return the name of an item, nested ones joined by dots, and its value as JSON. Raises `WireError`."""
    names: list[str] = []
    told: str | None = None
    for number, held in submessage(content):
        if number in (1, 2):
            names.append(text(held))
        elif number == 16:
            told = text(held)
        elif number == 6:
            told = repr(double(held))
        elif number == 5:
            told = str(signed(held))
    return ".".join(filter(None, names))[:_NAME], told
