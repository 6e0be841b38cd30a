"""`--data` and `--target`: what the training data say about a failure."""

import json
from pathlib import Path

from tests.cli.running import COMPLETED, inside

ASSERT = """\
step 1 loss=2.3
Loss.cu:250: nll_loss_forward_reduce_cuda_kernel_2d: block: [0,0,0], thread: [3,0,0] Assertion `t >= 0 && t < n_classes` failed.
Traceback (most recent call last):
  File "/w/train.py", line 30, in <module>
    loss.backward()
RuntimeError: CUDA error: device-side assert triggered
"""


def _run(folder: Path, *arguments: object, log: str = ASSERT, worst: int = 10) -> dict:
    (folder / "train.log").write_text(log)
    (folder / "config.json").write_text('{"num_labels": 10, "learning_rate": 0.001}')
    rows = "".join(f"{n * 0.5},{n % 10}\n" for n in range(60))
    (folder / "train.csv").write_text(f"x,label\n{rows}0.1,{worst}\n")
    return json.loads(inside("diagnose", *arguments, "--format", "json", cwd=folder).stdout)


def test_a_label_beyond_the_classes_is_the_proven_root_of_a_device_side_assert(tmp_path: Path) -> None:
    report = _run(tmp_path, tmp_path, "--target", "label")
    assert report["failure_mode"] == "data/label-out-of-range"
    assert (report["root_evidence"]["artifact"], report["root_evidence"]["first_line"]) == ("train.csv", 62)
    assert any("num_labels is 10" in item["claim"] for item in report["evidence"])


def test_labels_in_range_leave_the_assert_the_root(tmp_path: Path) -> None:
    report = _run(tmp_path, tmp_path, "--target", "label", worst=9)
    assert report["failure_mode"] == "cuda/device-side-assert"
    assert report["data"][0]["findings"] == []


def test_a_run_that_completed_has_no_cause_and_the_data_are_told_all_the_same(tmp_path: Path) -> None:
    report = _run(tmp_path, tmp_path, "--target", "label", log=COMPLETED)
    assert (report["primary_cause"], report["run_status"]) == (None, "completed")
    assert "label is 10" in report["data"][0]["findings"][0]


def test_data_elsewhere_are_named_and_data_in_the_folder_are_left_alone_unasked(tmp_path: Path) -> None:
    other = tmp_path / "elsewhere"
    other.mkdir()
    (other / "d.jsonl").write_text('{"y": 1}\n{"y": null}\n')
    report = _run(tmp_path, tmp_path / "train.log", "--data", other / "d.jsonl", "--target", "y")
    assert [(table["rows"], table["label"]) for table in report["data"]] == [(2, "y")]
    assert _run(tmp_path, tmp_path)["data"] == []


def test_a_column_that_is_not_there_is_said(tmp_path: Path) -> None:
    report = _run(tmp_path, tmp_path, "--target", "wrong")
    assert report["data"][0]["findings"][0] == "it has no column wrong; it has x, label"


def test_data_that_do_not_exist_end_the_command(tmp_path: Path) -> None:
    (tmp_path / "a.log").write_text("step 1 loss=1\n")
    done = inside("diagnose", "a.log", "--data", "nowhere.csv", cwd=tmp_path)
    assert (done.returncode, done.stderr.count("\n")) == (3, 1)
