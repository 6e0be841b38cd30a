from __future__ import annotations

import sys
from pathlib import Path

import pytest
from benchmarks.__main__ import run


def test_what_is_measured_stays_out_of_the_history(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "train.log").write_text("step 1 loss=2.0\nValueError: no colour\n", "utf-8")
    history = tmp_path / "history.sqlite3"
    monkeypatch.setenv("RUNTRIAGE_HISTORY", str(history))
    run([sys.executable, "-m", "runtriage", "diagnose", str(tmp_path / "train.log")])
    assert not history.exists()
