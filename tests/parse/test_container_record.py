"""What a container's record says of its end is told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from runtriage.api.diagnosis import diagnose


@pytest.mark.parametrize(("killed", "code", "mode"), [(True, 137, "oom/host-cgroup"), (False, 0, None)])
def test_a_container_that_was_killed_for_memory_says_so_and_another_nothing(
    tmp_path: Path, killed: bool, code: int, mode: str | None
):
    state = {"Status": "exited", "OOMKilled": killed, "ExitCode": code, "FinishedAt": "2026-11-14T02:15:00Z"}
    (tmp_path / "inspect.json").write_text(json.dumps([{"Id": "aa", "State": state, "Name": "/trainer"}], indent=1))
    (tmp_path / "train.log").write_text("".join(f"step {step} loss 1.{step}\n" for step in range(1, 40)))
    assert diagnose(str(tmp_path)).failure_mode == mode
