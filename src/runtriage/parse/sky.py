"""The queue of managed SkyPilot jobs as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime

from runtriage.model.artifact import Artifact
from runtriage.model.pattern import deferred
from runtriage.model.raw import RawEvent
from runtriage.model.target import ByteStream
from runtriage.model.time import Instant
from runtriage.parse.document import Parsed, Parser, read_all
from runtriage.parse.pointer import Node, is_document, load_json
from runtriage.parse.tables import state

_LIMIT = 16 << 20
_NAMED = 5
UNSAID = "no reason is kept"
"""What is said of a failed job whose row names none."""
_ROW = deferred(rb'"(?:schedule_state|recovery_count|failure_reason)"\s*:')


_BEFORE = deferred(rb"(?:[^\n]*SkyPilot[^\n]*\n){1,8}(?:\x1b\[[0-9;]*m)*(?=[\[{])")
"""What the command says of its own server before the document, where its whole output was kept."""


def claims(artifact: Artifact, head: bytes) -> bool:
    """Tell whether the document is a queue of jobs."""
    bare = _bare(head)
    return is_document(bare) and b'"job_id"' in bare and bool(_ROW.search(bare))


def _bare(content: bytes) -> bytes:
    before = _BEFORE.match(content)
    return content[before.end() :] if before else content


def read(artifact: Artifact, stream: ByteStream) -> Parsed:
    """Return one state for each task of the job; a queue of several jobs does not say which one is meant."""
    content, cut = read_all(stream, _LIMIT)
    root = load_json(_bare(content), artifact.path)
    events: list[RawEvent] = []
    unclear: str | None = None
    if root is not None:
        jobs = root if isinstance(root.value, list) else root.get("jobs")
        rows = [job for job in jobs.items() if job.text("status")]
        states = {str(job.get("job_id").value): job.text("status").rpartition(".")[2] for job in rows}
        unclear = several(states)
        if len(states) == 1:
            events = [_job(job) for job in rows]
    return Parsed(events=events, bytes_read=len(content), cut="longer than 16 MiB" if cut else unclear)


def several(states: Mapping[str, str]) -> str | None:
    """Return what is said of a queue of several jobs, by their states; None for one."""
    if len(states) < 2:
        return None
    failed = [f"{job} ({state})" for job, state in states.items() if state.startswith("FAILED")]
    shown = f": {', '.join(failed[:_NAMED])}{' and others' if len(failed) > _NAMED else ''}" if failed else ""
    return f"a queue of {len(states)} jobs, {len(failed)} of them failed{shown}; keep the one that is meant"


def _job(job: Node) -> RawEvent:
    why = job.text("failure_reason")
    word = job.text("status").rpartition(".")[2]
    return state(
        "sky/job",
        job.get("failure_reason" if why else "status").cite(),
        when=_when(job.number("end_at")),
        numbers={"recoveries": job.number("recovery_count")},
        state=word,
        message=why or (UNSAID if word.startswith("FAILED") else ""),
        job=job.text("job_name"),
    )


def _when(seconds: float | None) -> Instant | None:
    if seconds is None or not 0 < seconds < 4e9:
        return None
    return Instant(
        text=datetime.fromtimestamp(seconds, UTC).isoformat(), seconds=seconds, zoned=True, clock="sky", precision=1.0
    )


PARSERS = (Parser(id="sky", claims=claims, read=read),)
