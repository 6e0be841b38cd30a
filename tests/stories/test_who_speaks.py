"""Whose words a line holds: a script that another program started, a person who stops a run, a shell that traces its commands."""

from __future__ import annotations

from pathlib import Path

import pytest

import runtriage


def diagnosed(tmp_path: Path, text: str) -> runtriage.Report:
    log = tmp_path / "run.log"
    log.write_text(text, encoding="utf-8")
    return runtriage.diagnose(str(log))


def test_the_step_that_failed_first_is_the_root_of_a_make(tmp_path: Path) -> None:
    report = diagnosed(
        tmp_path,
        "make -j4 all\npython tok.py\npython train.py --data tokens.bin\ntok.py: MemoryError: cannot allocate 64 GiB\n"
        "make: *** [Makefile:3: tokens.bin] Error 1\nmake: *** Waiting for unfinished jobs....\n"
        "train.py: FileNotFoundError: [Errno 2] No such file or directory: 'tokens.bin'\nmake: *** [Makefile:7: train] Error 1\n",
    )
    assert report.primary_cause == "oom"
    assert report.root_evidence is not None and report.root_evidence.first_line == 4


@pytest.mark.parametrize(
    "below",
    ["checks 12 files: all well\n", "make: Nothing to be done for 'all'.\n", "exit code 0\n", "step 3 loss 0.9\n"],
)
def test_what_a_linter_says_of_a_file_ends_nothing(tmp_path: Path, below: str) -> None:
    report = diagnosed(
        tmp_path, f"step 1 loss 2.0\nstep 2 loss 1.0\nlint.py: ValueError: is raised and not caught\n{below}"
    )
    assert report.run_status != "crashed"


@pytest.mark.parametrize("below", ["+ echo finished\n", "wandb: Waiting for W&B process to finish... (failed 255)\n"])
@pytest.mark.parametrize(
    "frames", ["", 'Traceback (most recent call last):\n  File "/app/t.py", line 4, in <module>\n    go()\n']
)
def test_an_exception_without_a_message_takes_none_from_the_line_below(tmp_path: Path, frames: str, below: str) -> None:
    report = diagnosed(tmp_path, f"step 1 loss 2.0\nstep 2 loss 1.5\n{frames}KeyboardInterrupt\n{below}")
    assert report.failure_mode == "crash/sigint-user"
    assert report.root_cause.root is not None and below.split()[1] not in report.root_cause.root


def test_a_person_who_stops_a_run_that_diverged_is_not_the_cause(tmp_path: Path) -> None:
    risen = "".join(f"step {step} loss {2.0 * 1.2**step:.3f}\n" for step in range(50))
    fallen = "".join(f"step {step} loss {2.0 * 0.95**step:.3f}\n" for step in range(50))
    assert diagnosed(tmp_path, f"Adam lr=0.5\n{risen}KeyboardInterrupt\n").primary_cause == "optimization-divergence"
    assert diagnosed(tmp_path, f"Adam lr=0.5\n{fallen}KeyboardInterrupt\n").failure_mode == "crash/sigint-user"


def test_a_score_at_chance_alone_is_not_told_as_proved(tmp_path: Path) -> None:
    rows = "".join(
        f"Epoch {epoch}/20 - train_loss: {2.3 / epoch:.4f} - train_acc: {min(0.995, 0.4 + epoch / 30):.4f} - val_loss: "
        f"{2.3 + epoch / 10:.4f} - val_acc: {0.0981 + epoch % 3 / 200:.4f} (10 classes)\n"
        for epoch in range(1, 21)
    )
    report = diagnosed(tmp_path, rows)
    assert report.primary_cause == "evaluation-mismatch"
    assert report.confidence_score <= 0.75


def test_a_kubelet_that_skips_a_pod_left_out_no_stage(tmp_path: Path) -> None:
    line = (
        '1234 pod_workers.go:1298] "Error syncing pod, skipping" err="failed to \\"StartContainer\\" for \\"trainer\\" with '
        'CrashLoopBackOff: \\"back-off 5m0s restarting failed container=trainer pod=train-0_ml(1234)\\"" pod="ml/train-0"\n'
    )
    report = diagnosed(tmp_path, f"E1130 01:00:12.000001    {line}E1130 01:00:24.000001    {line}")
    assert report.failure_mode == "orch/crash-loop"
