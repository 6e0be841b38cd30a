"""Logs of runs that are well, full of the words that cry wolf: nothing may be found in any of them."""

from __future__ import annotations

from pathlib import Path

import pytest

import runtriage

HERE = Path(__file__).parent / "healthy"
LOGS = sorted(path for path in HERE.rglob("*") if path.is_file() and path.suffix != ".md")
WELL = {"completed", "recovered", "running", "unknown"}


def test_there_are_enough_healthy_logs() -> None:
    assert len(LOGS) >= 40


@pytest.mark.parametrize("log", LOGS, ids=lambda path: str(path.relative_to(HERE)))
def test_nothing_is_found_in_a_healthy_log(log: Path) -> None:
    report = runtriage.diagnose(str(log))
    assert report.primary_cause is None, report.root_cause.root
    assert report.run_status in WELL
