"""The counts at the end."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from runtriage.fleet import tally
from runtriage.fleet.page import text
from runtriage.fleet.row import Row
from runtriage.fleet.summary import Summary
from runtriage.fleet.tally import Tally
from tests.cli.running import inside
from tests.fleet.runs_of import make_runs


def row(**fields: object) -> Row:
    return Row(**{"key": "0" * 16, "target": "a", "outcome": "judged", "code": 0, **fields})  # pyright: ignore[reportArgumentType]


def test_failed_runs_are_counted_by_cause_owner_and_node_with_their_hours(tmp_path: Path) -> None:
    make_runs(tmp_path / "runs", 12)

    done = inside("fleet", "runs", "--owner", r"/(team\d)-", "--format", "json", cwd=tmp_path)

    told = json.loads(done.stdout)
    assert (told["runs"], told["failed"]) == (12, 6)
    (cause,) = told["by"]["cause"]
    assert (cause["name"], cause["runs"], cause["run_hours"]) == ("oom", 6, 9.0)
    assert [(each["name"], each["runs"]) for each in told["by"]["owner"]] == [("team0", 2), ("team1", 2), ("team2", 2)]
    assert told["run_hours_failed"] == 9.0


def test_failures_that_differ_only_in_numbers_share_a_fingerprint(tmp_path: Path) -> None:
    make_runs(tmp_path / "runs", 8)

    done = inside("fleet", "runs", "--format", "json", cwd=tmp_path)

    (again,) = json.loads(done.stdout)["repeated"]
    assert again["runs"] == 4
    assert "the GPU has no room" in again["example"]


def test_failures_that_only_curves_show_are_the_same_kind_and_not_the_same_failure() -> None:
    summary = Summary()
    for _ in range(2):
        summary.add(
            row(code=1, run_status="diverged", fingerprint="f" * 16, curve_only=True, summary="The loss broke.")
        )
    page = text(summary)
    assert "The same failure again and again" not in page
    assert "The same kind of failure" in page
    assert summary.document()["same_kind"][0]["runs"] == 2


@pytest.mark.parametrize(
    ("codes", "expected"),
    [([0, 1, 3], 1), ([0, 3, 70], 0), ([3, 4], 4), ([3, 3], 3), ([70], 70), ([], 3)],
)
def test_the_exit_code_tells_of_access_only_where_nothing_was_judged(codes: list[int], expected: int) -> None:
    summary = Summary()
    for code in codes:
        outcome = "judged" if code < 2 else "tool-failure" if code == 70 else "unreadable"
        summary.add(row(code=code, outcome=outcome, run_status="crashed" if code else "completed"))

    assert summary.exit_code() == expected


def test_what_could_not_be_read_is_named_with_the_reason_and_no_more_than_fit() -> None:
    summary = Summary()
    for at in range(25):
        summary.add(row(target=f"r{at}", outcome="unreadable", code=3, error=f"r{at}: no such file or folder"))
    summary.add(row(target="x", outcome="tool-failure", code=70, error="ran out of time"))

    page = text(summary)

    assert "Not read: 25\n  r0: no such file or folder\n" in page
    assert "  r19: no such" in page and "r20" not in page and "(5 more)" in page
    assert "  x: ran out of time" in page
    assert summary.document()["unreadable"][0] == {"target": "r0", "error": "r0: no such file or folder"}
    assert "Not read" not in text(Summary())


def test_a_page_with_a_failed_run_tells_how_to_get_its_report() -> None:
    summary = Summary()
    summary.add(row(code=1, run_status="crashed", primary_cause="oom"))
    assert "--reports" in text(summary)
    healthy = Summary()
    healthy.add(row(run_status="completed"))
    assert "--reports" not in text(healthy)


def test_a_tally_forgets_rare_names_when_there_are_too_many_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tally, "_LIMIT", 10)
    counted = Tally()
    for number in range(200):
        counted.add("often", 1.0, "a")
        counted.add(f"once-{number}", 1.0, "b")

    assert len(counted.lines) <= 20
    assert counted.lines["often"].runs == 200
    assert counted.forgotten + sum(line.runs for line in counted.lines.values()) == 400
