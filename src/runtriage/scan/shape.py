"""The shape of a line: all of it but how its numbers are printed. Lines of one shape are, as a rule, read alike."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from runtriage.model.pattern import deferred
from runtriage.scan.alike import form_of
from runtriage.scan.find import REACH

PER_SHAPE: Final = 4
"""Lines of one shape that are looked at."""
_SHAPES: Final = 64
_NUMBER = deferred(rb"[-+]?\d[\d.,eE+-]*|\bnan\b|\binf\b")


def few_of_each_shape(lines: Iterable[bytes]) -> list[bytes]:
    """Return a few lines of each shape, each as far as it is looked at."""
    seen: dict[bytes, int] = {}
    kept: list[bytes] = []
    for line in lines:
        shape = shape_of(line)
        count = seen.get(shape, 0)
        if count < PER_SHAPE and (count or len(seen) < _SHAPES):
            seen[shape] = count + 1
            kept.append(line[:REACH])
    return kept


def shape_of(line: bytes) -> bytes:
    """Return a line with a zero for each of its numbers."""
    return _without_lengths(form_of(line[:REACH]))


@lru_cache(maxsize=1024)
def _without_lengths(form: bytes) -> bytes:
    """Return a line whose digits are all zeros without the lengths of its numbers."""
    return _NUMBER.sub(b"0", form)
