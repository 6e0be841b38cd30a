"""Ages of what a workflow run recorded, against the time at which it was looked at."""

from __future__ import annotations

import pytest

from runtriage.render.workflow_ages import newest, seconds_between

NOON = "2026-11-20T12:00:00Z"


@pytest.mark.parametrize(
    ("earlier", "later", "apart"),
    [
        ("2026-11-20T11:59:00Z", NOON, 60.0),
        ("2026-11-20T12:59:00+01:00", NOON, 60.0),
        ("2026-11-20T12:00:04Z", NOON, 0.0),
        ("2099-01-01T00:00:00Z", NOON, None),
        ("2026-11-20T11:59:00", NOON, None),
        ("", NOON, None),
        ("0001-01-01T00:00:00+14:00", NOON, None),
        ("\x1b[31m yesterday", NOON, None),
        (NOON, "", None),
    ],
)
def test_seconds_are_told_between_times_that_can_be_compared(earlier: str, later: str, apart: float | None) -> None:
    assert seconds_between(earlier, later) == apart


def test_text_that_is_no_time_is_never_the_newest() -> None:
    assert newest(["zzz", "2026-11-20T11:00:00Z", "2026-11-20T11:30:00+01:00", ""]) == "2026-11-20T11:00:00Z"
    assert newest([]) == ""
