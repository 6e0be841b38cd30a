"""Events of the supervisor that watches a workflow run. Each is stored once, under a name that holds the hash of its bytes."""

from __future__ import annotations

from hashlib import sha256
from typing import Final

from runtriage.model.workflow import SupervisorEvent
from runtriage.parse.pointer import load_json
from runtriage.parse.workflow.manifest import whole

SCHEMA: Final = "npa.workflow.supervisor.v1"


def supervisor_event(content: bytes, path: str) -> SupervisorEvent | None:
    """Return the event a document holds, or None when it is not one. A name that does not fit the bytes makes it not intact."""
    root = load_json(content, path)
    if root is None or root.text("schema_version") != SCHEMA:
        return None
    policy = root.get("infrastructure_recovery_policy")
    exact = root.get("cancellation", "exact").value
    return SupervisorEvent(
        path=path,
        intact=sha256(content).hexdigest() in path.rpartition("/")[2],
        recorded_at=root.text("recorded_at"),
        phase=root.text("phase"),
        attempt=whole(root.get("attempt_identity", "attempt")) or 0,
        launch_id=root.text("attempt_identity", "logical_attempt_id"),
        job_id=root.text("attempt_identity", "provider_job_id"),
        successor_attempt=whole(root.get("new_attempt_identity", "attempt")),
        classification=root.text("classification"),
        action=root.text("recovery", "action"),
        reason_code=root.text("recovery", "reason_code") or root.text("observation", "reason_code"),
        remediation=root.text("recovery", "remediation"),
        relaunch_allowed=root.get("recovery", "relaunch_allowed").value is True,
        outputs=root.text("outputs", "status"),
        used=whole(policy.get("used")),
        limit=whole(policy.get("limit")),
        exhausted=policy.get("exhausted").value is True,
        cancelled=root.text("cancellation", "status"),
        exact=exact if isinstance(exact, bool) else None,
    )
