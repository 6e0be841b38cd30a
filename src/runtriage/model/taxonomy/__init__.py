"""The one table of failure modes: each leaf, its primary class and how other vocabularies call it.

One CSV a primary class, columns `mode,title,category,workflow`. An empty category or workflow cell takes the default of the class below.
"""

from __future__ import annotations

import csv
from functools import cache
from pathlib import Path
from typing import Final

from msgspec import Struct

PRIMARY_CLASSES: Final = (
    "nan-inf",
    "oom",
    "optimization-divergence",
    "cuda-runtime",
    "nccl-distributed",
    "data-pipeline",
    "config-error",
    "io-checkpoint",
    "stalled",
    "process-crash",
    "evaluation-mismatch",
    "pipeline-orchestration",
    "cloud-permissions-quota",
)


WORKLOAD_CATEGORIES: Final = (
    "CRASH_APP_ERROR",
    "OOM_KILLED",
    "IMAGE_PULL_FAILED",
    "INIT_FAILED",
    "DATASOURCE_MOUNT_FAILED",
    "NODE_FAILURE",
    "SCHEDULING_POLICY_TERMINATED",
    "UNKNOWN",
)

WORKFLOW_CLASSES: Final = ("actionable_configuration", "transient_infrastructure", "payload", "unknown", "none")

_CLASS_CATEGORY: Final = {
    "oom": "OOM_KILLED",
    "pipeline-orchestration": "UNKNOWN",
    "cloud-permissions-quota": "UNKNOWN",
}
_CLASS_WORKFLOW: Final = {
    "config-error": "actionable_configuration",
    "cloud-permissions-quota": "actionable_configuration",
    "pipeline-orchestration": "unknown",
}


GENERIC: Final = "unhandled-exception"
"""Name of the leaf of each family that only says that an exception of this kind was raised."""
_GENERIC_FAMILIES: Final = {
    "nan": "nan-inf",
    "oom": "oom",
    "cuda": "cuda-runtime",
    "nccl": "nccl-distributed",
    "data": "data-pipeline",
    "cfg": "config-error",
    "io": "io-checkpoint",
    "eval": "evaluation-mismatch",
    "div": "optimization-divergence",
    "crash": "process-crash",
    "perm": "cloud-permissions-quota",
    "quota": "cloud-permissions-quota",
}


class Mode(Struct, frozen=True):
    """A leaf of the taxonomy: `id` is `<family>/<name>`."""

    id: str
    title: str
    primary_class: str
    category: str
    workflow: str


@cache
def modes() -> dict[str, Mode]:
    """Return every failure mode by id."""
    found: dict[str, Mode] = {}
    for primary_class in PRIMARY_CLASSES:
        text = Path(__file__).with_name(f"{primary_class}.csv").read_text(encoding="utf-8")
        for row in csv.DictReader(text.splitlines()):
            found[row["mode"]] = _mode(row["mode"], row["title"], primary_class, row["category"], row["workflow"])
    for family, primary_class in _GENERIC_FAMILIES.items():
        leaf = f"{family}/{GENERIC}"
        found[leaf] = _mode(leaf, "An exception that no signature explains yet", primary_class, "", "")
    return found


def _mode(leaf: str, title: str, primary_class: str, category: str, workflow: str) -> Mode:
    return Mode(
        leaf,
        title,
        primary_class,
        category or _CLASS_CATEGORY.get(primary_class, "CRASH_APP_ERROR"),
        workflow or _CLASS_WORKFLOW.get(primary_class, "payload"),
    )
