"""What Kubernetes says about a pod that does not start becomes one reason code."""

from __future__ import annotations

import re
from typing import Final

from runtriage.model.pattern import deferred

PROGRESS: Final = ("ContainerCreating", "PodInitializing")
"""Words of containers that are on their way."""

_UNSCHEDULABLE: Final = deferred(r"unschedul|failedscheduling", re.IGNORECASE)
_ACCELERATOR: Final = deferred(r"\bgpus?\b|nvidia\.com/|amd\.com/|accelerator", re.IGNORECASE)
_CAPACITY: Final = deferred(r"quota|capacity|insufficient|no nodes", re.IGNORECASE)
_STORAGE: Final = deferred(r"\bpvc\b|persistentvolumeclaim|volume|mount", re.IGNORECASE)
_PULL: Final = deferred(
    r"imagepullbackoff|errimagepull|imageinspecterror|registryunavailable|back-?off pulling image|failed to pull(?: and unpack)? image|pull(?:ing)? image",
    re.IGNORECASE,
)
_DENIED: Final = deferred(
    r"unauthorized|authentication required|denied|no basic auth|\b401\b|\b403\b|forbidden", re.IGNORECASE
)
_ABSENT: Final = deferred(r"not found|manifest unknown|name unknown|\b404\b", re.IGNORECASE)
_SECRET: Final = deferred(r"\bsecret\b[^\n]{0,200}\bnot found|couldn't find key[^\n]{0,200}\bsecret\b", re.IGNORECASE)
_CONFIGMAP: Final = deferred(
    r"\bconfigmap\b[^\n]{0,200}\bnot found|couldn't find key[^\n]{0,200}\bconfigmap\b", re.IGNORECASE
)
_CRASH: Final = ("crashloopbackoff", "containercannotrun", "runcontainererror", "starterror")


def reason_code(reason: str, message: str, *, init: bool = False) -> str:
    """Return the code of a pod's reason and message. Words of progress and what is not known are `PENDING_UNKNOWN`."""
    text, word = f"{reason} {message}", reason.lower()
    if reason in PROGRESS:
        return "PENDING_UNKNOWN"
    if _UNSCHEDULABLE.search(text):
        return _unschedulable(text)
    if word == "invalidimagename":
        return "IMAGE_REFERENCE_INVALID"
    if _PULL.search(text):
        return _pull(text)
    if word == "createcontainerconfigerror":
        return _config(message)
    return _other(word, text, init=init)


def _unschedulable(text: str) -> str:
    if _ACCELERATOR.search(text):
        return "ACCELERATOR_MISMATCH"
    if _CAPACITY.search(text):
        return "CAPACITY_OR_QUOTA"
    return "STORAGE_PENDING" if _STORAGE.search(text) else "UNSCHEDULABLE"


def _pull(text: str) -> str:
    if _DENIED.search(text):
        return "IMAGE_PULL_AUTH"
    return "IMAGE_NOT_FOUND" if _ABSENT.search(text) else "IMAGE_PULL_FAILED"


def _config(message: str) -> str:
    if _SECRET.search(message):
        return "MISSING_SECRET"
    return "MISSING_CONFIGMAP" if _CONFIGMAP.search(message) else "CREATE_CONTAINER_CONFIG_ERROR"


def _other(word: str, text: str, *, init: bool) -> str:
    if init:
        return "INIT_CONTAINER_FAILED"
    if word in _CRASH:
        return "CONTAINER_CRASH"
    if "backoff" in word or "back-off" in text.lower():
        return "CONTROLLER_BACKOFF"
    if _STORAGE.search(text):
        return "STORAGE_PENDING"
    return "NODE_NOT_READY" if "notready" in word else "PENDING_UNKNOWN"
