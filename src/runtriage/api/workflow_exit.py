"""Exit codes of workflow commands, and when watching a run ends."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from runtriage.model.exit_code import ABSTAINED, FAILED, NO_ACCESS, NOT_FOUND, OK

PERSISTS: Final = 3
"""How often in a row a state that no evidence settles is seen before watching ends."""

_FAILED: Final = ("CANCELLED", "BLOCKED")
_ABSTAINED: Final = frozenset({"CACHED", "UNKNOWN", "EVIDENCE_INCONSISTENT", "PARTIAL_SUBMISSION", "ABSENT"})
_ENDS: Final = frozenset(
    {
        "SUCCEEDED",
        "CANCELLED",
        "BLOCKED",
        "NOT_SUBMITTED",
        "NOT_FOUND",
        "VERIFICATION_UNAVAILABLE",
        "PARTIAL_SUBMISSION",
    }
)
_UNSETTLED: Final = frozenset({"UNKNOWN", "EVIDENCE_INCONSISTENT", "ABSENT"})
_ACTS: Final = frozenset({"FIX_PAYLOAD", "FIX_CONFIG_START_FRESH", "CANCEL", "RESUME", "RELOAD_ARTIFACTS"})


def of_status(found: Mapping[str, Any]) -> int:
    """Return the exit code of a state: 0 fine or going on, 1 failed or without what it declares, 3 no such run, 4 no access, 5 not enough evidence."""
    word = str(found["status"])
    if word.startswith("FAILED") or word in _FAILED or (word == "SUCCEEDED" and found["failing_stage"]):
        return FAILED
    if word == "NOT_FOUND":
        return NOT_FOUND
    if word == "VERIFICATION_UNAVAILABLE":
        denied = any(each["state"] in ("denied", "unavailable") for each in found["documents"])
        return (
            NO_ACCESS
            if denied or found["live_verification"]["category"] in ("RBAC", "AUTHENTICATION", "IDENTITY")
            else ABSTAINED
        )
    return ABSTAINED if word in _ABSTAINED else OK


def of_diagnosis(found: Mapping[str, Any]) -> int:
    """Return the exit code of a diagnosis: as of the state, and 1 also where a run that goes on needs somebody to act."""
    code = of_status(found)
    return FAILED if code == OK and found["decision"]["decision"] in _ACTS else code


class Watch:
    """Tells when watching a run ends."""

    def __init__(self) -> None:
        self._unsettled = 0

    def ended(self, status: str) -> bool:
        """Take the word of one look and tell whether it was the last."""
        self._unsettled = self._unsettled + 1 if status in _UNSETTLED else 0
        return status in _ENDS or status.startswith("FAILED") or self._unsettled >= PERSISTS
