"""Reads the times of many lines of one layout at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise

import numpy as np

from runtriage.scan.bulk_columns import Mask, Run, read_runs
from runtriage.scan.bulk_keys import Columns
from runtriage.scan.bulk_numbers import WORD, Flags, Numbers, Places, Text, Words
from runtriage.scan.ticks import Form, Ticks


def read_clock(text: Text, starts: Places, ticks: Ticks, full: Callable[[int], None]) -> Numbers:
    """Return the seconds that lines print; `starts` is where their tokens of the ticks' form begin.

    What the ticks alone cannot tell is NaN; `full(index)` is called for it, which lets the ticks learn its day.
    """
    form = ticks.form
    mask = Mask(form.token, bytes(48 <= byte <= 57 for byte in form.token))
    words = text.words(starts, mask.width)
    good = mask.holds(words.copy())
    hour, minute, second, *fraction = read_runs(text, starts, _runs(form))
    good &= (hour < 24) & (minute < 60) & (second < 60)
    seconds = (hour * 3600 + minute * 60 + second).astype(np.float64)
    if fraction:
        whole = fraction[0] * 10 ** max(form.digits - WORD, 0) + sum(fraction[1:])
        seconds += whole / 10.0**form.digits
    for low, high in _days(words, form, mask.width):
        token = bytes(text.bytes[starts[low] : starts[low] + len(form.token)])
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


def minutes(data: bytes | bytearray, starts: Places, form: Form) -> list[bytes]:
    """Return what tokens of one form that begin at `starts` print but for the seconds: equal only where they print the same minute."""
    size = len(form.token)
    width = -(-size // WORD)
    if int(starts.max(initial=0)) + width * WORD > len(data):
        tokens = (bytes(memoryview(data)[start : start + size]) for start in starts.tolist())
        return [token[: form.fields[2]] + token[form.stop :] for token in tokens]
    kept = np.zeros(width * WORD, np.uint8)
    kept[: form.fields[2]] = kept[form.stop : size] = 255
    rows = Text(data, len(data)).words(starts, width) & kept.view(np.uint64)
    return rows.view(f"V{width * WORD}").ravel().tolist()


class Minute:
    """The place in lines of one shape where they print their time, but for its seconds: `at` is its column in the line."""

    def __init__(self, form: Form, at: int) -> None:
        size = len(form.token)
        width = -(-size // WORD) * WORD
        kept = np.zeros(width, np.uint8)
        kept[width - size :][: form.fields[2]] = kept[width - size :][form.stop :] = 255
        self._words = [(WORD * index, word) for index, word in enumerate(kept.view(np.uint64)) if word]
        self._at = at + size - width
        self._second = at + form.fields[2]

    def same(self, columns: Columns, lead: int) -> Flags:
        """Tell which lines print the minute of the one before, and seconds that there are; `lead` bytes stand before each."""
        good = columns[:, lead + self._second] <= 5
        good[:1] = False
        for at, mask in self._words:
            words = np.ndarray((len(columns),), np.uint64, columns, lead + self._at + at, columns.strides[:1]) & mask
            good[1:] &= words[1:] == words[:-1]
        return good


def _runs(form: Form) -> list[Run]:
    """Return where hours, minutes, seconds and their fraction (of nine digits at most) stand."""
    runs = [Run(at, 2) for at in form.fields]
    if form.digits:
        runs.append(Run(form.fraction, min(form.digits, WORD)))
    if form.digits > WORD:
        runs.append(Run(form.fraction + WORD, form.digits - WORD))
    return runs


def _days(words: Words, form: Form, width: int) -> Iterator[tuple[int, int]]:
    """Yield stretches of tokens that are equal but for hours, minutes, seconds and their fraction."""
    kept = np.zeros(width * WORD, np.uint8)
    kept[: form.fields[0]] = kept[form.stop : len(form.token)] = 255
    rows = words & kept.view(np.uint64)
    changes = np.flatnonzero((rows[1:] != rows[:-1]).any(axis=1)) + 1
    return pairwise([0, *changes.tolist(), len(rows)])
