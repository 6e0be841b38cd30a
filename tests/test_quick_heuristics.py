"""Each rule of thumb for a failed training run, tried on the log it speaks of; those of Vertex AI are in targets/test_vertex.py."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from runtriage import api


def report(folder: Path, lines: list[str]) -> dict[str, Any]:
    log = folder / "train.log"
    log.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return json.loads(api.diagnose(str(log)).to_json())


def steps(first: int, last: int, every: int = 5, loss: float = 2.0) -> list[str]:
    return [
        f"step {step} loss {loss - 0.0005 * step:.4f} grad_norm 1.1 lr 1e-3" for step in range(first, last + 1, every)
    ]


def actions(found: dict[str, Any]) -> str:
    return " ".join(step["action"] for step in found["plan"]).lower()


def test_nan_within_a_hundred_steps_speaks_for_learning_rate_precision_or_scaling(tmp_path: Path) -> None:
    found = report(
        tmp_path, [*steps(5, 40), *(f"step {step} loss nan grad_norm nan lr 1e-3" for step in range(45, 90, 5))]
    )
    assert found["primary_cause"] == "nan-inf"
    assert "learning rate" in actions(found)
    assert "clip" not in actions(found)


def test_nan_after_many_steps_speaks_for_an_explosion_or_a_bad_batch(tmp_path: Path) -> None:
    late = [f"step {step} loss nan grad_norm nan lr 1e-3" for step in range(2005, 2050, 5)]
    found = report(tmp_path, [*steps(5, 2000), *late])
    assert found["primary_cause"] == "nan-inf"
    assert "clip" in actions(found)


def test_memory_that_ends_as_validation_starts_speaks_for_the_size_of_its_batches(tmp_path: Path) -> None:
    found = report(
        tmp_path,
        [
            *steps(5, 100),
            "***** Running Evaluation *****",
            "Traceback (most recent call last):",
            '  File "/app/train.py", line 88, in evaluate',
            "    out = model(batch)",
            "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.50 GiB. GPU 0 has 1.12 GiB free.",
        ],
    )
    assert found["primary_cause"] == "oom"
    assert "evaluation had just begun" in found["root_cause"]["contributing"]


def test_a_collective_that_times_out_without_an_error_points_to_the_rank_that_went_before(tmp_path: Path) -> None:
    timeout = (
        "Watchdog caught collective operation timeout: WorkNCCL(SeqNum=812, OpType=ALLREDUCE, NumelIn=1, NumelOut=1,"
        " Timeout(ms)=600000) ran for 600029 milliseconds before timing out."
    )
    lines = [f"[rank{rank}]: step {step} loss 1.{step}" for step in range(10, 60, 10) for rank in range(4)]
    lines += [
        f"[rank{rank}]:[E817 14:40:0{rank}.123 ProcessGroupNCCL.cpp:684] [Rank {rank}] {timeout}" for rank in (0, 1, 3)
    ]
    found = report(tmp_path, lines)
    assert found["primary_cause"] == "nccl-distributed"
    assert found["culprit"]["rank"] == 2


def test_a_device_side_assert_speaks_for_a_label_or_index_out_of_range(tmp_path: Path) -> None:
    found = report(
        tmp_path,
        [
            *steps(5, 40),
            "Traceback (most recent call last):",
            '  File "/app/train.py", line 12, in <module>',
            "    loss.backward()",
            "RuntimeError: CUDA error: device-side assert triggered",
        ],
    )
    assert found["failure_mode"] == "cuda/device-side-assert"
    assert "label" in actions(found) or "index" in actions(found)


def test_throughput_that_collapses_under_a_stable_loss_speaks_for_data_or_storage(tmp_path: Path) -> None:
    rows = [
        f"step {step} loss {2.4 * 0.997**step + 0.3:.4f} samples_per_second {900 if step < 400 else 90}"
        for step in range(10, 801, 10)
    ]
    found = report(tmp_path, rows)
    assert (found["failure_mode"], found["run_status"]) == ("stall/throughput-collapse", "degraded")
    assert "storage" in actions(found) or "data" in actions(found)


@pytest.mark.parametrize("test_score", ["0.6210"])
def test_validation_that_is_perfect_at_once_speaks_for_a_leak(tmp_path: Path, test_score: str) -> None:
    rows = [
        f"epoch {epoch}: train_loss={1.4 - 0.1 * epoch:.4f} train_acc={0.55 + 0.03 * epoch:.4f} val_loss=0.0021 val_acc=0.9990"
        for epoch in range(1, 9)
    ]
    found = report(tmp_path, [*rows, f"test accuracy: {test_score}"])
    assert found["primary_cause"] == "evaluation-mismatch"
