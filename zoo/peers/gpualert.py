"""What gpualert's error parser says of a log, as JSON: ``python -m zoo.peers.gpualert LOG`` (in an environment with gpualert)."""

from __future__ import annotations

import importlib
import json
import sys
from pathlib import Path

CLASSES = {
    "GPU out-of-memory (CUDA OOM)": "oom",
    "NCCL communication error": "nccl-distributed",
    "CUDA runtime error": "cuda-runtime",
    "System out-of-memory (RAM)": "oom",
    "Segmentation fault": "process-crash",
    "File not found": "data-pipeline",
    "Permission denied": "io-checkpoint",
    "Missing Python module": "config-error",
    "Division by zero": "data-pipeline",
    "Tensor device mismatch": "config-error",
    "NaN detected in loss": "nan-inf",
    "Process killed by OS (OOM)": "oom",
    "Assertion failed": "config-error",
    "Python RuntimeError": "process-crash",
    "Python exception (traceback)": "process-crash",
}
"""Its labels in the zoo's classes, each put where it is right most often."""


def main(argv: list[str]) -> int:
    """Print a report of the one log, or of all files of a folder together."""
    target = Path(argv[0])
    files = [target] if target.is_file() else sorted(path for path in target.rglob("*") if path.is_file())
    text = "\n".join(path.read_text(encoding="utf-8", errors="replace") for path in files)
    said = importlib.import_module("gpualert.parse_errors").parse_errors("", text).split("\n")[0]
    cause = CLASSES.get(said)
    status = "crashed" if said else "completed"
    print(json.dumps({"primary_cause": cause, "run_status": status, "confidence_score": 1.0 if cause else 0.0}))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
