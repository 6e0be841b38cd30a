from __future__ import annotations

from pathlib import Path

import pytest

from runtriage.cli.checkout import path_in


def test_a_file_is_named_from_the_root_of_the_checked_out_repository(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = tmp_path / "repo" / "runs" / "7"
    run.mkdir(parents=True)
    (run / "train.log").touch()
    (tmp_path / "repo" / ".git").mkdir()
    (tmp_path / "far.log").touch()
    monkeypatch.delenv("GITHUB_WORKSPACE", raising=False)
    monkeypatch.chdir(tmp_path / "repo" / "runs")
    assert path_in("7")("train.log") == "runs/7/train.log"
    assert path_in("7/train.log")("train.log") == "runs/7/train.log"
    assert path_in(str(run))("train.log") == "runs/7/train.log"
    assert path_in("../../far.log")("far.log") == "far.log"
    assert path_in("s3://bucket/run")("x/\0train.log") == "x/\0train.log"
    monkeypatch.setenv("GITHUB_WORKSPACE", str(tmp_path))
    assert path_in("7")("train.log") == "repo/runs/7/train.log"
