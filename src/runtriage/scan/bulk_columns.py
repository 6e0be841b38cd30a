"""Text in fixed columns of many lines: whether it is like a sample, and the whole numbers in it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from runtriage.scan.bulk_numbers import WORD, Flags, Places, Text, Words, eight_digits


class Run(NamedTuple):
    """At most eight digits at a column."""

    column: int
    digits: int


class Mask:
    """A sample; any digit may stand where `holes` is true. `width` is its length in words."""

    def __init__(self, sample: bytes, holes: Sequence[int]) -> None:
        self.width = -(-len(sample) // WORD)
        base, plus, bad = np.zeros((3, self.width * WORD), np.uint8)
        for index, (byte, hole) in enumerate(zip(sample, holes, strict=True)):
            base[index], plus[index], bad[index] = (48, 6, 0xF0) if hole else (byte, 0, 0xFF)
        self._base, self._plus, self._bad = base.view(np.uint64), plus.view(np.uint64), bad.view(np.uint64)

    def holds(self, words: Words) -> Flags:
        """Tell which rows of words, which are overwritten, are like the sample.

        A digit differs from `0` by at most 9: neither that nor 6 more reaches the upper half of its byte.
        """
        words ^= self._base
        wrong = words + self._plus
        wrong |= words
        wrong &= self._bad
        return np.bitwise_or.reduce(wrong, axis=1) == 0


def read_runs(text: Text, starts: Places, runs: Sequence[Run]) -> NDArray[np.int64]:
    """Return a row for each run: its number in each line. What is no digit there makes it meaningless."""
    places = starts + np.array([run.column for run in runs], np.int64).reshape(-1, 1)
    words = text.word(places.reshape(-1)).reshape(places.shape)
    words <<= np.array([8 * (WORD - run.digits) for run in runs], np.uint64).reshape(-1, 1)
    return eight_digits(words).astype(np.int64)
