"""Ways to write the same, and names of files that say what goes into them."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.cli.running import FAILED, inside, one_line


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    (tmp_path / "train.log").write_text(FAILED, "utf-8")
    return tmp_path


@pytest.mark.parametrize(
    "asked",
    [
        ("train.log", "--json"),
        ("train.log", "--format", "json"),
        ("checkpoints", ".", "--json"),
        ("compare", "train.log", "train.log", "--format", "json"),
        ("compare", "train.log", "--format=json", "train.log"),
    ],
)
def test_json_is_asked_for_in_either_spelling(runs: Path, asked: tuple[str, ...]) -> None:
    done = inside(*asked, cwd=runs)

    assert json.loads(done.stdout), done.stderr


def test_a_format_that_a_command_has_not_is_answered_with_its_own_option(runs: Path) -> None:
    done = inside("compare", "train.log", "train.log", "--format", "html", cwd=runs)

    assert done.returncode == 2 and "--json" in one_line(done)


@pytest.mark.parametrize("name", ["r.pdf", "r.PDF", "r.svg", "r.docx"])
def test_a_file_in_which_no_report_is_written_is_refused_before_any_work(runs: Path, name: str) -> None:
    done = inside("train.log", "-o", name, cwd=runs)

    assert done.returncode == 2 and all(word in one_line(done) for word in (".json", ".md", ".html", ".txt"))
    assert not (runs / name).exists()
    assert inside("train.log", "-o", name, "--format", "html", cwd=runs).returncode == 1
    assert (runs / name).read_text("utf-8").startswith("<!doctype html>")


@pytest.mark.parametrize("name", ["r", "r.txt", "r.log"])
def test_text_goes_into_files_of_text(runs: Path, name: str) -> None:
    assert inside("train.log", "-o", name, cwd=runs).returncode == 1
    assert (runs / name).read_text("utf-8").startswith("Status: crashed")


@pytest.mark.parametrize("target", ["slurm:12", "sky:12", "ssh:host:/x", "user@host:/runs/a.log"])
def test_a_tool_that_is_missing_here_leaves_the_run_out_of_reach(
    runs: Path, monkeypatch: pytest.MonkeyPatch, target: str
) -> None:
    (runs / "bin").mkdir()
    monkeypatch.setitem(os.environ, "PATH", str(runs / "bin"))

    done = inside(target, cwd=runs)

    assert done.returncode == 4, done.stderr
    one_line(done)


@pytest.mark.parametrize(
    ("given", "word"),
    [
        (["-o", "a.html", "-o", "b.md"], "2 times"),
        (["-o", "a.html", "--output=b.md"], "2 times"),
        (["--format", "json", "-o", "q.html"], "named for html"),
        (["--json", "-o", "q.md"], "named for markdown"),
    ],
)
def test_files_that_contradict_what_was_asked_for_are_refused(runs: Path, given: list[str], word: str) -> None:
    done = inside("train.log", *given, cwd=runs)
    assert done.returncode == 2 and word in one_line(done)
    assert not [path for path in runs.iterdir() if path.suffix in (".html", ".md")]
