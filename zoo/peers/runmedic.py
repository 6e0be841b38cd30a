"""What runmedic finds in a log, as JSON: ``python -m zoo.peers.runmedic LOG`` (with the program `runmedic` on the path or in RUNMEDIC)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any, cast

CLASSES = {
    "non_finite": "nan-inf",
    "log:anomaly_nan": "nan-inf",
    "log:amp_overflow": "nan-inf",
    "log:cuda_oom": "oom",
    "log:dataloader_killed": "data-pipeline",
    "log:nccl_timeout": "nccl-distributed",
    "log:device_mismatch": "config-error",
    "log:backward_twice": "config-error",
    "log:inplace_grad": "config-error",
    "log:unused_params": "nccl-distributed",
    "divergence": "optimization-divergence",
    "loss_spikes": "optimization-divergence",
    "no_learning": "optimization-divergence",
    "overfitting": "optimization-divergence",
    "grad_spikes": "optimization-divergence",
    "constant_lr_plateau": "optimization-divergence",
    "val_below_train": "evaluation-mismatch",
    "input_bound": "stalled",
    "slow_steps": "stalled",
    "slowdown": "stalled",
    "memory_growth": "oom",
}
"""Its checks in the zoo's classes."""
SEVERE = {"critical": 0, "warning": 1}


def main(argv: list[str]) -> int:
    """Print a report: its most severe finding, the first of those alike; mere information is no cause."""
    command = [os.environ.get("RUNMEDIC", "runmedic"), "diagnose", argv[0], "--json"]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    print(json.dumps(report(done.stdout)))
    return 0


def report(output: str) -> dict[str, Any]:
    """A report from its JSON; an output that is none says nothing."""
    try:
        runs = cast("list[dict[str, Any]]", json.loads(output))
    except ValueError:
        return {"primary_cause": None, "run_status": "unknown"}
    found = [one for run in runs for one in run.get("findings") or () if one.get("severity") in SEVERE]
    found.sort(key=lambda one: SEVERE[one["severity"]])
    cause = CLASSES.get(found[0]["check"]) if found else None
    status = "crashed" if cause else "completed"
    return {"primary_cause": cause, "run_status": status, "confidence_score": 1.0 if cause else 0.0}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
