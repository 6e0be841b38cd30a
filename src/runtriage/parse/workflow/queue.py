"""What `sky` prints: the queue of managed jobs, and failed starts in a controller's log."""

from __future__ import annotations

import json
import re
from itertools import islice
from typing import Final, cast

from runtriage.model.pattern import deferred
from runtriage.model.workflow import Task
from runtriage.model.workflow_evidence import ControllerLog
from runtriage.parse.pointer import Node, Value
from runtriage.parse.workflow.manifest import told, whole

_OPENING: Final = deferred(r"^[ \t]*([\[{])", re.MULTILINE)
_TRIES: Final = 50
NOTHING_HELD: Final = "the answer holds no"
"""How the reason begins why an answer that tells of no fault proves nothing."""
_NO_JOBS: Final = "No in-progress managed jobs"
_ERROR: Final = deferred(r"^\s*(?:[\w.]*(?:Error|Exception)\b|ERROR\b|Traceback|Failed to )", re.MULTILINE)
_COLOUR: Final = deferred(r"\x1b\[[0-9;]*m")
_STARTING: Final = deferred(r"Failed to connect to SkyPilot API server at \S+ Starting a local server\.")
"""What the command says of a server on this machine that was not up yet, before it answers all the same."""
_CAP: Final = 4000
_STARTUP: Final = deferred(
    r"container not found \(\\?[\"']ray-node\\?[\"']\)"
    r"|(?:container\s+)?\\?[\"']?ray-node\\?[\"']?\s+(?:was\s+|container\s+)?(?:not found|deleted)"
    r"|(?:cannot|can't|could not|unable to|refus\w+)[^\n]{0,40}\bexec\b[^\n]{0,60}\bdeleted\b",
    re.IGNORECASE,
)
_MODELS: Final = "kubernetes.client.models"
_PINNED: Final = ("Invalid pod_config", "No module named")


def queue_rows(text: str) -> tuple[Task, ...] | str:
    """Return the rows that one JSON document among other lines holds, or why the answer proves nothing."""
    text = _STARTING.sub("", _COLOUR.sub("", text))
    found = _document(text)
    noise = text if found is None else text[: found[1]] + text[found[2] :]
    if _ERROR.search(noise):
        return "the answer has an error line in it"
    if found is None:
        return () if _NO_JOBS in text else f"{NOTHING_HELD} JSON document"
    root = Node(found[0], "sky jobs queue")
    jobs = root if isinstance(root.value, list) else root.get("jobs")
    if not isinstance(jobs.value, list):
        return f"{NOTHING_HELD} list of jobs"
    return tuple(_row(each) for each in jobs.items() if told(each.get("job_id")))


def is_empty_queue(text: str) -> bool:
    """Tell whether an answer that came as an error means that nothing is queued: so a controller that is not up is reported."""
    lines = [line.strip() for line in _COLOUR.sub("", text).splitlines() if line.strip()]
    return bool(lines) and lines[-1].rstrip(".").endswith(_NO_JOBS)


def controller_log(text: str, job_id: str) -> ControllerLog:
    """Return how many lines of a controller's log (its last 4,000 characters) tell of a failed start."""
    kept = text[-_CAP:]
    failures = [line.strip() for line in kept.splitlines() if _STARTUP.search(line)]
    pinned = next((sign for sign in _PINNED if _MODELS in kept and sign in kept), "")
    return ControllerLog(
        job_id=job_id,
        failures=len(failures),
        last_failure=failures[-1][:300] if failures else "",
        pinned_client=pinned,
    )


def _document(text: str) -> tuple[Value, int, int] | None:
    decoder = json.JSONDecoder()
    for start in islice(_OPENING.finditer(text), _TRIES):
        try:
            value, end = decoder.raw_decode(text, start.start(1))
        except (ValueError, RecursionError):
            continue
        return cast("Value", value), start.start(), end
    return None


def _row(row: Node) -> Task:
    return Task(
        job_id=told(row.get("job_id")),
        name=row.text("task_name"),
        status=row.text("status").rpartition(".")[2],
        task_id=told(row.get("task_id")),
        job_name=row.text("job_name"),
        cluster=row.text("cluster_name_on_cloud") or row.text("current_cluster_name"),
        reason=row.text("failure_reason"),
        recoveries=whole(row.get("recovery_count")) or 0,
    )
