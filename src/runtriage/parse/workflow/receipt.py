"""The receipt of a submission."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from runtriage.parse.pointer import load_json

SCHEMA: Final = "npa.workflow.submission.v1"
FIRST_RUN: Final = "npa.workflow.first-run.v1"
_ENDS: Final = frozenset({"SUCCEEDED", "FAILED", "FAILED_STARTUP", "FAILED_SETUP", "CANCELLED", "BLOCKED"})


class Submission(NamedTuple):
    """How far the launch came, whether loading the result afterwards failed, and where the run lies."""

    launch_state: str = ""
    load_failed: bool = False
    prefix: str = ""
    """The address under which the run was submitted."""


def submission(documents: Sequence[bytes]) -> Submission:
    """Return what the only receipt of a run says; several contradict each other and say nothing."""
    found = [root for each in documents if (root := load_json(each, "receipt")) is not None]
    if len(found) != 1 or found[0].text("schema_version") not in ("", SCHEMA):
        return Submission()
    state = found[0].text("launch_state") or found[0].text("launch", "status")
    prefix = found[0].text("workflow", "run_prefix_uri")
    return Submission(state, found[0].text("artifact_load", "status") == "partial", prefix)


def first_run(documents: Sequence[bytes], run_id: str) -> str:
    """Return how a run ended as the notes of first runs tell it, or an empty string where none is of it or two differ."""
    roots = (root for each in documents if (root := load_json(each, "first run")) is not None)
    own = (root for root in roots if root.text("schema_version") == FIRST_RUN and root.text("run_id") == run_id)
    words = {root.text("last_known_state").strip().upper() for root in own} & _ENDS
    return next(iter(words)) if len(words) == 1 else ""
