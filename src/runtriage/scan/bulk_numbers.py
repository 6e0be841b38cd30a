"""Reads the same number in thousands of lines at once. Whatever it reads equals what `float` reads; the rest it declines."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

Words = NDArray[np.uint64]
Places = NDArray[np.int64]
Flags = NDArray[np.bool_]
Numbers = NDArray[np.float64]

WORD: Final = 8
_HIGH: Final = np.uint64(0x8080808080808080)
_LOW: Final = np.uint64(0x7F7F7F7F7F7F7F7F)
_ONES: Final = np.uint64(0x0101010101010101)
_ZEROS: Final = np.uint64(0x3030303030303030)
_SIX_UP: Final = np.uint64(0x7676767676767676)
_NIBBLES: Final = np.uint64(0x0F0F0F0F0F0F0F0F)
TENS: Final = np.array([10.0**power for power in range(23)])
_ONE: Final = np.uint64(1)
_NONE: Final = np.zeros(1, bool)
_ALL: Final = np.ones(1, bool)
EXACT: Final = 15
"""Digits at most of a number that is read at once; it then is exact as a float, and scaled by an exact power of ten."""
_LONGEST: Final = 24
_WIDE: Final = 24
"""Bytes looked at of a number with more digits than are exact."""


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


def read_values(text: Text, places: Places, forms: frozenset[str], commas: bool) -> tuple[Numbers, Places, Flags]:
    """Read a number from each place: values, places behind them, and which were read."""
    negative = text.bytes[places] == 45 if "sign" in forms else _NONE
    signed = bool(negative.any())
    if signed:
        places = places + negative
    read = _fast(text, places, 44 if commas else 46 if "point" in forms else 0)
    if commas:
        np.logical_and(read.good, text.bytes[read.stops] != 46, out=read.good)
    if not read.good.all():
        rest = np.flatnonzero(~read.good)
        _set(read, rest, _slow(text, places[rest], point="point" in forms, commas=commas))
    stops, good = read.stops, read.good
    values = read.whole.astype(np.float64)
    powers = _powers(text, stops, good) if "power" in forms else None
    if powers is None:
        values /= TENS[np.minimum(read.fraction, 22)]
    else:
        stops, good, power = powers
        power -= read.fraction
        good &= (power >= -22) & (power <= 22)
        values = scaled(values, power)
    if "point" in forms and not commas and not good.all():
        stops, good = _wide(text, places, values, stops, good)
    return np.where(negative, -values, values) if signed else values, stops, good


def _wide(text: Text, places: Places, values: Numbers, stops: Places, good: Flags) -> tuple[Places, Flags]:
    """Read what has more digits than are exact as whole numbers, as `float` does: digits, a point, digits, and no power."""
    rows = np.flatnonzero(~good)
    window = text.words(places[rows], _WIDE // WORD).view(np.uint8).reshape(-1, _WIDE)
    point = window == 46
    inside = ((window >= 48) & (window <= 57)) | point
    length = np.where(inside.all(1), 0, np.argmin(inside, axis=1))
    here = np.arange(_WIDE) < length[:, None]
    last = window[np.arange(len(rows)), np.minimum(length, _WIDE - 1)]
    before = window[np.arange(len(rows)), np.maximum(length - 1, 0)]
    letter = ((last | 32) >= 97) & ((last | 32) <= 122)
    read = (
        (length > EXACT) & ((point & here).sum(1) == 1) & (window[:, 0] != 46) & (before != 46) & ~letter & (last != 95)
    )
    if not read.any():
        return stops, good
    stops, good = stops.copy(), good.copy()
    printed = np.where(here[read], window[read], 0).astype(np.uint8)
    values[rows[read]] = np.ascontiguousarray(printed).view(f"S{_WIDE}")[:, 0].astype(np.float64)
    stops[rows[read]] = places[rows[read]] + length[read]
    good[rows[read]] = True
    return stops, good


def scaled(values: Numbers, powers: Places) -> Numbers:
    """Multiply each value by its power of ten; exact where that lies within 22."""
    up, down = TENS[np.clip(powers, 0, 22)], TENS[np.clip(-powers, 0, 22)]
    return np.where(powers < 0, values / down, values * up)


class _Read(NamedTuple):
    """Whole numbers without their points, how many of their digits stand behind the point, and where they end."""

    whole: Places
    fraction: Places
    stops: Places
    good: Flags


def _set(read: _Read, rows: Places, other: _Read) -> None:
    for mine, theirs in zip(read, other, strict=True):
        mine[rows] = theirs


def _fast(text: Text, places: Places, mark: int) -> _Read:
    """Read up to seven characters within one word, one mark among them: a point, or a comma before three digits."""
    word = text.word(places)
    other = word ^ _ZEROS
    stop = (((other & _LOW) + _SIX_UP) | other) & _HIGH
    if mark:
        other = word ^ (_ONES * np.uint64(mark))
        unlike = ((other & _LOW) + _LOW) | other
        stop &= unlike
        below = (stop - _ONE) & ~stop
        marks = ~unlike & _HIGH & below
        below_mark = (marks - _ONE) & ~marks
        at, marked, single = np.bitwise_count(below_mark) >> 3, marks != 0, (marks & (marks - _ONE)) == 0
    else:
        below = (stop - _ONE) & ~stop
        below_mark, at, marked, single = ~np.zeros_like(word), np.full(len(word), WORD, np.uint8), _NONE, _ALL
    length = np.bitwise_count(below) >> 3
    digits = length - marked
    behind = np.where(marked, digits - at, 0)
    good = (
        (length - np.uint8(1) < WORD - 1) & (at > 0) & single & (~marked | (behind == 3 if mark == 44 else behind > 0))
    )
    below_mark >>= np.uint64(7)
    joined = (word & below_mark) | ((word >> np.uint64(8)) & ~below_mark)
    joined <<= ((np.uint8(WORD) - np.clip(digits, 1, WORD)) << np.uint8(3)).astype(np.uint64)
    return _Read(
        eight_digits(joined).astype(np.int64), np.zeros_like(behind) if mark == 44 else behind, places + length, good
    )


def skip_same(text: Text, places: Places, *, blanks: bool) -> Places:
    """Return how many blanks, or how many digits, stand at each place; 64 at most."""
    count = _same(text, places, blanks=blanks)
    for _ in range(WORD - 1):
        rest = np.flatnonzero((count > 0) & (count % WORD == 0))
        if not len(rest):
            break
        more = _same(text, places[rest] + count[rest], blanks=blanks)
        if not more.any():
            break
        count[rest] += more
    return count


def _same(text: Text, places: Places, *, blanks: bool) -> Places:
    word = text.word(places)
    if blanks:
        same = _equal_bytes(word, 32)
    else:
        other = word ^ _ZEROS
        same = ~(((other & _LOW) + _SIX_UP) | other) & _HIGH
    return _bytes_below(~same & _HIGH)


def _equal_bytes(word: Words, byte: int) -> Words:
    """Flag the bytes of words that equal one byte."""
    other = word ^ (_ONES * np.uint64(byte))
    return ~(((other & _LOW) + _LOW) | other) & _HIGH


def _bytes_below(flag: Words) -> Places:
    """Return how many bytes lie below the lowest flag (the high bit of a byte), 8 without one."""
    return (np.bitwise_count((flag - _ONE) & ~flag) >> 3).astype(np.int64)


def eight_digits(word: Words) -> Words:
    """Read eight characters as one number, the first of them in the lowest byte; zero bytes count as zeros."""
    word = word & _NIBBLES
    word = (word * np.uint64(10) + (word >> np.uint64(8))) & np.uint64(0x00FF00FF00FF00FF)
    word = (word * np.uint64(100) + (word >> np.uint64(16))) & np.uint64(0x0000FFFF0000FFFF)
    return (word * np.uint64(10000) + (word >> np.uint64(32))) & np.uint64(0xFFFFFFFF)


def _slow(text: Text, places: Places, *, point: bool, commas: bool) -> _Read:
    """Read characters one after another: any length, and thousands grouped by commas."""
    count = len(places)
    whole, digits, fraction = np.zeros((3, count), np.int64)
    since = np.full(count, -1)
    good, running, dotted = np.ones(count, bool), np.ones(count, bool), np.zeros(count, bool)
    stops = places.copy()
    for step in range(_LONGEST):
        char = text.bytes[places + step]
        value = (char - np.uint8(48)).astype(np.int64)
        digit = running & (value < 10)
        dot = running & (char == 46) & ~dotted & (digits > 0) & point
        comma = running & (char == 44) & ~dotted & (digits > 0) & commas
        good &= ~((comma | dot) & (since >= 0) & (since != 3))
        whole = np.where(digit & (digits < EXACT), whole * 10 + value, whole)
        digits += digit
        fraction += digit & dotted
        since = np.where(comma, 0, np.where(dot, -1, since + (digit & (since >= 0))))
        dotted |= dot
        running &= digit | dot | comma
        stops += running
        if not running.any():
            break
    good &= ~running & (digits > 0) & (digits <= EXACT) & (~dotted | (fraction > 0)) & ((since < 0) | (since == 3))
    return _Read(whole, fraction, stops, good)


def _powers(text: Text, stops: Places, good: Flags) -> tuple[Places, Flags, Places] | None:
    """Read the exponents behind some numbers: a letter, a sign or none, and one or two digits; None where no number has one.

    Returns places behind them, which were read, and the exponents.
    """
    rows = np.flatnonzero(good & ((text.bytes[stops] | np.uint8(32)) == 101))
    if not len(rows):
        return None
    at = stops[rows] + 1
    sign = text.bytes[at]
    at = at + ((sign == 43) | (sign == 45))
    first, second, more = (text.bytes[at + step] - np.uint8(48) for step in range(3))
    two = second < 10
    whole = np.where(two, first.astype(np.int64) * 10 + second, first)
    power = np.zeros(len(stops), np.int64)
    power[rows] = np.where(sign == 45, -whole, whole)
    stops[rows] = at + 1 + two
    good[rows] = (first < 10) & (~two | (more >= 10))
    return stops, good, power
