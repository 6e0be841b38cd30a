"""Numbers of many lines that stand in the same columns: kept as keys that are ordered like them, and read only where they are asked for."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Final

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from runtriage.scan.bulk_numbers import TENS, WORD, Flags, Numbers, Places, Words, eight_digits, scaled

Columns = NDArray[np.uint8]
"""Lines as rows of bytes; every digit stands as its value, every other byte of the line as zero. Other lines may mean nothing."""
_BYTE: Final = np.uint64(8)
_EXACT: Final = 22
"""Powers of ten up to this one are exact as floats."""
_MANY: Final = 16
"""Numbers from which on reading them at once is quicker than one by one (measured: they meet at a dozen)."""


class Window(Struct, frozen=True):
    """Digits within at most eight bytes: the column behind them, how many bytes they span, and how far from its end other bytes stand among them.

    `lift` tells that the first digit stands as its value less one, `alone` that no other digit stands in the eight bytes before `end`.
    """

    end: int
    span: int
    marks: tuple[int, ...] = ()
    lift: bool = False
    alone: bool = False

    @property
    def digits(self) -> int:
        """How many digits these are."""
        return self.span - len(self.marks)

    def keys(self, columns: Columns) -> Words:
        """Return the bytes of each line as one number."""
        words = _words(columns, self.end, ">u8").astype(np.uint64)
        if not self.alone and self.span < WORD:
            words &= np.uint64((1 << 8 * self.span) - 1)
        if self.lift:
            words += np.uint64(1 << 8 * (self.span - 1))
        return words

    def whole(self, keys: Words) -> Words:
        """Return the number that the digits of each key make."""
        for mark in self.marks:
            below = np.uint64((1 << 8 * mark) - 1)
            keys = (keys & below) | ((keys >> _BYTE) & ~below)
        return eight_digits(keys.byteswap())

    def one(self, key: int) -> int:
        """Return the number that the digits of one key make."""
        digits = key.to_bytes(WORD, "big")[WORD - self.span :]
        gone = {self.span - 1 - mark - index for index, mark in enumerate(self.marks)}
        return int(bytes(48 + digit for at, digit in enumerate(digits) if at not in gone))


def _words(columns: Columns, end: int, kind: str) -> Words:
    """View the eight bytes of each line before a column."""
    return np.ndarray((len(columns),), kind, columns, end - WORD, columns.strides[:1])


class Number(Struct, frozen=True):
    """A number in fixed columns: its digits, how many of them stand behind the point, and its exponent, `down` where that is negative."""

    windows: tuple[Window, ...]
    fraction: int = 0
    negative: bool = False
    power: Window | None = None
    down: bool = False

    @property
    def brief(self) -> bool:
        """Tell whether a key holds the whole number."""
        span = self.windows[0].span + (self.power.span if self.power is not None else 0)
        return len(self.windows) == 1 and span <= WORD

    def read(self, columns: Columns) -> Column:
        """Return the number of each line."""
        if not self.brief:
            return Plain(self._values([window.keys(columns) for window in self.windows], self._powers(columns)))
        keys = self.windows[0].keys(columns)
        if self.power is not None:
            keys |= self._turned(self.power.keys(columns)) << np.uint64(8 * self.windows[0].span)
        return Coded(keys, self)

    def _powers(self, columns: Columns) -> Words | None:
        return self.power.keys(columns) if self.power is not None else None

    def _turned(self, power: Words) -> Words:
        """Return exponents so that greater ones belong to greater numbers."""
        return np.uint64(0x0909) - power if self.down else power

    def decode(self, keys: Words) -> Numbers:
        """Return the numbers of some keys, each as `float` reads it."""
        if self.power is None:
            return self._values([keys], None)
        shift = np.uint64(8 * self.windows[0].span)
        return self._values([keys & ((np.uint64(1) << shift) - np.uint64(1))], self._turned(keys >> shift))

    def one(self, key: int) -> float:
        """Return the number of one key; the same as `decode`, and quicker for a few."""
        window, power = self.windows[0], self.power
        scale = -self.fraction
        if power is not None:
            turned = key >> 8 * window.span
            key &= (1 << 8 * window.span) - 1
            shown = power.one(0x0909 - turned if self.down else turned)
            scale += -shown if self.down else shown
        whole = window.one(key)
        value = float(whole * 10**scale) if scale >= 0 else whole / 10**-scale
        return -value if self.negative else value

    def _values(self, parts: Sequence[Words], powers: Words | None) -> Numbers:
        whole, scale = np.zeros(len(parts[0]), np.int64), 0
        for window, keys in zip(reversed(self.windows), reversed(parts), strict=True):
            whole += window.whole(keys).astype(np.int64) * 10**scale
            scale += window.digits
        values = whole.astype(np.float64)
        if powers is None or self.power is None:
            values /= TENS[self.fraction]
        else:
            power = self.power.whole(powers).astype(np.int64)
            power = (-power if self.down else power) - self.fraction
            values = scaled(values, power)
            for at in np.flatnonzero((power < -_EXACT) | (power > _EXACT)).tolist():
                values[at] = float(f"{whole[at]}e{power[at]}")
        return -values if self.negative else values


class Column(ABC):
    """The numbers of some lines, in order."""

    @abstractmethod
    def __len__(self) -> int:
        """Return how many."""

    @abstractmethod
    def part(self, low: int, high: int) -> Column:
        """Return those from `low` on and before `high`."""

    @abstractmethod
    def some(self, chosen: Flags) -> Column:
        """Return those that are chosen."""

    @abstractmethod
    def at(self, places: Places) -> list[float]:
        """Return some of them."""

    @abstractmethod
    def values(self) -> Numbers:
        """Return all of them."""

    @abstractmethod
    def steady(self) -> bool:
        """Tell whether they are all equal."""

    @abstractmethod
    def extremes(self) -> tuple[int, int]:
        """Return where the least and the greatest are, each for the first time."""


class Plain(Column):
    """Numbers as they are, all of them finite."""

    def __init__(self, values: Numbers) -> None:
        self._values = values

    def __len__(self) -> int:
        return len(self._values)

    def part(self, low: int, high: int) -> Column:
        """See `Column`."""
        return Plain(self._values[low:high])

    def some(self, chosen: Flags) -> Column:
        """See `Column`."""
        return Plain(self._values[chosen])

    def at(self, places: Places) -> list[float]:
        """See `Column`."""
        return self._values[places].tolist()

    def values(self) -> Numbers:
        """See `Column`."""
        return self._values

    def steady(self) -> bool:
        """See `Column`."""
        return bool((self._values == self._values[0]).all())

    def extremes(self) -> tuple[int, int]:
        """See `Column`."""
        return int(self._values.argmin()), int(self._values.argmax())


class Coded(Column):
    """Numbers as keys."""

    def __init__(self, keys: Words, number: Number) -> None:
        self._keys = keys
        self._number = number

    def __len__(self) -> int:
        return len(self._keys)

    def part(self, low: int, high: int) -> Column:
        """See `Column`."""
        return Coded(self._keys[low:high], self._number)

    def some(self, chosen: Flags) -> Column:
        """See `Column`."""
        return Coded(self._keys[chosen], self._number)

    def at(self, places: Places) -> list[float]:
        """See `Column`."""
        keys = self._keys[places]
        if len(keys) >= _MANY:
            return self._number.decode(keys).tolist()
        return list(map(self._number.one, keys.tolist()))

    def values(self) -> Numbers:
        """See `Column`."""
        return self._number.decode(self._keys)

    def steady(self) -> bool:
        """See `Column`."""
        return bool((self._keys == self._keys[0]).all())

    def extremes(self) -> tuple[int, int]:
        """See `Column`."""
        least, greatest = int(self._keys.argmin()), int(self._keys.argmax())
        return (greatest, least) if self._number.negative else (least, greatest)

    @staticmethod
    def joined(parts: Sequence[Column]) -> Column:
        """Return parts of one column as one."""
        first = parts[0]
        if len(parts) == 1:
            return first
        if isinstance(first, Coded):
            return Coded(np.concatenate([part._keys for part in parts if isinstance(part, Coded)]), first._number)
        return Plain(np.concatenate([part.values() for part in parts]))
