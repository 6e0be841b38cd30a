"""What the block says of a workflow run, in lines of their own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from runtriage.render.workflow_stages import line


def summary(found: Mapping[str, Any]) -> list[str]:
    """Return the run's state, its stages and the decision, a line each."""
    code = f", {found['reason_code']}" if found["reason_code"] else ""
    stage = f", stage {found['failing_stage']}" if found["failing_stage"] else ""
    decision = found["decision"]
    stages = line(found)
    lines = [
        f"Workflow: {found['status']} ({found['class']}{code}{stage})",
        *([f"Workflow stages: {stages}"] if stages else []),
        f"Workflow decision: {decision['decision']}: {decision['because']}",
    ]
    if decision["cancel_command"]:
        lines.append(f"Workflow first: {decision['cancel_command']}")
    if decision["command"]:
        lines.append(f"Workflow next: {decision['command']}")
    return lines
