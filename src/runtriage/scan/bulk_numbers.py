"""Reads the same number in thousands of lines at once. Whatever it reads equals what `float` reads; the rest it declines."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

Words = NDArray[np.uint64]
Places = NDArray[np.int64]
Flags = NDArray[np.bool_]

WORD: Final = 8
_HIGH: Final = np.uint64(0x8080808080808080)
_LOW: Final = np.uint64(0x7F7F7F7F7F7F7F7F)
_ONES: Final = np.uint64(0x0101010101010101)
_ZEROS: Final = np.uint64(0x3030303030303030)
_DOTS: Final = np.uint64(0x2E2E2E2E2E2E2E2E)
_NIBBLES: Final = np.uint64(0x0F0F0F0F0F0F0F0F)
_TENS: Final = np.array([10.0**power for power in range(23)])
_ONE: Final = np.uint64(1)
_EXACT: Final = 15
_LONGEST: Final = 24


class Text:
    """Bytes of a block, eight at a time from any place. Places must lie `MARGIN` bytes before the end."""

    MARGIN: Final = 64

    def __init__(self, data: bytes | bytearray, size: int) -> None:
        self.bytes = np.frombuffer(data, np.uint8, size)
        self._views: dict[int, NDArray[np.void]] = {}
        self._data = data
        self._size = size

    def words(self, places: Places, count: int = 1) -> Words:
        """Return `count` words from each place, one row a place."""
        view = self._views.get(count)
        if view is None:
            length = self._size - count * WORD + 1
            view = self._views[count] = np.ndarray((length,), f"V{count * WORD}", self._data, 0, (1,))
        return view[places].view(np.uint64).reshape(-1, count)

    def word(self, places: Places) -> Words:
        """Return one word from each place."""
        return self.words(places)[:, 0]


def read_values(
    text: Text, places: Places, forms: frozenset[str], commas: bool
) -> tuple[NDArray[np.float64], Places, Flags]:
    """Read a number from each place: values, places behind them, and which were read."""
    negative = text.bytes[places] == 45 if "sign" in forms else np.zeros(len(places), bool)
    places = places + negative
    if commas:
        whole, digits, fraction, stops, good = _slow(text, places, point="point" in forms)
    else:
        whole, digits, fraction, stops, good = _fast(text, places, point="point" in forms)
    power = -fraction
    if "power" in forms:
        power, stops, good = _powers(text, stops, power, good)
    good &= (digits <= _EXACT) & (np.abs(power) <= 22)
    size = np.minimum(np.abs(power), 22)
    mantissa = whole.astype(np.float64)
    values = np.where(power < 0, mantissa / _TENS[size], mantissa * _TENS[size])
    return np.where(negative, -values, values), stops, good


def _fast(text: Text, places: Places, *, point: bool) -> tuple[Places, Places, Places, Places, Flags]:
    """Read up to seven characters within one word; longer ones are read slowly."""
    word = text.word(places)
    other = word ^ _ZEROS
    digit = ~(((other & _LOW) + np.uint64(0x7676767676767676)) | other) & _HIGH
    if point:
        other = word ^ _DOTS
        dot = ~(((other & _LOW) + _LOW) | other) & _HIGH
    else:
        dot = np.zeros_like(digit)
    end = ~(digit | dot) & _HIGH
    end &= np.uint64(0) - end
    inside = end - _ONE
    length = _bytes_below(end)
    dot &= inside
    has_dot = dot != 0
    at = _bytes_below(dot)
    good = (end != 0) & (length > 0) & ((dot & (dot - _ONE)) == 0) & (at > 0) & (~has_dot | (at < length - 1))
    at = np.where(has_dot, at, length)
    fraction = np.where(has_dot, length - at - 1, 0)
    digits = length - has_dot
    shift = (at * 8).astype(np.uint64)
    front = np.where(at >= WORD, word, word & ((_ONE << shift) - _ONE))
    back = np.where(has_dot, (word >> np.uint64(8)) & ~((_ONE << shift) - _ONE), np.uint64(0))
    joined = (front | back) << (np.uint64(8) * (WORD - np.clip(digits, 1, WORD)).astype(np.uint64))
    whole = _eight_digits(joined).astype(np.int64)
    stops = places + length
    if not good.all():
        rest = np.flatnonzero(~good)
        whole[rest], digits[rest], fraction[rest], stops[rest], good[rest] = _slow(
            text, places[rest], point=point, commas=False
        )
    return whole, digits, fraction, stops, good


def _bytes_below(flag: Words) -> Places:
    """Return how many bytes lie below the lowest flag (the high bit of a byte); 8 or more without one."""
    return np.where(flag == 0, WORD, (np.frexp(flag.astype(np.float64))[1].astype(np.int64) >> 3) - 1)


def _eight_digits(word: Words) -> Words:
    """Read eight characters as one number, the first of them in the lowest byte; zero bytes count as zeros."""
    word = word & _NIBBLES
    word = (word * np.uint64(10) + (word >> np.uint64(8))) & np.uint64(0x00FF00FF00FF00FF)
    word = (word * np.uint64(100) + (word >> np.uint64(16))) & np.uint64(0x0000FFFF0000FFFF)
    return (word * np.uint64(10000) + (word >> np.uint64(32))) & np.uint64(0xFFFFFFFF)


def _slow(
    text: Text, places: Places, *, point: bool, commas: bool = True
) -> tuple[Places, Places, Places, Places, Flags]:
    """Read characters one after another: any length, and thousands grouped by commas."""
    count = len(places)
    whole, digits, fraction = np.zeros((3, count), np.int64)
    since = np.full(count, -1)
    good, open_, dotted = np.ones(count, bool), np.ones(count, bool), np.zeros(count, bool)
    stops = places.copy()
    for step in range(_LONGEST):
        char = text.bytes[places + step]
        value = (char - np.uint8(48)).astype(np.int64)
        digit = open_ & (value < 10) & (value >= 0)
        dot = open_ & (char == 46) & ~dotted & (digits > 0) if point else np.zeros(count, bool)
        comma = open_ & (char == 44) & ~dotted & (digits > 0) if commas else np.zeros(count, bool)
        good &= ~((comma | dot) & (since >= 0) & (since != 3))
        whole = np.where(digit & (digits < 18), whole * 10 + value, whole)
        digits += digit
        fraction += digit & dotted
        since = np.where(comma, 0, np.where(dot, -1, since + (digit & (since >= 0))))
        dotted |= dot
        open_ &= digit | dot | comma
        stops += open_
        if not open_.any():
            break
    good &= ~open_ & (digits > 0) & (~dotted | (fraction > 0)) & ((since < 0) | (since == 3))
    return whole, digits, fraction, stops, good


def _powers(text: Text, stops: Places, power: Places, good: Flags) -> tuple[Places, Places, Flags]:
    """Read the exponents behind some numbers: a letter, a sign or none, one to three digits."""
    char = text.bytes[stops] | np.uint8(32)
    rows = np.flatnonzero(good & (char == 101))
    if not len(rows):
        return power, stops, good
    at = stops[rows] + 1
    sign = text.bytes[at]
    signed = (sign == 43) | (sign == 45)
    at = at + signed
    whole, digits, _, behind, read = _slow(text, at, point=False, commas=False)
    read &= digits <= 3
    power, stops, good = power.copy(), stops.copy(), good.copy()
    power[rows] += np.where(sign == 45, -whole, whole)
    stops[rows] = behind
    good[rows] = read
    return power, stops, good
