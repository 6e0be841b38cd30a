"""Folders of small runs, and an installed detector that misbehaves where a run's name asks for it."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

FAILED = """\
2026-05-14 02:00:00 step 1 loss=2.5
2026-05-14 03:30:00 step 2 loss=2.4
Traceback (most recent call last):
  File "/home/ml/train.py", line 8, in main
    run()
torch.OutOfMemoryError: CUDA out of memory. Tried to allocate {size}.00 GiB. GPU 0 has a total capacity of 79.15 GiB of which 1.12 GiB is free.
"""
COMPLETED = "".join(f"step {n}/20 loss={20 / n:.4f}\n" for n in range(1, 21)) + "Training completed.\n"

DETECTOR = """
import os, signal, time
from runtriage.detect.engine import Detector

def misbehave(facts, catalogue):
    if "kills" in facts.target:
        os.kill(os.getpid(), signal.SIGKILL)
    if "waits" in facts.target:
        time.sleep(600)
    if "leaves" in facts.target:
        raise SystemExit(3)
    return ()

MISBEHAVING = Detector(id="misbehaving", modes=(), find=misbehave)
"""


def make_runs(folder: Path, count: int, *names: str) -> Path:
    """Write `count` runs, every other one failed, and one more for each name; return their folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(count):
        text = FAILED.format(size=number + 1) if number % 2 else COMPLETED
        (folder / f"team{number % 3}-{number:05}.log").write_text(text, "utf-8")
    for name in names:
        (folder / f"{name}.log").write_text(COMPLETED, "utf-8")
    return folder


def misbehaving(folder: Path) -> str:
    """Install the detector in a folder and return the PYTHONPATH that finds it."""
    folder.mkdir()
    (folder / "misbehaving_detector.py").write_text(DETECTOR, "utf-8")
    record = folder / "misbehaving-1.0.dist-info"
    record.mkdir()
    (record / "METADATA").write_text("Metadata-Version: 2.1\nName: misbehaving\nVersion: 1.0\n", "utf-8")
    (record / "entry_points.txt").write_text(
        "[runtriage.detectors]\nmisbehaving = misbehaving_detector:MISBEHAVING\n", "utf-8"
    )
    return os.pathsep.join(filter(None, [str(folder), os.environ.get("PYTHONPATH")]))


def rows(out: Path) -> list[dict[str, Any]]:
    """Return the rows of a folder of results."""
    return [json.loads(line) for line in (out / "runs.jsonl").read_text("utf-8").splitlines()]
