"""What --framework and --task change."""

from __future__ import annotations

import json
from pathlib import Path

import runtriage

DEEPSPEED = """\
step 1 loss 2.0
Traceback (most recent call last):
  File "/app/train.py", line 10, in <module>
    deepspeed.initialize(config=config)
  File "/opt/venv/lib/python3.11/site-packages/deepspeed/runtime/config.py", line 1007, in _batch_assertion
    assert train_batch == micro_batch * grad_acc * self.world_size
AssertionError: Check batch related parameters. train_batch_size is not equal to micro_batch_per_gpu * gradient_acc_step * world_size 32 != 4 * 2 * 2
"""
CURVE = "".join(
    f"epoch {epoch} train_loss={2.0 / epoch:.4f} valid_rmse={0.5 + abs(epoch - 4) * 0.2:.4f}\n"
    for epoch in range(1, 21)
)


def diagnosed(folder: Path, text: str, **options: str) -> runtriage.Report:
    log = folder / "train.log"
    log.write_text(text)
    return runtriage.diagnose(log, **options)


def test_a_framework_leaves_out_signatures_that_belong_to_another(tmp_path: Path) -> None:
    free = diagnosed(tmp_path, DEEPSPEED)
    narrowed = diagnosed(tmp_path, DEEPSPEED, framework="jax")
    assert free.failure_mode == "cfg/ds-batch-triangle"
    assert narrowed.failure_mode != "cfg/ds-batch-triangle"
    assert narrowed.framework == "JAX"


def test_a_task_says_which_metrics_count_and_which_are_missing(tmp_path: Path) -> None:
    regression = diagnosed(tmp_path, CURVE, task="regression")
    classification = diagnosed(tmp_path, CURVE, task="classification")
    assert regression.failure_mode == "div/overfitting"
    assert classification.failure_mode is None
    assert "metrics" in [item.what for item in classification.missing]
    assert "metrics" not in [item.what for item in json.loads(regression.to_json())["missing"]]
