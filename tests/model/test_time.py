"""Printed times against each other."""

from __future__ import annotations

import pytest

from runtriage.model.time import Instant, apart

pytestmark = pytest.mark.usefixtures("untouched_world")

DAY = 86_400.0
NEW_YEAR_2027 = 1_798_761_600.0
"""2027-01-01 00:00:00 UTC"""
NEW_YEAR_1972 = 63_072_000.0
YEAR_1972 = 366 * DAY


def full(seconds: float) -> Instant:
    return Instant(text="", seconds=seconds, clock="dmesg")


def yearless(seconds: float) -> Instant:
    return Instant(text="", seconds=seconds, clock="log#no-year")


def test_a_date_without_a_year_is_of_the_year_of_the_other() -> None:
    march = 31 * DAY + 28 * DAY
    assert apart(full(NEW_YEAR_2027 + march), yearless(NEW_YEAR_1972 + march + DAY + 5)) == 5
    assert apart(yearless(NEW_YEAR_1972 + 7), full(NEW_YEAR_2027)) == -7


def test_the_turn_of_the_year_is_crossed_the_short_way() -> None:
    before, after = yearless(NEW_YEAR_1972 + YEAR_1972 - 30), full(NEW_YEAR_2027 + 30)
    assert apart(before, after) == 60
    assert apart(after, before) == -60


def test_two_prints_of_a_kind_are_apart_as_printed() -> None:
    assert apart(full(NEW_YEAR_2027), full(NEW_YEAR_2027 + 2.5)) == 2.5
    assert apart(yearless(5), yearless(3)) == -2
