"""Reads the times of many lines of one layout at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise

import numpy as np

from runtriage.scan.bulk_numbers import Flags, Numbers, Places, Text
from runtriage.scan.ticks import Ticks


def read_clock(text: Text, starts: Places, ticks: Ticks, full: Callable[[int], None]) -> Numbers:
    """Return the seconds that lines print; `starts` is where their tokens of the ticks' form begin.

    What the ticks alone cannot tell is NaN; `full(index)` is called for it, which lets the ticks learn its day.
    """
    form = ticks.form
    tokens = text.bytes[starts[:, None] + np.arange(len(form.token))]
    good = _alike(tokens, form.token)
    hour, minute, second = (_number(tokens, at, 2) for at in form.fields)
    good &= (hour < 24) & (minute < 60) & (second < 60)
    seconds = (hour * 3600 + minute * 60 + second).astype(np.float64)
    if form.digits:
        seconds += _number(tokens, form.fraction, form.digits) / 10.0**form.digits
    for low, high in _runs(np.delete(tokens, np.s_[form.fields[0] : form.stop], axis=1)):
        token = bytes(tokens[low])
        day = ticks.day(token)
        if day is None and good[low]:
            full(low)
            day = ticks.day(token)
        if day is None:
            good[low:high] = False
        else:
            seconds[low:high] = day + seconds[low:high]
    for index in np.flatnonzero(~good).tolist():
        full(index)
    seconds[~good] = np.nan
    return seconds


def _alike(tokens: np.ndarray[tuple[int, int], np.dtype[np.uint8]], sample: bytes) -> Flags:
    """Tell which tokens have digits where the sample has, and its other characters elsewhere."""
    want = np.frombuffer(sample, np.uint8)
    digit = (want >= 48) & (want <= 57)
    same = (tokens == want) | (digit & (tokens - np.uint8(48) < 10))
    return np.logical_and.reduce(same, axis=1)


def _number(tokens: np.ndarray[tuple[int, int], np.dtype[np.uint8]], at: int, digits: int) -> Places:
    value = np.zeros(len(tokens), np.int64)
    for column in range(at, at + digits):
        value = value * 10 + (tokens[:, column].astype(np.int64) - 48)
    return value


def _runs(rows: np.ndarray[tuple[int, int], np.dtype[np.uint8]]) -> Iterator[tuple[int, int]]:
    """Yield stretches of equal rows."""
    changes = np.flatnonzero((rows[1:] != rows[:-1]).any(axis=1)) + 1
    borders = [0, *changes.tolist(), len(rows)]
    return pairwise(borders)
