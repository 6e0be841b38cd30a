"""Vertex AI pipeline and custom jobs, and entries of Cloud Logging, as JSON."""

from __future__ import annotations

from collections.abc import Iterator

from runtriage.model.artifact import Artifact
from runtriage.model.pattern import deferred
from runtriage.model.raw import RawEvent
from runtriage.model.target import ByteStream
from runtriage.parse.document import Parsed, Parser, read_all
from runtriage.parse.pointer import Node, instant, is_document, load_json
from runtriage.parse.tables import state

_LIMIT = 32 << 20
_CUT = "longer than 32 MiB"
_CLOCK = "vertex"
_JOB = deferred(rb'"state"\s*:\s*"(?:PIPELINE|JOB)_STATE_')
_ENTRY = deferred(rb'"(?:insertId|receiveTimestamp)"\s*:')
_TEXTS = (("jsonPayload", "message"), ("textPayload",), ("protoPayload", "status", "message"))


def claims_job(artifact: Artifact, head: bytes) -> bool:
    """Tell whether the document is a pipeline job or custom job."""
    return is_document(head) and bool(_JOB.search(head))


def read_job(artifact: Artifact, stream: ByteStream) -> Parsed:
    """Return the state of the job, and the errors of tasks that ended failed; a retried task that ended well has none."""
    content, cut = read_all(stream, _LIMIT)
    root = load_json(content, artifact.path)
    events = list(_job(root)) if root is not None else []
    return Parsed(events=events, bytes_read=len(content), cut=_CUT if cut else None)


def _job(root: Node) -> Iterator[RawEvent]:
    name = root.text("state").rpartition("_")[2]
    yield state("vertex/job", root.get("state").cite(), when=instant(root.text("endTime"), _CLOCK), state=name)
    if root.text("error", "message"):
        yield _error(root, "")
    tasks = list(root.get("jobDetail", "taskDetails").items())
    parents = {task.text("parentTaskId") for task in tasks}
    for task in tasks:
        if task.text("state") == "FAILED" and task.text("taskId") not in parents:
            for attempt in task.get("pipelineTaskStatus").items():
                if attempt.text("error", "message"):
                    yield _error(attempt, task.text("taskName"))
            if task.text("error", "message"):
                yield _error(task, task.text("taskName"))


def _error(node: Node, task: str) -> RawEvent:
    return state(
        "vertex/error",
        node.get("error", "message").cite(),
        when=instant(node.text("updateTime") or node.text("endTime"), _CLOCK),
        numbers={"status": node.number("error", "code")},
        message=node.text("error", "message"),
        task=task,
    )


def claims_entries(artifact: Artifact, head: bytes) -> bool:
    """Tell whether the document is a list of log entries."""
    return is_document(head) and bool(_ENTRY.search(head)) and b'"logName"' in head


def read_entries(artifact: Artifact, stream: ByteStream) -> Parsed:
    """Return one state for each entry with a text, in order of time."""
    content, cut = read_all(stream, _LIMIT)
    root = load_json(content, artifact.path)
    events: list[RawEvent] = []
    if root is not None:
        listed = root if isinstance(root.value, list) else root.get("entries")
        events = [event for entry in listed.items() for event in _entry(entry)]
        events.sort(key=lambda event: event.when.seconds if event.when else 0.0)
    return Parsed(events=events, bytes_read=len(content), cut=_CUT if cut else None)


def _entry(entry: Node) -> Iterator[RawEvent]:
    for path in _TEXTS:
        if entry.text(*path):
            yield state(
                "vertex/entry",
                entry.get(*path).cite(),
                when=instant(entry.text("timestamp"), _CLOCK),
                severity=entry.text("severity"),
                message=entry.text(*path).strip(),
                job=entry.text("resource", "labels", "job_id"),
                task=entry.text("resource", "labels", "task_name"),
            )
            return


PARSERS = (
    Parser(id="vertex-job", claims=claims_job, read=read_job),
    Parser(id="vertex-entries", claims=claims_entries, read=read_entries),
)
