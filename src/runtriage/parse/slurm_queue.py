"""What `squeue` prints: the jobs that wait or run, and why one waits."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from runtriage.model.artifact import Artifact
from runtriage.model.pattern import deferred
from runtriage.model.raw import RawEvent
from runtriage.model.subject import NOBODY, Subject
from runtriage.model.target import ByteStream
from runtriage.parse.document import Parsed, Parser, read_all
from runtriage.parse.tables import Line, cite, lines, spent, state

_LIMIT: Final = 8 << 20
_HEAD: Final = deferred(
    rb"\A(?:[$#%][^\n]{0,200}\n|\w{3} \w{3} +\d[^\n]{0,40}\n){0,3}[ \t]*JOBID[ \t]+[A-Z_ \t]{0,200}\bST(?:ATE)?\b[^\n]{0,200}NODELIST\(REASON\)"
)
_NODE: Final = deferred(r"[\w.-]+")
_STATES: Final = {
    "PD": "PENDING",
    "R": "RUNNING",
    "CF": "CONFIGURING",
    "CG": "COMPLETING",
    "S": "SUSPENDED",
    "ST": "STOPPED",
    "RQ": "REQUEUED",
    "RH": "REQUEUE_HOLD",
    "SE": "SPECIAL_EXIT",
    "CD": "COMPLETED",
    "F": "FAILED",
    "TO": "TIMEOUT",
    "CA": "CANCELLED",
    "NF": "NODE_FAIL",
    "PR": "PREEMPTED",
    "OOM": "OUT_OF_MEMORY",
    "DL": "DEADLINE",
    "BF": "BOOT_FAIL",
}
"""The short codes of `man squeue`, JOB STATE CODES."""


def claims(artifact: Artifact, head: bytes) -> bool:
    """Tell whether the text is such a table."""
    return bool(_HEAD.match(head[:4096]))


def read(artifact: Artifact, stream: ByteStream) -> Parsed:
    """Return the state of the job; of a table of several jobs nothing says which one is meant."""
    content, cut = read_all(stream, _LIMIT)
    rows = list(_rows(content))
    jobs = {row["JOBID"].partition("_")[0] for row, _ in rows}
    events = [_state(row, line, artifact) for row, line in rows] if len(jobs) == 1 else []
    return Parsed(events=events, bytes_read=len(content), cut="longer than 8 MiB" if cut else None)


def _rows(content: bytes) -> Iterator[tuple[dict[str, str], Line]]:
    names: list[str] = []
    for line in lines(content):
        words = line.text.split(None, len(names) - 1) if names else line.text.split()
        if words[:1] == ["JOBID"]:
            names = line.text.split()
        elif names and len(words) == len(names):
            yield dict(zip(names, words, strict=True)), line


def _state(row: dict[str, str], line: Line, artifact: Artifact) -> RawEvent:
    short = row.get("ST", "")
    last = row["NODELIST(REASON)"].strip()
    waits = last.startswith("(")
    return state(
        "slurm/job",
        cite(artifact.path, line),
        NOBODY if waits or not _NODE.fullmatch(last) else Subject(node=last),
        numbers={"elapsed_seconds": spent(row.get("TIME", ""))},
        state=_STATES.get(short, short) or row.get("STATE", ""),
        reason=last.strip("()") if waits else "",
        job=row["JOBID"],
        elapsed=row.get("TIME", ""),
    )


PARSERS = (Parser(id="slurm-queue", claims=claims, read=read),)
