"""The folder of results: whole rows, going on, Parquet."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from pyarrow import parquet  # pyright: ignore[reportMissingTypeStubs]

from tests.cli.running import inside, one_line
from tests.fleet.runs_of import make_runs, rows


def test_every_run_gets_a_row_that_parquet_holds_too(tmp_path: Path) -> None:
    make_runs(tmp_path / "runs", 5)

    done = inside("fleet", "runs", "--out", "out", "--reports", cwd=tmp_path)

    found = rows(tmp_path / "out")
    table: Any = parquet.read_table(tmp_path / "out" / "runs.parquet")  # pyright: ignore[reportUnknownMemberType]
    reports = [json.loads(line) for line in (tmp_path / "out" / "reports.jsonl").read_text("utf-8").splitlines()]
    assert done.returncode == 1
    assert [row["primary_cause"] for row in sorted(found, key=lambda row: row["target"])].count("oom") == 2
    assert table.to_pylist() == found
    assert {report["run_id"] for report in reports} == {row["key"] for row in found}


def test_a_second_start_needs_resume_and_then_does_only_what_is_new(tmp_path: Path) -> None:
    make_runs(tmp_path / "runs", 4)
    inside("fleet", "runs", "--out", "out", cwd=tmp_path)
    first = (tmp_path / "out" / "runs.jsonl").read_text("utf-8")
    make_runs(tmp_path / "runs", 7)

    refused = inside("fleet", "runs", "--out", "out", cwd=tmp_path)
    done = inside("fleet", "runs", "--out", "out", "--resume", "--format", "json", cwd=tmp_path)

    assert "--resume" in one_line(refused) and refused.returncode == 2
    assert (tmp_path / "out" / "runs.jsonl").read_text("utf-8").startswith(first)
    assert len(rows(tmp_path / "out")) == 7
    assert json.loads(done.stdout)["runs"] == 7
    assert parquet.read_table(tmp_path / "out" / "runs.parquet").num_rows == 7  # pyright: ignore[reportUnknownMemberType]


def test_a_torn_last_line_is_done_again(tmp_path: Path) -> None:
    make_runs(tmp_path / "runs", 3)
    inside("fleet", "runs", "--out", "out", cwd=tmp_path)
    path = tmp_path / "out" / "runs.jsonl"
    path.write_bytes(path.read_bytes()[:-40])

    inside("fleet", "runs", "--out", "out", "--resume", cwd=tmp_path)

    whole = [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.endswith("}")]
    assert len({row["key"] for row in whole}) == 3


def test_without_pyarrow_the_lines_are_written_and_the_way_to_parquet_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_runs(tmp_path / "runs", 2)
    monkeypatch.setattr("runtriage.fleet.parquet.find_spec", lambda name: None)  # pyright: ignore[reportUnknownLambdaType]

    done = inside("fleet", "runs", "--out", "out", cwd=tmp_path)

    assert len(rows(tmp_path / "out")) == 2
    assert "pip install 'runtriage[fleet]'" in done.stderr
    assert not (tmp_path / "out" / "runs.parquet").exists()


def test_diagnoses_are_kept_unless_that_is_not_wanted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_runs(tmp_path / "runs", 12)
    monkeypatch.setenv("RUNTRIAGE_HISTORY", str(tmp_path / "history.sqlite3"))

    inside("fleet", "runs", "--workers", "2", "--no-history", cwd=tmp_path)
    before = inside("history", "list", "--json", cwd=tmp_path).stdout
    inside("fleet", "runs", "--workers", "2", cwd=tmp_path)
    after = inside("history", "list", "--json", cwd=tmp_path).stdout

    assert before == ""
    assert len(after.splitlines()) == 12
