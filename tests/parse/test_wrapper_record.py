"""Small JSON records of how a command ended."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import runtriage


def asked(folder: Path, record: dict[str, object]) -> str | None:
    (folder / "train.log").write_text(
        "".join(f"step {at} loss {2 - at / 500:.3f}\n" for at in range(200)), encoding="utf-8"
    )
    (folder / "status.json").write_text(json.dumps(record, indent=1), encoding="utf-8")
    return runtriage.diagnose(str(folder)).failure_mode


@pytest.mark.parametrize(
    ("record", "mode"),
    [
        ({"child": "python train.py", "exit_code": None, "term_signal": 11}, "crash/segv"),
        ({"cmd": ["python", "train.py"], "returncode": -11, "duration_s": 6.0}, "crash/segv"),
        ({"job": "j-20", "rc": 132, "state": "FAILED"}, "crash/illegal-instruction"),
        ({"job": "j-20", "rc": 3, "state": "FAILED"}, "crash/exit-no-error"),
        ({"job": "j-20", "rc": 0, "state": "DONE"}, None),
        ({"exit_code": 139, "name": "what a test expects"}, None),
        ({"job": "j-20", "steps": [{"rc": 139}]}, None),
        ({"job": "j-20", "rc": 4000, "state": "DONE"}, None),
    ],
)
def test_the_end_is_read_of_what_ran(tmp_path: Path, record: dict[str, object], mode: str | None) -> None:
    assert asked(tmp_path, record) == mode


def test_a_code_of_nought_completes_the_run(tmp_path: Path) -> None:
    asked(tmp_path, {"command": "python train.py", "exit_code": 0})
    assert runtriage.diagnose(str(tmp_path)).run_status == "completed"
