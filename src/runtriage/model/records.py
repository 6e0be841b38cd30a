"""Systems that record how a run ended, and the words they do it with."""

from __future__ import annotations

from typing import Final

SYSTEMS: Final = {
    "wandb/run": "W&B",
    "mlflow/run": "MLflow",
    "slurm/job": "Slurm",
    "ray/job": "Ray",
    "sky/job": "SkyPilot",
    "vertex/job": "Vertex AI",
}
"""Name of a state to the system that it comes from."""
OUTPUTS: Final = frozenset({"mlflow-artifacts", "wandb-files", "ray-log", "slurm-output"})
"""Requests that bring what the program of a run printed."""
ENDED_WELL: Final = frozenset({"finished", "completed", "succeeded"})
ENDED_BADLY: Final = frozenset({"failed", "crashed", "killed", "out_of_memory", "timeout", "node_fail"})
"""Words for an end, lower case, as the systems print them."""
