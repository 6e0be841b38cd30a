from __future__ import annotations

from pathlib import Path

import pytest
from zoo.ablate import HIDES, LAST, hidden
from zoo.case import Case


@pytest.mark.parametrize(
    ("kind", "line", "left"),
    [
        ("timestamps", b"2026-03-01 10:11:12,345 INFO step 3", b" INFO step 3"),
        ("timestamps", b"[12:00:01] loss 0.3", b" loss 0.3"),
        ("ranks", b"[rank3]: loss 0.3", b"loss 0.3"),
        ("ranks", b"INFO | rank1 | step 3", b"INFO | step 3"),
        ("launcher", b"torch.distributed.elastic.multiprocessing.errors.ChildFailedError: ", b""),
        ("launcher", b"  exitcode  : 1 (pid: 29485)", b""),
        ("launcher", b"RuntimeError: the root", b"RuntimeError: the root"),
    ],
)
def test_a_line_loses_what_is_hidden_and_nothing_else(kind: str, line: bytes, left: bytes) -> None:
    assert HIDES[kind]([line]) == [left]


def test_a_hidden_case_is_a_copy_without_its_truth(tmp_path: Path) -> None:
    lines = [f"12:00:00 line {number}" for number in range(500)]
    (tmp_path / "train.log").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (tmp_path / "truth.json").write_text("{}", encoding="utf-8")
    with hidden(Case(tmp_path, {"name": "a"}), ("head", "timestamps")) as target:
        assert target.name == "train.log"
        left = target.read_text(encoding="utf-8").splitlines()
        assert [path.name for path in target.parent.iterdir()] == ["train.log"]
    assert len(left) == LAST
    assert left[-1].strip() == "line 499"
    assert (tmp_path / "train.log").read_text(encoding="utf-8").startswith("12:00:00 line 0\n")
