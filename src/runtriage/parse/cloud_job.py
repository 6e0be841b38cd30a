"""What cloud services keep of a training job: the JSON of `aws batch describe-jobs`, `aws sagemaker describe-training-job` and `az ml job show`."""

from __future__ import annotations

from collections.abc import Iterator

from runtriage.model.artifact import Artifact
from runtriage.model.pattern import deferred
from runtriage.model.raw import RawEvent
from runtriage.model.subject import Subject
from runtriage.model.target import ByteStream
from runtriage.parse.document import Parsed, Parser, read_all
from runtriage.parse.pointer import Node, instant, is_document, load_json
from runtriage.parse.tables import state

_LIMIT = 16 << 20
_BATCH = deferred(rb'"(?:jobQueue|jobDefinition|jobArn|jobId)"\s*:')
_AZURE = deferred(
    rb'azureml(?:schemas\.azureedge\.net|:/|\.)|"id":\s*"azureml:|Microsoft\.MachineLearningServices/workspaces/'
)
_MOST = 64


def claims(artifact: Artifact, head: bytes) -> bool:
    """Tell whether the document is such a record."""
    if not is_document(head):
        return False
    if b'"status"' not in head:
        return b'"TrainingJobStatus"' in head
    return (
        b'"TrainingJobStatus"' in head or (b'"jobs"' in head and bool(_BATCH.search(head))) or bool(_AZURE.search(head))
    )


def read(artifact: Artifact, stream: ByteStream) -> Parsed:
    """Return a state for the job and each attempt that gave a reason."""
    content, cut = read_all(stream, _LIMIT)
    root = load_json(content, artifact.path)
    events: list[RawEvent] = []
    if root is not None and root.text("TrainingJobStatus"):
        events = [_sagemaker(root)]
    elif root is not None and (job := _azure_job(root)) is not None:
        events = [_azure(root, job)]
    elif root is not None:
        jobs = list(root.get("jobs").items())
        events = [event for job in jobs[:1] for event in _batch(job)] if len(jobs) == 1 else []
    return Parsed(events=events, bytes_read=len(content), cut="longer than 16 MiB" if cut else None)


def _sagemaker(root: Node) -> RawEvent:
    why, status = root.text("FailureReason"), root.text("SecondaryStatus")
    told = "FailureReason" if why else "SecondaryStatus" if status.startswith("Max") else "TrainingJobStatus"
    return state(
        "cloud/job",
        root.get(told).cite(),
        when=instant(root.text("TrainingEndTime"), "service"),
        state=root.text("TrainingJobStatus"),
        reason=status,
        message=why,
        job=root.text("TrainingJobName"),
    )


def _azure_job(root: Node) -> Node | None:
    """Return what holds the job's status: the document of the command line itself, or the properties that the service answers with."""
    jobs = (root, root.get("properties"))
    return next((job for job in jobs if job.text("status") and not root.get("jobs").value), None)


def _azure(root: Node, job: Node) -> RawEvent:
    errors = (job.get("error", "error"), job.get("error"), root.get("error", "error"), root.get("error"))
    error = next((found for found in errors if found.text("message")), None)
    return state(
        "cloud/job",
        (job.get("status") if error is None else error.get("message")).cite(),
        when=instant(job.text("endTimeUtc"), "service"),
        state=job.text("status"),
        reason="" if error is None else error.text("code"),
        message="" if error is None else error.text("message"),
        job=job.text("display_name") or job.text("displayName") or root.text("name"),
    )


def _batch(job: Node) -> Iterator[RawEvent]:
    name = job.text("jobName") or job.text("jobId")
    why = job.text("statusReason")
    where = job.get("statusReason" if why else "status").cite()
    yield state("cloud/job", where, state=job.text("status"), message=why, job=name)
    for number, attempt in enumerate(list(job.get("attempts").items())[:_MOST]):
        reason = attempt.text("container", "reason")
        code = attempt.number("container", "exitCode")
        if reason or code is not None:
            path = ("container", "reason" if reason else "exitCode")
            numbers = {"code": code}
            yield state(
                "cloud/container",
                attempt.get(*path).cite(),
                Subject(attempt=number),
                numbers=numbers,
                message=reason,
                job=name,
            )


PARSERS = (Parser(id="cloud-job", claims=claims, read=read),)
