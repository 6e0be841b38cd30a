"""Which start of the job a place in a log belongs to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from runtriage.scan.launcher_attempt import RESTART


class Mark(NamedTuple):
    """A line that says an attempt begins, and its number where the line prints one (from 0)."""

    name: str
    number: int | None


def attempts(marks: Sequence[Mark], base: int) -> list[int]:
    """Return the attempt that holds before any mark and after each one.

    The first start opens the first attempt, a later one the next; a restart that was announced is opened by its announcement;
    a printed number decides where there is one.
    """
    current, begun, announced = base, False, False
    found = [base]
    for mark in marks:
        restart = mark.name == RESTART
        if mark.number is not None:
            current = mark.number
        elif restart or (begun and not announced):
            current += 1
        begun, announced = True, restart
        found.append(current)
    return found
