"""Reason codes of workflow runs and the class each belongs to."""

from __future__ import annotations

from typing import Final

CONFIGURATION: Final = "actionable_configuration"
TRANSIENT: Final = "transient_infrastructure"
PAYLOAD: Final = "payload"
UNKNOWN: Final = "unknown"
NONE: Final = "none"

_CODES: Final = {
    CONFIGURATION: """IMAGE_PULL_AUTH IMAGE_NOT_FOUND IMAGE_PULL_FAILED IMAGE_REFERENCE_INVALID MISSING_SECRET MISSING_CONFIGMAP
        CREATE_CONTAINER_CONFIG_ERROR MALFORMED_POD_CONFIG ACCELERATOR_MISMATCH IMPOSSIBLE_GPU_SHAPE INVALID_ARGUMENT AUTHENTICATION
        AUTHORIZATION CHECKPOINT_INCOMPATIBLE PREFLIGHT_NOT_READY PINNED_CLIENT""",
    TRANSIENT: """CAPACITY_OR_QUOTA GANG_CAPACITY_UNAVAILABLE NODE_NOT_READY PREEMPTED PROVIDER_INTERRUPTION KUBERNETES_TRANSPORT
        KUBERNETES_RATE_LIMIT KUBERNETES_SERVER SERVERLESS_TRANSPORT SERVERLESS_CAPACITY CONTROLLER_UNAVAILABLE
        INFRASTRUCTURE_RECOVERY_EXHAUSTED FAILED_STARTUP""",
    PAYLOAD: "CONTAINER_CRASH INIT_CONTAINER_FAILED PAYLOAD_EXIT_NONZERO FAILED_RUNTIME DECLARED_OUTPUT_MISSING",
    UNKNOWN: "AMBIGUOUS_ATTEMPT_IDENTITY IMMUTABLE_IDENTITY_MISMATCH OUTPUT_EVIDENCE_AMBIGUOUS CANCELLATION_UNVERIFIED",
}
_CLASS: Final = {code: kind for kind, codes in _CODES.items() for code in codes.split()}


def class_of(code: str) -> str | None:
    """Return the class of a reason code, or None for a code that belongs to none (it may pass, or say nothing)."""
    return _CLASS.get(code)


PLAN_NOT_COMPUTED: Final = "it covers commands out of the workflow tool's own catalogue, which is not stored with a run"
"""Why the fingerprint of a plan is told as recorded and never computed again."""
