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
_TAIL = deferred(r",? last available logs? \([^)\n]{0,80}\):\n?")
_FETCHED = "ray-job"


def claims(artifact: Artifact, head: bytes) -> bool:
    """Tell whether the document is about submitted jobs."""
    return is_document(head) and bool(_JOB.search(head)) and bool(_ENTRY.search(head))


def read(artifact: Artifact, stream: ByteStream) -> Parsed:
    """Return one state for each job; the end of the log that a saved record of one job quotes is read as a log."""
    content, cut = read_all(stream, _LIMIT)
    root = load_json(content, artifact.path)
    parsed = Parsed(bytes_read=len(content), cut="longer than 16 MiB" if cut else None)
    if root is not None:
        jobs = [job for job in (root.items() if isinstance(root.value, list) else (root,)) if job.text("status")]
        parsed.events = [_job(job) for job in jobs]
        if len(jobs) == 1 and artifact.source != _FETCHED:
            _, *tail = _TAIL.split(jobs[0].text("message"), maxsplit=1)
            parsed.logs = {"log": tail[0].encode("utf-8", "replace")} if tail else {}
    return parsed


def _job(job: Node) -> RawEvent:
    message = _TAIL.split(job.text("message"), maxsplit=1)[0]
    return state(
        "ray/job",
        job.get("message" if message and job.text("status") == "FAILED" else "status").cite(),
        numbers={"code": job.number("driver_exit_code")},
        state=job.text("status"),
        reason=job.text("error_type"),
        message=message,
    )


PARSERS = (Parser(id="ray", claims=claims, read=read),)
