"""Which start of the job a place in a log belongs to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from runtriage.scan.launcher_attempt import RESTART

AGAIN: Final = "again"
"""Name of a mark at which a program seems to start anew, with no line of a launcher."""


class Mark(Struct, frozen=True):
    """A line that says an attempt begins, and its number where the line prints one (from 0)."""

    name: str
    number: int | None


def attempts(marks: Sequence[Mark | None], base: int) -> list[int]:
    """Return the attempt that holds before any mark and after each one; None is a mark that does not count.

    The first start opens the first attempt, a later one the next; a restart that was announced, or seen by what a program prints first,
    is opened by that; a printed number decides where there is one.
    """
    current, begun, announced = base, False, False
    found = [base]
    for mark in marks:
        if mark is None:
            found.append(current)
            continue
        restart = mark.name in (RESTART, AGAIN)
        if mark.number is not None:
            current = mark.number
        elif restart or (begun and not announced):
            current += 1
        begun, announced = True, restart
        found.append(current)
    return found
