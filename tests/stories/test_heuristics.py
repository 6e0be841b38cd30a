"""Each rule of thumb for a failed run, held against a small log of its own."""

from __future__ import annotations

from pathlib import Path

from runtriage import diagnose
from runtriage.api.library import Report


def said(folder: Path, *lines: str) -> Report:
    log = folder / "train.log"
    log.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return diagnose(str(log))


def steps(count: int, loss: str = "", first: int = 1, more: str = "") -> list[str]:
    return [f"step {step} loss {loss or f'{2.0 / (1 + step / 50):.4f}'}{more}" for step in range(first, first + count)]


def advice(report: Report) -> str:
    return " | ".join(step.action for step in report.plan).lower()


def test_a_nan_within_a_hundred_steps_speaks_for_rate_precision_or_scaling(tmp_path: Path) -> None:
    report = said(tmp_path, *steps(40), *steps(30, "nan", 41))
    assert report.primary_cause == "nan-inf"
    assert "learning rate" in advice(report)


def test_a_nan_after_many_stable_steps_speaks_for_an_explosion_or_a_corrupt_batch(tmp_path: Path) -> None:
    report = said(tmp_path, *steps(400), *steps(60, "nan", 401))
    assert report.primary_cause == "nan-inf"
    assert "clip" in advice(report)


def test_memory_that_runs_out_once_validation_starts_speaks_for_the_evaluation_batch(tmp_path: Path) -> None:
    oom = "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.50 GiB. GPU 0 has a total capacity of 39.39 GiB"
    frames = [
        "Traceback (most recent call last):",
        '  File "/app/train.py", line 80, in <module>',
        "    out = model(x)",
    ]
    during = said(tmp_path, *steps(50), "Running validation", *frames, oom)
    assert during.primary_cause == "oom"
    assert any("evaluation" in factor for factor in during.root_cause.contributing)
    assert "eval" in during.plan[0].action.lower()
    before = said(tmp_path, "Running validation", *steps(50), *frames, oom)
    assert not any("evaluation" in factor for factor in before.root_cause.contributing)


def test_a_collective_timeout_without_an_error_speaks_for_a_rank_that_left_earlier(tmp_path: Path) -> None:
    report = said(
        tmp_path,
        *[f"[rank{rank}]: step {step} loss {1 / step:.3f}" for step in range(1, 30) for rank in range(4)],
        *[f"[rank{rank}]: step {step} loss {1 / step:.3f}" for step in range(30, 40) for rank in (0, 1, 3)],
        *[
            f"[rank{rank}]:[E1129 10:11:09.114 ProcessGroupNCCL.cpp:688] [Rank {rank}] Watchdog caught collective operation timeout: "
            "WorkNCCL(SeqNum=77, OpType=ALLREDUCE, NumelIn=1, NumelOut=1, Timeout(ms)=600000) ran for 600029 milliseconds before timing out."
            for rank in (0, 1, 3)
        ],
    )
    assert report.culprit.rank == 2


def test_a_device_side_assertion_speaks_for_an_index_out_of_range(tmp_path: Path) -> None:
    report = said(
        tmp_path,
        *steps(5),
        "Traceback (most recent call last):",
        '  File "/app/train.py", line 80, in <module>',
        "    loss.backward()",
        "RuntimeError: CUDA error: device-side assert triggered",
    )
    assert report.primary_cause == "cuda-runtime"
    assert report.failure_mode == "cuda/device-side-assert"
    assert "label" in advice(report) or "range" in advice(report)


def test_throughput_that_collapses_while_the_loss_is_stable_speaks_for_the_loader_or_storage(tmp_path: Path) -> None:
    fast = [f"step {step} loss {2.0 / (1 + step / 50):.4f} samples_per_second 812.0" for step in range(1, 121)]
    slow = [f"step {step} loss {2.0 / (1 + step / 50):.4f} samples_per_second 41.0" for step in range(121, 201)]
    report = said(tmp_path, *fast, *slow)
    assert report.failure_mode == "stall/throughput-collapse"
    assert "data" in advice(report) or "storage" in advice(report)


def test_a_validation_perfect_from_the_start_above_training_speaks_for_leakage(tmp_path: Path) -> None:
    curve = [f"epoch {epoch} train_acc {0.80 + epoch / 100:.3f} val_acc 1.000" for epoch in range(1, 9)]
    report = said(tmp_path, *curve)
    assert report.failure_mode == "eval/data-leakage-split"
    caught_up = [f"epoch {epoch} train_acc {min(1.0, 0.80 + epoch / 20):.3f} val_acc 1.000" for epoch in range(1, 9)]
    assert said(tmp_path, *caught_up).primary_cause is None


def test_failed_precondition_speaks_for_missing_data_or_artifacts(tmp_path: Path) -> None:
    report = said(
        tmp_path,
        "Traceback (most recent call last):",
        '  File "/app/submit.py", line 12, in <module>',
        "    job.run()",
        "google.api_core.exceptions.FailedPrecondition: 400 The artifact gs://ml/in/train.csv does not exist.",
    )
    assert report.primary_cause in ("config-error", "io-checkpoint", "pipeline-orchestration")


def test_permission_denied_speaks_for_the_service_account(tmp_path: Path) -> None:
    report = said(
        tmp_path,
        "Traceback (most recent call last):",
        '  File "/app/submit.py", line 12, in <module>',
        "    job.run()",
        "google.api_core.exceptions.PermissionDenied: 403 Permission 'aiplatform.customJobs.create' denied on resource",
    )
    assert report.primary_cause == "cloud-permissions-quota"
