"""A run's folder with checkpoints, from files on disk to the report."""

from __future__ import annotations

import os
import struct
from pathlib import Path

import pytest

import runtriage
from runtriage.render.terminal import plain
from tests.parse.documents import safetensors, torch_file

LOG = """step 100 loss 1.5
step 200 loss 1.4
step 300 loss 1.3
step 320 loss 1.2
Traceback (most recent call last):
  File "train.py", line 20, in <module>
    torch.save(state, path)
OSError: [Errno 28] No space left on device: 'out/checkpoint-300/optimizer.pt'
"""
HUGE = 100 << 30


def run_folder(folder: Path, log: str = LOG) -> Path:
    (folder / "train.log").write_text(log)
    for step in (100, 200, 300):
        kept = folder / f"checkpoint-{step}"
        kept.mkdir()
        (kept / "model.safetensors").write_bytes(safetensors())
        (kept / "optimizer.pt").write_bytes(torch_file()[: 700 if step == 300 else None])
    return folder


def test_the_newest_whole_checkpoint_is_named_with_what_is_lost(tmp_path: Path) -> None:
    report = runtriage.diagnose(str(run_folder(tmp_path)))
    assert [(item.path, item.valid, item.last_good) for item in report.checkpoints] == [
        ("checkpoint-100", True, False),
        ("checkpoint-200", True, True),
        ("checkpoint-300", False, False),
    ]
    (step,) = [item for item in report.plan if "checkpoint-200" in item.action]
    assert step.risk == "safe"
    assert "120 steps after step 200 are lost" in step.action
    assert "checkpoint-200" in plain(report)


def test_a_checkpoint_the_failure_cut_is_collateral_and_never_the_root(tmp_path: Path) -> None:
    report = runtriage.diagnose(str(run_folder(tmp_path)))
    assert report.failure_mode == "io/enospc"
    assert report.root_evidence is not None
    assert report.root_evidence.artifact == "train.log"
    assert any("checkpoint-300 was left incomplete" in item.text for item in report.cascade)


CRASH = LOG[: LOG.index("OSError")] + "ValueError: the widget has no colour\n"
DAY = 86_400.0


def _age(place: Path, seconds: float) -> None:
    written = place.stat().st_mtime - seconds
    os.utime(place, (written, written))


@pytest.mark.parametrize(
    ("log", "older"),
    [
        (CRASH.replace("step 320 loss 1.2\n", ""), 0.0),
        (CRASH.replace("Traceback", "Saving model checkpoint to out/checkpoint-300\nTraceback"), 0.0),
        (CRASH, DAY),
    ],
)
def test_the_last_save_and_what_was_written_last_were_cut_by_the_crash(tmp_path: Path, log: str, older: float) -> None:
    run_folder(tmp_path, log)
    for place in (tmp_path / "checkpoint-100").iterdir():
        _age(place, older)
    report = runtriage.diagnose(str(tmp_path))
    assert [item.text.partition(":")[0] for item in report.cascade] == ["checkpoint-300 was left incomplete"]
    assert not [item for item in report.evidence if "is damaged" in item.claim]


@pytest.mark.parametrize("earlier", [0.0, DAY])
def test_an_older_save_was_not_cut_by_a_crash_many_steps_later(tmp_path: Path, earlier: float) -> None:
    run_folder(tmp_path, CRASH)
    for place in (tmp_path / "checkpoint-300").iterdir():
        _age(place, earlier)
    report = runtriage.diagnose(str(tmp_path))
    assert (report.cascade, "incomplete" in report.root_cause.root) == ([], False)
    told = next(item for item in report.evidence if item.claim.startswith("checkpoint-300 is damaged"))
    assert told.claim.endswith("when that happened and why is not known")
    assert told.citation.artifact.startswith("checkpoint-300/")


def test_a_broken_checkpoint_alone_is_no_failure(tmp_path: Path) -> None:
    log = "step 100 loss 1.5\nstep 200 loss 1.4\nstep 300 loss 1.3\nTraining completed.\n"
    report = runtriage.diagnose(str(run_folder(tmp_path, log)))
    assert report.primary_cause is None
    assert report.run_status == "completed"
    assert report.checkpoints[-1].problem


def test_after_the_loss_became_nan_only_what_was_saved_before_counts(tmp_path: Path) -> None:
    log = "".join(f"step {step} loss {'nan' if step > 150 else 2 - step / 200}\n" for step in range(10, 330, 10))
    report = runtriage.diagnose(str(run_folder(tmp_path, log)))
    assert report.primary_cause == "nan-inf"
    assert [item.path for item in report.checkpoints if item.last_good] == ["checkpoint-100"]


def test_files_of_100_gb_are_told_by_their_headers(tmp_path: Path) -> None:
    (tmp_path / "train.log").write_text(LOG)
    header = b'{"w":{"dtype":"U8","shape":[%d],"data_offsets":[0,%d]}}' % (HUGE, HUGE)
    start = struct.pack("<Q", len(header)) + header
    sizes = {"step_100.safetensors": len(start) + HUGE, "step_200.safetensors": HUGE}
    for name, size in sizes.items():
        (tmp_path / name).write_bytes(start)
        os.truncate(tmp_path / name, size)
    (tmp_path / "step_300.pt").write_bytes(torch_file())
    os.truncate(tmp_path / "step_300.pt", HUGE)
    report = runtriage.diagnose(str(tmp_path))
    assert [item.valid for item in report.checkpoints] == [True, False, False]
    assert report.coverage.bytes < 1_000_000
