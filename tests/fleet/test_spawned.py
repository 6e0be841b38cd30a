"""Where a process cannot be copied, workers start anew."""

from __future__ import annotations

import json
import threading
from pathlib import Path

from tests.cli.running import inside
from tests.fleet.runs_of import make_runs


def test_beside_other_threads_workers_are_started_anew(tmp_path: Path) -> None:
    make_runs(tmp_path / "runs", 4)
    over = threading.Event()
    other = threading.Thread(target=over.wait)
    other.start()
    try:
        done = inside("fleet", "runs", "--workers", "1", "--format", "json", cwd=tmp_path)
    finally:
        over.set()
        other.join()

    assert json.loads(done.stdout)["failed"] == 2
