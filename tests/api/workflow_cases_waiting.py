"""Runs whose stage waits or never started: pods, nodes, controllers, accelerators."""

from __future__ import annotations

from tests.api.workflow_parts import BUSY, FULL, LIVE, PREP, PREP_ROW, STARTUP, TWO_SMALL, Cases, ended, stalled
from tests.api.workflow_runs import Run, node, pod, row, unschedulable, waiting, wave

CASES: Cases = {
    "a refused pull stalls and is a matter of configuration": (
        Run(waves=[PREP, LIVE], plan=("prep", "train"), outputs={"prep": 9}, queue=[PREP_ROW, row("12", "STARTING")], pods=[pod("train-12-0a1b2c3d", **waiting("ImagePullBackOff", "Back-off pulling image: 403 Forbidden"))], nodes=[node("n1", "NVIDIA-H100-80GB-HBM3", 8)]),
        {"status": "STARTING", "class": "actionable_configuration", "reason_code": "IMAGE_PULL_AUTH", "decision": "FIX_CONFIG_START_FRESH", "cancel_first": True},
    ),
    "the id of a job is one part of the label and no other": (
        stalled("STARTING", pod("train-12-333-0a1b2c3d", **waiting("ImagePullBackOff", "403"))),
        {"status": "STARTING", "class": "none", "decision": "KEEP_WATCHING", "pods_for_job": 0},
    ),
    "more GPUs than any node has never fit": (
        stalled("PENDING", pod("train-12-0a1b2c3d", gpus=2, **FULL), nodes=TWO_SMALL, accelerators="H100:2"),
        {"status": "PENDING", "class": "actionable_configuration", "reason_code": "IMPOSSIBLE_GPU_SHAPE", "decision": "FIX_CONFIG_START_FRESH", "cancel_first": True},
    ),
    "the same message on busy nodes may pass": (
        stalled("PENDING", pod("train-12-0a1b2c3d", gpus=1, **FULL), *BUSY, nodes=TWO_SMALL, accelerators="H100:1"),
        {"status": "PENDING", "class": "transient_infrastructure", "reason_code": "CAPACITY_OR_QUOTA", "decision": "KEEP_WATCHING"},
    ),
    "failed prechecks are a wrong name, not capacity": (
        Run(manifest="failed", ledger="failed", waves=[wave("train", 1, "failed", "FAILED_PRECHECKS", "12")], queue=[row("12", "FAILED_PRECHECKS")], pods=[], nodes=[node("n1", "NVIDIA-RTX-PRO-6000-Blackwell-Server-Edition", 8)], accelerators="L40S:1"),
        {"status": "FAILED", "class": "actionable_configuration", "reason_code": "ACCELERATOR_MISMATCH", "decision": "FIX_CONFIG_START_FRESH"},
    ),
    "three failed starts reach the threshold": (
        stalled("PENDING", nodes=[], controller=STARTUP * 3),
        {"status": "FAILED_STARTUP", "class": "transient_infrastructure", "decision": "RESUME", "startup_failure_evidence": 3, "npa_exit": 1, "cancel_first": True},
    ),
    "two failed starts do not": (
        stalled("PENDING", nodes=[], controller=STARTUP * 2),
        {"status": "PENDING", "class": "none", "decision": "KEEP_WATCHING", "startup_failure_evidence": 2, "npa_exit": 0, "cancel_first": False},
    ),
    "a first attempt is no retry": (
        stalled("PENDING"),
        {"status": "PENDING", "retries": 0},
    ),
    "a second attempt that waits is a retry": (
        Run(waves=[wave("train", 1, "failed", "FAILED", "11"), wave("train", 2, "running", "PENDING", "12")], queue=[row("11", "FAILED"), row("12", "PENDING")], pods=[]),
        {"status": "RETRYING", "retries": 1, "decision": "KEEP_WATCHING"},
    ),
    "a missing secret is a matter of configuration": (
        stalled("STARTING", pod("train-12-0a1b2c3d", **waiting("CreateContainerConfigError", 'secret "hf" not found'))),
        {"class": "actionable_configuration", "reason_code": "MISSING_SECRET", "decision": "FIX_CONFIG_START_FRESH"},
    ),
    "a pod that initialises is on its way": (
        stalled("STARTING", pod("train-12-0a1b2c3d", **waiting("PodInitializing", ""))),
        {"class": "none", "decision": "KEEP_WATCHING", "pods_for_job": 1},
    ),
    "an image that is not there is a matter of configuration": (
        stalled("PENDING", pod("train-12-0a1b2c3d", **waiting("ErrImagePull", "manifest unknown"))),
        {"class": "actionable_configuration", "reason_code": "IMAGE_NOT_FOUND", "cancel_first": True},
    ),
    "a volume that is not bound may pass": (
        stalled("PENDING", pod("train-12-0a1b2c3d", **unschedulable("pod has unbound immediate PersistentVolumeClaims"))),
        {"class": "none", "reason_code": "STORAGE_PENDING", "decision": "KEEP_WATCHING"},
    ),
    "GPUs without a product label prove no mismatch": (
        stalled("PENDING", pod("train-12-0a1b2c3d", gpus=1, **FULL), nodes=[node("n1", "", 8)], accelerators="L40S:1"),
        {"class": "none", "decision": "KEEP_WATCHING"},
    ),
    "a name that only one node may bear is no mismatch": (
        stalled("PENDING", pod("train-12-0a1b2c3d", gpus=1, **FULL), nodes=[node("n1", "NVIDIA-A100-SXM4-80GB", 8)], accelerators="A100-80GB:1"),
        {"class": "none", "decision": "KEEP_WATCHING"},
    ),
    "a name that no node bears never fits": (
        stalled("PENDING", pod("train-12-0a1b2c3d", gpus=1, **FULL), nodes=[node("n1", "NVIDIA-L40S", 8)], accelerators="L4:1"),
        {"class": "actionable_configuration", "reason_code": "ACCELERATOR_MISMATCH"},
    ),
    "a cluster that refuses to answer is not one without blockers": (
        stalled("STARTING", cluster_error="KUBERNETES_RBAC"),
        {"class": "none", "decision": "KEEP_WATCHING", "diagnostics": "unavailable", "cluster_error": "KUBERNETES_RBAC"},
    ),
    "a node that went away may pass": (
        stalled("PENDING", nodes=[node("n1", "H100", 8, ready=False)]),
        {"class": "transient_infrastructure", "reason_code": "NODE_NOT_READY", "decision": "KEEP_WATCHING"},
    ),
    "a client the controller cannot use is outside the run": (
        stalled("PENDING", controller="ValueError: Invalid pod_config: kubernetes.client.models.V1Pod\n"),
        {"class": "actionable_configuration", "reason_code": "PINNED_CLIENT", "decision": "CANCEL"},
    ),
    "no resources is capacity": (
        ended("FAILED_NO_RESOURCE"),
        {"class": "transient_infrastructure", "reason_code": "CAPACITY_OR_QUOTA", "decision": "RESUME", "retries_asked": True},
    ),
    "a failed controller is infrastructure": (
        ended("FAILED_CONTROLLER"),
        {"class": "transient_infrastructure", "reason_code": "CONTROLLER_UNAVAILABLE", "decision": "RESUME"},
    ),
    "a lower threshold makes two failed starts enough": (
        stalled("PENDING", nodes=[], controller=STARTUP * 2),
        {"status": "FAILED_STARTUP", "_options": {"threshold": 2}},
    ),
}  # fmt: skip
