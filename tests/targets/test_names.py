"""Names of files as they are shown, and the order in which they are read."""

from __future__ import annotations

from runtriage.targets.names import order


def test_numbers_in_names_are_ordered_by_their_value():
    assert sorted(["rank10.log", "rank2.log", "rank1.log"], key=order) == ["rank1.log", "rank2.log", "rank10.log"]


def test_a_digit_that_is_no_decimal_one_is_a_letter_of_the_name():
    assert sorted(["\u00b2", "a", "7"], key=order) == ["7", "a", "\u00b2"]
