from __future__ import annotations

import pytest
from benchmarks.pages import main


def test_every_page_of_a_filled_history_gets_its_row(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["pages", "--count", "7600", "--runs", "1"])
    main()
    rows = capsys.readouterr().out.splitlines()
    assert rows[0] == "7,600 diagnoses"
    assert [row.split()[0] for row in rows[2:6]] == ["/", "/?page=150", "/?cause=oom&status=crashed", "/?text=gpu+oom"]
    assert all(float(row.split()[-2]) > 0 for row in rows[2:])
