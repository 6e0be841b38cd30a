"""The tasks of a pipeline: how many are in which state, which failed on their own, and what is to be read of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from runtriage.model.artifact import Request
from runtriage.parse.pointer import Node

_WORDS = {
    "FAILED": "failed",
    "RUNNING": "running",
    "PENDING": "pending",
    "SUCCEEDED": "succeeded",
    "SKIPPED": "skipped",
    "NOT_TRIGGERED": "not triggered",
    "CANCELLED": "cancelled",
    "CANCELLING": "being cancelled",
    "CANCEL_PENDING": "being cancelled",
}
_READ = 8
"""Failed tasks whose jobs and logs are asked for, the first to fail first."""


def _leaves(root: Node) -> list[Node]:
    tasks = list(root.get("jobDetail", "taskDetails").items())
    parents = {task.text("parentTaskId") for task in tasks}
    return [task for task in tasks if task.text("taskId") not in parents]


def failed_leaves(root: Node) -> list[Node]:
    """Return the tasks that failed themselves, not through a task inside, the first to end first."""
    failed = [task for task in _leaves(root) if task.text("state") == "FAILED"]
    return sorted(failed, key=lambda task: task.text("endTime") or "~")


def tally(root: Node) -> str:
    """Return how many tasks are in which state, in words; empty for a job without tasks."""
    counts = Counter(_WORDS.get(task.text("state"), task.text("state").lower() or "unknown") for task in _leaves(root))
    return ", ".join(
        f"{counts[word]} {word}" for word in dict.fromkeys([*_WORDS.values(), *sorted(counts)]) if counts[word]
    )


def untriggered(root: Node) -> list[str]:
    """Return the tasks that were never started because of what failed before them."""
    return [task.text("taskName") for task in _leaves(root) if task.text("state") == "NOT_TRIGGERED"]


def last_good(root: Node) -> str:
    """Return the task that succeeded last, before the first one failed where one did."""
    failed = failed_leaves(root)
    until = failed[0].text("endTime") if failed else ""
    good = [task for task in _leaves(root) if task.text("state") == "SUCCEEDED"]
    before = [task for task in good if not until or task.text("endTime") <= until] or good
    return max(before, key=lambda task: task.text("endTime")).text("taskName") if before else ""


def started(task: Node) -> bool:
    """Tell whether the code of a task ever ran: it was seen running."""
    return any(entry.text("state") == "RUNNING" for entry in task.get("pipelineTaskStatus").items())


def custom_job_of(task: Node) -> str:
    """Return the full name of the custom job that ran a task, empty where none did."""
    detail = task.get("executorDetail")
    return detail.text("customJobDetail", "job") or detail.text("containerDetail", "mainJob")


def requests(root: Node) -> Iterator[Request]:
    """Yield what the job points at: the jobs of failed tasks and the logs, each between explicit times."""
    name = root.text("name")
    bounds = {"start": root.text("startTime") or root.text("createTime"), "end": root.text("endTime")}
    if "/customJobs/" in name:
        yield _logs("ml_job", "job_id", name, bounds, "what the replicas of the job printed")
        return
    for task in failed_leaves(root)[:_READ]:
        job = custom_job_of(task)
        if job:
            yield Request(
                kind="vertex-custom-job", args={"name": job}, reason=f"the job that ran task {task.text('taskName')}"
            )
    if "/pipelineJobs/" in name:
        label = "aiplatform.googleapis.com/PipelineJob"
        yield _logs(label, "pipeline_job_id", name, bounds, "errors of the pipeline itself")


def _logs(resource: str, label: str, name: str, bounds: dict[str, str], reason: str) -> Request:
    args = {"resource": resource, "label": label, "id": name.rpartition("/")[2], **bounds}
    return Request(kind="vertex-logs", args={key: value for key, value in args.items() if value}, reason=reason)
