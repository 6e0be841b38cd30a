from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from benchmarks.__main__ import Run
from benchmarks.memory import peak
from benchmarks.speed import Case, row
from benchmarks.speed_inputs import metrics

from benchmarks import speed, work

_HOLD = "import os, time; held = bytearray(os.urandom(1)) * 50_000_000; os.fork(); time.sleep(0.5)"


def test_memory_of_processes_that_were_forked_is_counted_once():
    found = peak([sys.executable, "-c", _HOLD], dict(os.environ))
    assert 50 < found.total < 90
    assert found.single <= found.total


def test_a_case_whose_rival_is_not_here_is_left_out_with_the_reason():
    case = Case("zst", 1, ("true",), ("zstd",), "zstd", 1.3, missing="zstd is not installed")
    assert row(case, 1, 1000.0).endswith("left out: zstd is not installed")


def test_a_case_is_held_to_its_bar_by_the_time_it_names(monkeypatch: pytest.MonkeyPatch):
    times = {("mine",): Run(2.0, 6.0, 1.0), ("other",): Run(4.0, 4.0, 1.0)}
    monkeypatch.setattr(speed, "run", times.__getitem__)
    assert row(Case("one", 1_000_000, ("mine",), ("other",), "other", 0.5), 1, 1.0).endswith(
        "0.50 of other (wall), bar 0.50: kept"
    )
    assert row(Case("one", 1_000_000, ("mine",), ("other",), "other", 1.4, "cpu"), 1, 1.0).endswith(
        "1.50 of other (cpu), bar 1.40: missed"
    )


def test_every_line_of_the_metric_log_holds_a_loss(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    path = tmp_path / "metrics.log"
    path.write_text("".join(metrics(400_000)), "utf-8")
    work.findall([path])
    text = path.read_text("utf-8")
    assert capsys.readouterr().out == f"points={text.count(chr(10))}\n"
    assert any(odd in text for odd in ("loss:     nan", "loss:     inf", "loss:    -inf", "loss: -0.0317"))


def test_the_search_alone_reads_every_byte(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    path = tmp_path / "metrics.log"
    path.write_text("".join(metrics(1_200_000)), "utf-8")
    work.search([path])
    assert capsys.readouterr().out == f"bytes={path.stat().st_size}\n"


def test_the_least_a_scan_can_take_is_the_search_on_all_cores_without_its_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    path = tmp_path / "log"
    path.write_bytes(bytes(4_000_000))
    seconds = {"/dev/null": 1.0, str(path): 3.0}
    monkeypatch.setattr(
        speed, "run", lambda command: Run(9.0, 0.5 if command[0] == "wc" else seconds[command[-1]], 1.0)
    )
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    assert speed.least(path, 1).endswith(": 2 MB/s a core, at best 2.0 x wc -l")
