"""When the pages of a history reach the cutoff."""

from __future__ import annotations

import pytest

from runtriage.targets.runai_pages import over

CUTOFF = "2026-05-20T00:00:00Z"
OLD, OLDER, NEW, NEWER = "2026-05-19T23:00:00Z", "2026-05-19T22:00:00Z", "2026-05-20T10:00:00Z", "2026-05-20T11:00:00Z"


@pytest.mark.parametrize(
    ("times", "ended"),
    [
        ([NEWER, NEW], False),
        ([NEWER, OLD], True),
        ([OLD, OLDER], True),
        ([OLDER, OLD], False),
        ([NEW, OLD, NEWER], False),
        ([OLD, OLDER, OLD], True),
        ([], False),
        (["never"], False),
    ],
)
def test_the_cutoff_is_reached_when_nothing_newer_can_follow(times: list[str], ended: bool) -> None:
    records = [{"meta": {"creationTimestamp": time}} for time in times]
    assert over({"records": records}, CUTOFF) is ended
