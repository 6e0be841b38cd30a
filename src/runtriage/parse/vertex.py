"""Vertex AI pipeline jobs and custom jobs as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from runtriage.model.artifact import Artifact
from runtriage.model.pattern import deferred
from runtriage.model.raw import RawEvent
from runtriage.model.target import ByteStream
from runtriage.parse.document import Parsed, Parser, read_all
from runtriage.parse.pointer import Node, instant, is_document, load_json
from runtriage.parse.tables import state
from runtriage.parse.vertex_tasks import custom_job_of, failed_leaves, last_good, requests, started, tally, untriggered

_LIMIT = 32 << 20
_CUT = "longer than 32 MiB"
_CLOCK = "vertex"
_SHOWN = 5
_JOB = deferred(rb'"state"\s*:\s*"(?:PIPELINE|JOB)_STATE_')
_ACCOUNT = deferred(r"[\w.-]+@[\w.-]+\.gserviceaccount\.com")
_DEFAULT_ACCOUNT = "the default service account"
_CODES = {
    3: "INVALID_ARGUMENT",
    4: "DEADLINE_EXCEEDED",
    5: "NOT_FOUND",
    7: "PERMISSION_DENIED",
    8: "RESOURCE_EXHAUSTED",
    9: "FAILED_PRECONDITION",
    10: "ABORTED",
    13: "INTERNAL",
    14: "UNAVAILABLE",
    16: "UNAUTHENTICATED",
}
"""Names of status codes. They are hints: INVALID_ARGUMENT can be a missing right, PERMISSION_DENIED a wrong project."""


def claims_job(artifact: Artifact, head: bytes) -> bool:
    """Tell whether the document is a pipeline job or custom job."""
    return is_document(head) and bool(_JOB.search(head))


def read_job(artifact: Artifact, stream: ByteStream) -> Parsed:
    """Return the state of the job, and the errors of tasks that ended failed; a retried task that ended well has none.

    A job that was fetched asks for what its failed tasks point at: nested jobs and their logs.
    """
    content, cut = read_all(stream, _LIMIT)
    root = load_json(content, artifact.path)
    parsed = Parsed(bytes_read=len(content), cut=_CUT if cut else None)
    if root is not None:
        parsed.events = list(_job(root))
        if artifact.source.startswith("vertex-"):
            parsed.requests = list(requests(root))
    return parsed


def _job(root: Node) -> Iterator[RawEvent]:
    name = root.text("name")
    pipeline = name if "/pipelineJobs/" in name else ""
    yield state(
        "vertex/job",
        root.get("state").cite(),
        when=instant(root.text("endTime"), _CLOCK),
        state=root.text("state").rpartition("_STATE_")[2],
        pipeline=pipeline,
        tally=tally(root),
        last_good=last_good(root),
        start=root.text("startTime") or root.text("createTime"),
        end=root.text("endTime"),
    )
    if root.text("error", "message"):
        yield _error(root, root, root.text("displayName") or name.rpartition("/")[2], "started")
    failed = failed_leaves(root)
    yield from _waiting(root, failed)
    for task in failed:
        label = task.text("taskName")
        began = "started" if started(task) else "before-start"
        yield state(
            "vertex/task",
            task.get("state").cite(),
            when=instant(task.text("endTime"), _CLOCK),
            state=task.text("state"),
            task=label,
            custom_job=custom_job_of(task).rpartition("/")[2],
        )
        for attempt in task.get("pipelineTaskStatus").items():
            if attempt.text("error", "message"):
                yield _error(attempt, root, label, began)
        if task.text("error", "message"):
            yield _error(task, root, label, began)


def _waiting(root: Node, failed: Sequence[Node]) -> Iterator[RawEvent]:
    """Yield that tasks were never started, where one that failed is the reason."""
    waiting = untriggered(root)
    if failed and waiting:
        yield state(
            "vertex/untriggered",
            root.get("jobDetail", "taskDetails").cite(),
            when=instant(failed[0].text("endTime"), _CLOCK),
            numbers={"count": float(len(waiting))},
            first=failed[0].text("taskName"),
            many=f"{len(waiting)} tasks were" if len(waiting) > 1 else "1 task was",
            task=", ".join(waiting[:_SHOWN]) + (", ..." if len(waiting) > _SHOWN else ""),
        )


def _error(node: Node, root: Node, task: str, began: str) -> RawEvent:
    message, code = node.text("error", "message"), node.number("error", "code")
    told = _ACCOUNT.search(message)
    account = (
        root.text("runtimeConfig", "serviceAccount")
        or root.text("serviceAccount")
        or root.text("jobSpec", "serviceAccount")
    )
    return state(
        "vertex/error",
        node.get("error", "message").cite(),
        when=instant(node.text("updateTime") or node.text("endTime"), _CLOCK),
        numbers={"status": code},
        message=message,
        task=task,
        reason=_CODES.get(int(code or 0), ""),
        state=began,
        account=told[0] if told else account or _DEFAULT_ACCOUNT,
    )


PARSERS = (Parser(id="vertex-job", claims=claims_job, read=read_job),)
