from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import fleet, folder
from runtriage.api import diagnose


def test_of_the_generated_ranks_the_one_that_failed_is_found(tmp_path: Path) -> None:
    report = diagnose(folder.write(tmp_path / "run", 12))
    assert (report.primary_cause, report.culprit.rank) == ("oom", 8)


@pytest.mark.parametrize(("number", "cause"), [(0, "oom"), (1, None), (2, None), (6, "data-pipeline")])
def test_the_generated_runs_of_a_fleet_complete_or_fail_as_they_say(
    number: int, cause: str | None, tmp_path: Path
) -> None:
    (tmp_path / "run.log").write_text(fleet.log(number), "utf-8")
    assert diagnose(tmp_path / "run.log").primary_cause == cause


def test_the_fleet_is_measured_against_the_bare_loop(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr("sys.argv", ["fleet", "--runs", "30", "--times", "1", "--folder", str(tmp_path)])
    fleet.main()
    ratio, memory = capsys.readouterr().out.splitlines()
    assert ratio.startswith("30 runs: fleet ") and "; ratio " in ratio
    assert "MB with 30" in memory


def _as_it_is(_resource: int, _limits: tuple[int, int]) -> None:
    """Leave the limits of the process that tests."""


def test_a_first_look_at_a_folder_is_measured_beside_a_second(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr("sys.argv", ["folder", "--ranks", "12", "--runs", "1", "--folder", str(tmp_path)])
    monkeypatch.setattr("resource.setrlimit", _as_it_is)
    folder.main()
    memory, first, second = capsys.readouterr().out.splitlines()
    assert memory.startswith("12 files, at most 64 open in a process: ")
    assert first.startswith("first look:  ") and second.startswith("second look: ")
