"""What takes away each thing that keeps a pod from starting, in one line."""

from __future__ import annotations

from typing import Final

_REMEDIES: Final = {
    "IMAGE_PULL_AUTH": "let the pull secret of the pod pull from this repository; listing its tags is another right",
    "IMAGE_NOT_FOUND": "push the image under this tag, or name a tag or digest that exists",
    "IMAGE_PULL_FAILED": "look why the registry does not deliver: name, network, or its limit of pulls",
    "IMAGE_REFERENCE_INVALID": "write the image as HOST/REPOSITORY:TAG or @DIGEST",
    "MISSING_SECRET": "create the secret, or the key of it, that the pod names in its namespace",
    "MISSING_CONFIGMAP": "create the config map, or the key of it, that the pod names in its namespace",
    "CREATE_CONTAINER_CONFIG_ERROR": "correct what the container refers to",
    "ACCELERATOR_MISMATCH": "ask for an accelerator by a name that a node carries; runtriage workflow gpus lists them",
    "IMPOSSIBLE_GPU_SHAPE": "ask for no more GPUs than one node has, on more nodes where that is enough",
    "CAPACITY_OR_QUOTA": "wait until nodes are free, or make room",
    "STORAGE_PENDING": "look at the claim of the volume and at the class of storage behind it",
    "NODE_NOT_READY": "wait for the node, or take it out",
    "CONTAINER_CRASH": "read what the container printed before it ended",
    "INIT_CONTAINER_FAILED": "read what the init container printed",
}


def remedy(code: str) -> str | None:
    """Return the remedy for a reason code, or None where the code alone does not tell one."""
    return _REMEDIES.get(code)
