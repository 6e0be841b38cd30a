"""What the data checks say of a label that is a number everywhere but in one row."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.running import runtriage


def test_the_one_label_that_is_no_number_is_named_by_its_place_and_not_by_its_value(tmp_path: Path) -> None:
    (tmp_path / "train.log").write_text("step 1 loss 2.5\n", encoding="utf-8")
    (tmp_path / "train.csv").write_text("x,label\n1,0\n2,1\n3,hunter\n4,1\n5,0\n", encoding="utf-8")
    done = runtriage("train.log", "--data", "train.csv", "--target", "label", "--format", "json", cwd=tmp_path)
    findings = json.loads(done.stdout)["data"][0]["findings"]
    assert findings == ["label has 1 value that is no number (train.csv:4: [redacted])"]


def test_a_column_that_is_not_there_is_told_with_those_that_are(tmp_path: Path) -> None:
    (tmp_path / "train.log").write_text("step 1 loss 2.5\n", encoding="utf-8")
    (tmp_path / "train.csv").write_text("a,b,c,d,e,label\n" + "1,2,3,4,5,0\n2,3,4,5,6,1\n" * 3, encoding="utf-8")
    done = runtriage("train.log", "--data", "train.csv", "--target", "lbl", "--format", "json", cwd=tmp_path)
    findings = json.loads(done.stdout)["data"][0]["findings"]
    assert findings[0] == "it has no column lbl; it has a, b, c, d, e and 1 more"
