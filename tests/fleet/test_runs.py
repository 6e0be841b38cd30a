"""Which runs the words of a fleet name."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from runtriage.fleet.runs import Run, runs
from runtriage.targets.errors import TargetError
from tests.fleet.runs_of import make_runs


def test_sub_folders_and_logs_of_a_folder_are_runs_in_natural_order(tmp_path: Path) -> None:
    for name in ("run-2", "run-10", ".hidden"):
        (tmp_path / name).mkdir()
    for name in ("a.log", "b.out.gz", "README.md", "c.json"):
        (tmp_path / name).write_text("x", "utf-8")

    names = [Path(run.target).name for run in runs([str(tmp_path)])]

    assert names == ["a.log", "b.out.gz", "run-2", "run-10"]


@pytest.mark.parametrize(
    ("folders", "count"),
    [
        (("rank0", "rank1"), 1),
        (("node-0",), 1),
        (("attempt_0", "attempt_1", "attempt_2"), 1),
        (("rank8", "rank16"), 3),
        (("rank0", "baseline"), 3),
        (("0", "1"), 3),
    ],
)
def test_the_log_of_a_launcher_beside_the_folders_of_its_ranks_is_no_run_of_its_own(
    tmp_path: Path, folders: tuple[str, ...], count: int
) -> None:
    for name in folders:
        (tmp_path / name).mkdir()
    (tmp_path / "torchrun.log").write_text("x", "utf-8")

    found = [run.target for run in runs([str(tmp_path)])]

    assert len(found) == count
    assert count > 1 or found == [str(tmp_path)]


def test_each_match_of_a_glob_is_a_run_and_none_comes_twice(tmp_path: Path) -> None:
    make_runs(tmp_path, 4)

    found = list(runs([f"{tmp_path}/*-0000[01].log", str(tmp_path)]))

    assert len(found) == 4
    assert len({run.key for run in found}) == 4


def test_a_file_of_targets_names_owners_and_hours(tmp_path: Path) -> None:
    make_runs(tmp_path / "runs", 2)
    record = {"target": "slurm:4711", "owner": "vision", "hours": 12}
    (tmp_path / "targets.txt").write_text(f"# all of May\n\n{tmp_path}/runs\n{json.dumps(record)}\n", "utf-8")

    found = list(runs([f"@{tmp_path}/targets.txt"], re.compile(r"/(team\d)-")))

    assert [run.owner for run in found] == ["team0", "team1", "vision"]
    assert found[-1] == Run("slurm:4711", "vision", 12.0)


@pytest.mark.parametrize("line", ["{", '{"target": 1}', '{"target": "a", "hours": "many"}'])
def test_a_line_that_is_no_target_names_its_place(tmp_path: Path, line: str) -> None:
    (tmp_path / "targets.txt").write_text(line + "\n", "utf-8")

    with pytest.raises(TargetError, match="target 1"):
        list(runs([f"@{tmp_path}/targets.txt"]))


@pytest.mark.parametrize("word", ["nothing-here/*.log", "empty", "@no-such-file", "-"])
def test_what_names_no_run_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, word: str) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()

    with pytest.raises(TargetError):
        list(runs([word]))
