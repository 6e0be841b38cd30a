"""The receipt of a submission."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from runtriage.parse.pointer import load_json

SCHEMA: Final = "npa.workflow.submission.v1"


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
