"""Which evaluation metrics a task is expected to print."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

EXPECTED: Final[Mapping[str, tuple[str, ...]]] = {
    "classification": ("acc", "f1", "auc", "precision", "recall", "top1", "top-1", "error_rate"),
    "regression": ("rmse", "mae", "mse", "r2", "mape", "l1", "l2"),
    "language-modeling": ("eval_loss", "val_loss", "valid_loss", "perplexity", "ppl", "bpb", "bits_per"),
}
"""Parts of names, by task; one of them is enough."""


def expected(task: str | None, name: str) -> bool:
    """Tell whether a metric belongs to the evaluation of a task; without a task every metric does."""
    return task is None or any(part in name.lower() for part in EXPECTED[task])
