"""Diagnoses of small logs with a history of their own."""

from __future__ import annotations

import os
from pathlib import Path

from runtriage.api.diagnosis import diagnose
from runtriage.api.history import Memory
from runtriage.model.options import Options
from runtriage.model.report import Report

DAY = 86_400.0
FIRST = 1_767_225_600.0
"""2026-01-01T00:00:00Z"""


def failed(step: int = 7, node: str | None = None, row: int = 17, frame: int = 12) -> str:
    where = f"[{node}] " if node else ""
    return (
        "".join(f"{where}step {number} loss=2.5\n" for number in range(1, step + 1))
        + "Traceback (most recent call last):\n"
        + f'  File "/home/ml/train.py", line {frame}, in <module>\n    main()\n'
        + f"ValueError: the widget in row {row} of /data/part-{row}.bin has no colour\n"
    )


class Runs:
    """Writes logs and diagnoses them, each a day after the one before."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.place = folder / "history.sqlite3"
        self.count = 0

    def diagnose(
        self, text: str, name: str | None = None, options: Options | None = None, run_id: str | None = None
    ) -> Report:
        self.count += 1
        path = self.folder / (name or f"run-{self.count}.log")
        path.write_text(text, "utf-8")
        os.utime(path, (FIRST + self.count * DAY, FIRST + self.count * DAY))
        return self.again(path, options, run_id)

    def again(self, path: Path, options: Options | None = None, run_id: str | None = None) -> Report:
        with Memory(self.place) as memory:
            report = diagnose(str(path), options=options, history=memory, run_id=run_id)
        assert memory.faults == []
        return report
