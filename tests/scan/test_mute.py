"""Rows that tell of what was done at every step are told apart from the line that says that the run is."""

from __future__ import annotations

import pytest

from runtriage.model.event import FINISH, RECOVERY
from tests.scan.reading import read


@pytest.mark.parametrize("prefix", ["", "2026-05-28 20:26:40,123 INFO trainer: ", "[rank3]: "])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_the_end_is_heard_among_rows_of_what_was_done(prefix: str, end: str) -> None:
    rows = [f"{prefix}batch {at} done" for at in range(300)]
    said = read(end.join([*rows[:200], f"{prefix}training done", *rows[200:], ""]).encode())
    assert [event.citation.first_line for event in said.events if event.kind == FINISH] == [201]


def test_a_code_that_is_not_zero_is_not_taken_for_one_that_is() -> None:
    rows = [f"exiting with code {code}" for code in (1, 3, 0, 7)]
    said = read("\n".join([*rows, ""]).encode())
    assert [event.citation.first_line for event in said.events if event.kind == FINISH] == [3]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_a_line_that_says_nothing_hides_none_that_does(end: str) -> None:
    rows = ["WARNING: retrying connection"] * 40
    fault = "could not reach the store (timed out), retrying"
    said = read((end.join([*rows, fault, *rows]) + "\n").encode())
    assert sum(event.count for event in said.events if event.kind == RECOVERY) == 1
