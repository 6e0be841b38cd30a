"""What the config file says of every diagnosis holds for the commands, too, that have no options of their own for it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.api.workflow_runs import BUCKET
from tests.cli.running import FAILED, inside, one_line
from tests.cli.workflow.asked import failed
from tests.launch.running import PYTHON, run

HOME = "/home/ml"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A home whose config file asks for strict redaction."""
    place = tmp_path / ".config" / "runtriage"
    place.mkdir(parents=True)
    (place / "config.toml").write_text('redact.level = "strict"\n', "utf-8")
    (tmp_path / "train.log").write_text(FAILED, "utf-8")
    return tmp_path


def test_a_watch_hides_who_and_where_as_the_config_says(folder: Path) -> None:
    done = inside("watch", "train.log", "--once", "--format", "json", cwd=folder)
    assert "no colour" in done.stdout
    assert HOME not in done.stdout


def test_the_diagnosis_of_a_wrapped_command_hides_who_and_where_as_the_config_says(folder: Path) -> None:
    done = run(folder, PYTHON, "-c", f"print({FAILED!r}); raise SystemExit(1)")
    assert "Status: crashed" in done.stderr
    assert HOME not in done.stderr


def test_a_workflow_run_hides_who_and_where_as_the_config_says(folder: Path) -> None:
    failed("bad", extra={"npa-workflow/logs/train/run.log": FAILED.encode()}).write(folder)
    place = folder / BUCKET / "runs" / "bad"
    done = inside("workflow", "diagnose", place, "--json", cwd=folder)
    assert "no colour" in done.stdout
    assert HOME not in done.stdout


def test_a_watch_reads_the_signatures_that_the_config_names(folder: Path) -> None:
    (folder / ".config" / "runtriage" / "config.toml").write_text('signatures.folders = ["mine"]\n', "utf-8")
    done = inside("watch", "train.log", "--once", cwd=folder)
    assert (done.returncode, "mine" in one_line(done)) == (2, True)


def test_a_comparison_hides_who_and_where_as_the_config_says(folder: Path) -> None:
    (folder / "other.log").write_text(FAILED.replace(HOME, "/home/eve"), "utf-8")
    done = inside("compare", "train.log", "other.log", "--json", cwd=folder)
    assert done.returncode == 0, done.stderr
    assert HOME not in done.stdout
    assert "/home/eve" not in done.stdout
    shown = json.loads(done.stdout)
    assert shown["outcome"], "two runs that fail in files of different homes differ"
