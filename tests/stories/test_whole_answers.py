"""Short outputs that say little, or say it late: what the answer as a whole must and must not claim."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from runtriage import diagnose
from tests.stories.test_heuristics import advice, said, steps

_SUMMARY = """torch.distributed.elastic.multiprocessing.errors.ChildFailedError:
============================================================
train.py FAILED
------------------------------------------------------------
Failures:
[1]:
  time      : 2026-11-30_10:49:51
  host      : localhost
  rank      : 0 (local_rank: 0)
  exitcode  : -15 (pid: 2968)  (SIGTERM)
  error_file: <N/A>
  traceback : Signal 15 (SIGTERM) received by PID 2968
------------------------------------------------------------
Root Cause (first observed failure):
[0]:
  time      : 2026-11-30_10:49:51
  host      : localhost
  rank      : 1 (local_rank: 1)
  exitcode  : {code} (pid: 2969)
  error_file: <N/A>
  traceback : To enable traceback see: https://pytorch.org/docs/stable/elastic/errors.html
============================================================"""

_TRACEBACK = """Traceback (most recent call last):
  File "/app/train.py", line 12, in <module>
    {line}"""


def test_a_run_whose_end_is_nan_is_not_completed_where_only_its_end_is_read(tmp_path: Path) -> None:
    log = tmp_path / "train.log"
    log.write_text("".join(f"step {step} loss nan lr 3e-4\n" for step in range(1200)) + "Training complete.\n")
    for last in (20, 500, None):
        report = diagnose(str(log), last=last)
        assert (report.primary_cause, report.decision) == ("nan-inf", "NO-GO")


def test_the_worker_that_a_launcher_saw_fail_first_is_the_culprit_beside_one_it_stopped(tmp_path: Path) -> None:
    report = said(tmp_path, *_SUMMARY.format(code=1).splitlines())
    assert (report.failure_mode, report.culprit.rank) == ("crash/exit-no-error", 1)
    assert "start the run again" not in advice(report)


@pytest.mark.parametrize("code", ["-15", "-9"])
def test_a_worker_that_was_ended_from_outside_stays_so_where_the_launcher_saw_no_other_failure(
    tmp_path: Path, code: str
) -> None:
    report = said(tmp_path, *_SUMMARY.format(code=code).splitlines())
    assert report.failure_mode in ("crash/sigterm-external", "crash/sigkill-unknown")


def test_a_run_that_recovered_cites_what_it_recovered_from(tmp_path: Path) -> None:
    lines = steps(60)
    warning = "2026-05-01 02:01:41 WARNING wandb: could not upload metrics (timeout), retrying"
    report = said(tmp_path, *lines[:30], warning, *lines[30:], "Training complete.")
    assert report.run_status == "recovered"
    assert [item.citation.first_line for item in report.evidence] == [31]
    assert "could not upload metrics" in report.evidence[0].claim


@pytest.mark.parametrize("log", sorted((Path(__file__).parents[1] / "healthy").rglob("*.*")), ids=lambda log: log.name)
def test_no_run_recovered_without_saying_from_what(log: Path) -> None:
    report = diagnose(str(log))
    assert report.run_status != "recovered" or report.evidence


def test_a_checkpoint_that_was_cut_is_why_it_could_not_be_loaded(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "step_200.pt", "w") as archive:
        archive.writestr("step_200/data.pkl", b"x" * 4000)
    whole = (tmp_path / "step_200.pt").read_bytes()
    (tmp_path / "step_300.pt").write_bytes(whole[:1000])
    lines = [*_TRACEBACK.format(line="state = torch.load(path)").splitlines(), "OSError: [Errno 22] Invalid argument"]
    (tmp_path / "train.log").write_text("\n".join([*steps(40), "resuming from step_300.pt", *lines, ""]))
    report = diagnose(str(tmp_path))
    assert report.primary_cause == "io-checkpoint"
    assert report.failure_mode == "ckpt/corrupt-zip"
    assert report.next_commands[0] == f"runtriage checkpoints {tmp_path}"


def test_advice_on_a_path_names_the_one_in_the_message_or_none(tmp_path: Path) -> None:
    head = _TRACEBACK.format(line="handle = open(path)").splitlines()
    bare = said(tmp_path, *head, "OSError: [Errno 22] Invalid argument")
    named = said(tmp_path, *head, "OSError: [Errno 22] Invalid argument: '/data/a.bin'")
    assert "in the message" not in advice(bare)
    assert "/data/a.bin exists" in advice(named)


def test_numbers_of_a_claim_stand_in_the_log_or_are_called_a_median(tmp_path: Path) -> None:
    losses = [3.0422 - step * 0.0135 for step in range(150)] + [1.0284 * 1.045**step for step in range(150)]
    lines = [f"step {step} loss {loss:.4f}" for step, loss in enumerate(losses)]
    report = said(tmp_path, *lines, "done")
    assert report.primary_cause == "optimization-divergence"
    last = lines[-1].rpartition(" ")[2]
    assert last in report.evidence[0].claim or "median" in report.evidence[0].claim
    assert "1.0284 (step 150)" in report.evidence[0].claim


def test_the_stack_that_a_process_printed_when_it_died_says_where_beside_the_record_of_its_end(tmp_path: Path) -> None:
    stack = [
        "Fatal Python error: Segmentation fault",
        "",
        "Current thread 0x00007f582d3d3b80 (most recent call first):",
        '  File "/usr/lib/python3.11/ctypes/__init__.py", line 519 in string_at',
        '  File "/app/seg.py", line 3 in fused_kernel',
        '  File "/app/seg.py", line 4 in <module>',
        "",
    ]
    (tmp_path / "stderr.log").write_text("\n".join(stack))
    (tmp_path / "run.json").write_text(
        '{"schema": "runtriage.run/1", "command": "python seg.py", "started": 1.0, "seconds": 2.0, "exit_code": -11, "signal": 11}'
    )
    report = diagnose(str(tmp_path))
    assert report.failure_mode == "crash/segv"
    assert "/app/seg.py:3" in report.root_cause.proximate
    assert report.evidence[0].citation.artifact == "stderr.log"
    assert "faulthandler" not in advice(report)


def test_samples_of_unequal_size_in_a_loader_with_workers_are_told_as_such(tmp_path: Path) -> None:
    head = _TRACEBACK.format(line="for batch in loader:").splitlines()
    report = said(tmp_path, *head, "RuntimeError: Trying to resize storage that is not resizable")
    assert report.failure_mode == "data/collate-shape"


def test_one_consequence_is_told_once_and_one_task_in_the_singular(tmp_path: Path) -> None:
    report = said(
        tmp_path,
        "slurmstepd: error: Detected 1 oom_kill event in StepId=77.0. Some of the step tasks have been OOM Killed.",
        "srun: error: node7: task 0: Out Of Memory",
        "Error in rule train:",
        "    jobid: 3",
        "WorkflowError:",
        "At least one job did not complete successfully.",
    )
    assert report.root_cause.root.count("a component of the pipeline failed") == 1
    assert "task 0" in report.root_cause.root and "tasks 0" not in report.root_cause.root


def test_a_value_that_a_box_broke_off_is_told_whole() -> None:
    report = diagnose(str(Path(__file__).parent / "logs" / "message-wrapped-below-a-box.log"))
    assert "failed finding central directory" in report.evidence[0].claim


def test_a_part_of_an_epoch_is_not_called_a_step(tmp_path: Path) -> None:
    rows = [
        f"2023-03-01 10:0{at}:11,120 - mmdet - INFO - Epoch [1][{at}00/4120]\tlr: 1.3e-04, eta: 1 day, 2:11:40, loss: 1.8{at}, grad_norm: nan"
        for at in range(1, 6)
    ]
    report = said(tmp_path, *rows)
    assert report.failure_mode == "nan/grad-nonfinite"
    assert "of epoch 1.02" in report.root_cause.root and "step" not in report.root_cause.root
