"""A bare number names a rank only beside the first of its kind."""

from __future__ import annotations

from pathlib import Path

import pytest

import runtriage

FAILED = 'step 1 loss 2.0\nstep 2 loss 1.9\nTraceback (most recent call last):\n  File "t.py", line 3, in <module>\nKeyError: "x"\n'


@pytest.mark.parametrize(
    ("names", "text", "rank"),
    [
        (["70.log"], FAILED, None),
        (["70.log", "71.log"], FAILED, None),
        (["7.log"], f"[rank 7] boom\n{FAILED}".replace("KeyError", "[rank7]: KeyError"), 7),
    ],
)
def test_a_number_without_the_first_of_its_kind_is_no_rank(
    tmp_path: Path, names: list[str], text: str, rank: int | None
) -> None:
    for name in names:
        (tmp_path / name).write_text(text, "utf-8")
    assert runtriage.diagnose(str(tmp_path / names[0])).culprit.rank == rank


def test_a_number_beside_the_first_of_its_kind_is_a_rank(tmp_path: Path) -> None:
    for name in ("0.log", "1.log", "2.log"):
        (tmp_path / name).write_text(FAILED if name == "1.log" else FAILED[:32], "utf-8")
    assert runtriage.diagnose(str(tmp_path)).culprit.rank == 1
