"""A kernel record from another time is not the cause of a run; one from its own time, or of a GPU that still fails, is."""

from __future__ import annotations

from pathlib import Path

import pytest

from runtriage.api.diagnosis import diagnose
from runtriage.model.report import Report

LOG = "".join(f"2026-05-14 10:{n:02d}:00 INFO step {n}/5000 loss={3 - n / 100}\n" for n in range(40))
FELL = "[{when}] NVRM: Xid (PCI:0000:3b:00): 79, pid=2231, name=python, GPU has fallen off the bus.\n"


def judged(folder: Path, when: str, more: str = "") -> Report:
    (folder / "train.log").write_text(LOG + more, "utf-8")
    (folder / "dmesg.txt").write_text(FELL.format(when=when), "utf-8")
    return diagnose(str(folder))


@pytest.mark.parametrize("when", ["Thu May 14 10:39:20 2026", "Thu May 14 17:39:20 2026"])
def test_a_record_of_the_time_of_the_run_is_its_cause_in_whatever_zone_it_was_printed(
    tmp_path: Path, when: str
) -> None:
    assert judged(tmp_path, when).failure_mode == "cuda/fell-off-bus"


@pytest.mark.parametrize("when", ["Tue May 12 01:00:33 2026", "Mon May 18 01:00:33 2026"])
def test_a_record_of_another_day_is_not(tmp_path: Path, when: str) -> None:
    assert judged(tmp_path, when).failure_mode is None


def test_the_log_is_believed_where_the_kernel_speaks_of_another_day(tmp_path: Path) -> None:
    failed = 'Traceback (most recent call last):\n  File "train.py", line 3, in <module>\nKeyError: "colour"\n'
    report = judged(tmp_path, "Tue May 12 01:00:33 2026", failed)
    assert report.root_evidence is not None and report.root_evidence.artifact == "train.log"


def test_a_gpu_that_broke_days_before_is_evidence_where_the_run_meets_it(tmp_path: Path) -> None:
    failed = "RuntimeError: CUDA error: unspecified launch failure\n"
    report = judged(tmp_path, "Tue May 12 01:00:33 2026", failed)
    assert report.primary_cause == "cuda-runtime"
    assert any("(Xid 79)" in item.claim for item in report.evidence)


@pytest.mark.parametrize(
    ("when", "mode"), [("Thu May 14 10:39:20 2026", "cuda/fell-off-bus"), ("Tue May 12 01:00:33 2026", None)]
)
def test_a_log_that_prints_no_year_is_of_the_year_of_the_record(tmp_path: Path, when: str, mode: str | None) -> None:
    log = "".join(f"I0514 10:{n:02d}:00.100 7 loop.py:3] step {n}/5000 loss={3 - n / 100}\n" for n in range(40))
    (tmp_path / "train.log").write_text(log, "utf-8")
    (tmp_path / "dmesg.txt").write_text(FELL.format(when=when), "utf-8")
    assert diagnose(str(tmp_path)).failure_mode == mode
