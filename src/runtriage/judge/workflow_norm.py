"""Words of stages, jobs and tasks, made comparable."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

_SUCCEEDED: Final = frozenset({"OK", "SUCCESS", "COMPLETED", "SUCCEEDED", "DONE"})
_CANCELLED: Final = frozenset({"CANCELED", "CANCELLED", "ABORTED", "STOPPED"})
_KEPT: Final = frozenset({"FAILED_STARTUP", "FAILED_SETUP"})
_FAILED: Final = frozenset({"FAILURE", "FAIL", "ERROR", "BLOCKED", "QUALITY_REJECTED"})
_AGGREGATE: Final = ("RUNNING", "RECOVERING", "STARTING", "PENDING", "CANCELLING")
_SEVERAL: Final = ("RUNNING", "STARTING", "PENDING", "RECOVERING")
WAITING: Final = frozenset({"PENDING", "STARTING", "RECOVERING", "SUBMITTED", "RETRYING"})
"""Words of a job whose pods may say why nothing runs yet."""

LIVE: Final = frozenset(
    {"PENDING", "SUBMITTED", "STARTING", "RUNNING", "WINDING_DOWN", "RECOVERING", "CANCELLING", "RETRYING"}
)
"""Words of a job that has not ended; another word is no evidence of anything."""


def stage_word(raw: str) -> str:
    """Return a stage's word in one spelling; empty is UNKNOWN."""
    word = raw.strip().upper()
    if word in _SUCCEEDED:
        return "SUCCEEDED"
    if word in _CANCELLED:
        return "CANCELLED"
    if word in _KEPT:
        return word
    if word.startswith("FAILED") or word in _FAILED:
        return "FAILED"
    return word or "UNKNOWN"


def family(raw: str) -> str:
    """Return SUCCEEDED, FAILED or CANCELLED for a word of an ended job or stage, else an empty string."""
    word = stage_word(raw)
    if word.startswith("FAILED"):
        return "FAILED"
    return word if word in ("SUCCEEDED", "CANCELLED") else ""


def job_word(rows: Sequence[str]) -> str:
    """Return the word of one job from the words of its rows, in queue order; empty without rows."""
    words = [row.strip().upper() for row in rows]
    for word in words:
        if word.startswith("FAILED") or family(word) == "CANCELLED":
            return word
    if words and all(family(word) == "SUCCEEDED" for word in words):
        return "SUCCEEDED"
    return next((word for word in _AGGREGATE if word in words), words[0] if words else "")


def live_word(jobs: Iterable[str]) -> str:
    """Return one word for several jobs; empty where none of the known ones fits."""
    words = [word for word in jobs if word]
    if any(family(word) == "FAILED" for word in words):
        return "FAILED"
    if any(family(word) == "CANCELLED" for word in words):
        return "CANCELLED"
    if words and all(family(word) == "SUCCEEDED" for word in words):
        return "SUCCEEDED"
    return next((word for word in reversed(words) if word in _SEVERAL), "")


def tasks_conflict(job: str, tasks: Sequence[str]) -> bool:
    """Tell whether an ended job and its tasks contradict each other; a failed job may have tasks that succeeded."""
    outcome = family(job)
    if not outcome or not tasks:
        return False
    unsuccessful = {family(task) for task in tasks} - {"", "SUCCEEDED"}
    if unsuccessful:
        return outcome not in unsuccessful
    return all(family(task) == "SUCCEEDED" for task in tasks) and outcome != "SUCCEEDED"
