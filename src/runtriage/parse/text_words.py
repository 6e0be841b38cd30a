"""What a text must hold before a parser can take it for its own document: those it cannot belong to are not even loaded for a plain log."""

from __future__ import annotations

from typing import Final

from runtriage.model.artifact import Artifact
from runtriage.model.pattern import deferred

_NEVER: Final[tuple[bytes, ...]] = ()
WORDS: Final[dict[str, tuple[bytes, ...]]] = {
    **dict.fromkeys(
        (
            "checkpoint",
            "cloud_job",
            "config",
            "container_record",
            "core_dump",
            "journal",
            "keras_history",
            "metrics_mlflow",
            "metrics_tracker",
            "oom_table",
            "packages",
            "ras",
            "ray",
            "ray_states",
            "runai",
            "stacks",
            "tracker",
            "tracker_database",
            "tracker_folder",
            "tracker_store",
            "trainer_state",
            "vertex",
            "vertex_entries",
            "wrapper_record",
        ),
        _NEVER,
    ),
    "k8s": (b"kind:",),
    "k8s_describe": (b"Name:",),
    "k8s_events": (b"REASON",),
    "k8s_table": (b"NAME",),
    "nccl_log": (b"NCCL INFO ",),
    "nvidia_smi": (b"NVSMI LOG", b"Attached GPUs"),
    "nvidia_smi_xml": (b"<nvidia_smi_log",),
    "nvidia_smi_csv": (b"clocks_", b"ecc.errors."),
    "process": (b'"schema"',),
    "process_run": (b'"schema"',),
    "recorder": (b"pg_config",),
    "sky": (b'"job_id"',),
    "sky_table": (b"#RECOVERIES",),
    "slurm": (b"JobI", b"NodeName="),
    "slurm_queue": (b"JOBID",),
    "tables_df": (b"Filesystem",),
    "tfevents": (b"brain.Event:",),
    "wandb_run": (b":W&B",),
    "workflow_run": (b'"npa.workflow.runtime.v1"',),
}
"""Every module with parsers, and words one of which each text of kind `log` holds that it claims; none where it claims no such text.
JSON is no text here, nor is what a source other than a file says.
"""
_JSON = deferred(rb"\s*(?:\{|\[\s*[\[{\"]|\Z)")
_FILE: Final = "file"
_BY_NAME: Final = "/meta.yaml"
"""How the path of a document ends that is known by it, whatever it holds."""


def may_claim(module: str, artifact: Artifact, head: bytes) -> bool:
    """Tell whether a parser of a module might claim a document."""
    if artifact.kind != "log" or artifact.source != _FILE or artifact.path.endswith(_BY_NAME):
        return True
    return _JSON.match(head) is not None or any(word in head for word in WORDS[module])
