"""What Ray's job API answers for one submission or many."""

from __future__ import annotations

from runtriage.model.artifact import Artifact
from runtriage.model.pattern import deferred
from runtriage.model.raw import RawEvent
from runtriage.model.target import ByteStream
from runtriage.parse.document import Parsed, Parser, read_all
from runtriage.parse.pointer import Node, is_document, load_json
from runtriage.parse.tables import state

_LIMIT = 16 << 20
_JOB = deferred(rb'"submission_id"\s*:')
_ENTRY = deferred(rb'"entrypoint"\s*:')


def claims(artifact: Artifact, head: bytes) -> bool:
    """Tell whether the document is about submitted jobs."""
    return is_document(head) and bool(_JOB.search(head)) and bool(_ENTRY.search(head))


def read(artifact: Artifact, stream: ByteStream) -> Parsed:
    """Return one state for each job."""
    content, cut = read_all(stream, _LIMIT)
    root = load_json(content, artifact.path)
    events: list[RawEvent] = []
    if root is not None:
        jobs = root.items() if isinstance(root.value, list) else iter((root,))
        events = [_job(job) for job in jobs if job.text("status")]
    return Parsed(events=events, bytes_read=len(content), cut="longer than 16 MiB" if cut else None)


def _job(job: Node) -> RawEvent:
    message = job.text("message")
    return state(
        "ray/job",
        job.get("message" if message and job.text("status") == "FAILED" else "status").cite(),
        numbers={"code": job.number("driver_exit_code")},
        state=job.text("status"),
        reason=job.text("error_type"),
        message=message,
    )


PARSERS = (Parser(id="ray", claims=claims, read=read),)
