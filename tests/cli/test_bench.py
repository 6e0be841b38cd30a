from __future__ import annotations

import json
from pathlib import Path

import pytest

from runtriage.cli.main import main

CHECKOUT = Path(__file__).parents[2]


def test_without_a_zoo_it_says_where_it_looked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["bench", "--checkout", str(tmp_path)])
    assert left.value.code == 2
    assert str(tmp_path) in capsys.readouterr().err


def test_another_program_is_scored_on_the_same_cases(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from zoo import score

    asked: list[list[str]] = []
    monkeypatch.setattr(score, "main", lambda argv: asked.append(argv) or print(json.dumps({})) or 0)
    with pytest.raises(SystemExit) as left:
        main(["bench", "--checkout", str(CHECKOUT), "--tool", "other {log}", "--calibration"])
    assert left.value.code == 0
    assert asked == [["--calibration", "--tool", "other {log}", "--split", "dev"]]
    assert capsys.readouterr().out.strip() == "{}"
