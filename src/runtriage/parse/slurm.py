"""Slurm's record of a job: `sacct` tables and JSON, and what `scontrol show` prints for jobs and nodes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from runtriage.model.artifact import Artifact
from runtriage.model.pattern import deferred
from runtriage.model.place import Citation
from runtriage.model.raw import RawEvent
from runtriage.model.subject import NOBODY, Subject
from runtriage.model.target import ByteStream
from runtriage.parse.document import Parsed, Parser, read_all
from runtriage.parse.pointer import Node, is_document, load_json
from runtriage.parse.slurm_memory import over
from runtriage.parse.slurm_requests import of_row, of_shown
from runtriage.parse.tables import Line, cite, lines, spent, state

_LIMIT = 32 << 20
_CUT = "longer than 32 MiB"
_BARRED = deferred(rb"\A\s*JobID(?:Raw)?\|[\w|%]*\bState\b")
_ALIGNED = deferred(rb"\A\s*JobID(?:Raw)? +[^\n|]*\bState\b[^\n]*\n *-+ ")
_JSON = deferred(rb'"Slurm"\s*:\s*\{|"slurm"\s*:\s*\{|openapi\\?/(?:dbv|slurmdbd)')
_SHOWN = deferred(rb"\A\s*(?:JobId=\d+ |NodeName=\S+ )")
_KEY = deferred(r"\w[\w/:]*=")
_GONE = deferred(r"DOWN|NOT_RESPONDING|NO_RESPOND|\bFAIL")
"""States that say themselves what is wrong; of a node that is drained the reason does."""
_ONE_NODE = deferred(r"^[\w.-]+$")
_VALUE = 500
_DASHES = deferred(r"-+")


def claims_table(artifact: Artifact, head: bytes) -> bool:
    """Tell whether the text is a table of `sacct`, with bars or aligned."""
    return bool(_BARRED.match(head[:4096]) or _ALIGNED.match(head[:8192]))


def read_table(artifact: Artifact, stream: ByteStream) -> Parsed:
    """Return one state for each job and step."""
    content, cut = read_all(stream, _LIMIT)
    rows = list(_rows(content))
    parsed = Parsed(bytes_read=len(content), cut=_CUT if cut else None)
    beyond = over(row for row, _ in rows)
    parsed.events = [_accounted(row, cite(artifact.path, line), beyond) for row, line in rows]
    if artifact.source == "slurm-accounting":
        jobs = [row for row, _ in rows if "." not in (row.get("JobIDRaw") or row.get("JobID", ""))]
        parsed.requests = [request for row in jobs for request in of_row(row)]
    return parsed


def _rows(content: bytes) -> Iterator[tuple[dict[str, str], Line]]:
    names: list[str] = []
    spans: list[tuple[int, int]] = []
    for line in lines(content):
        text = line.text
        if not text.strip():
            continue
        if text.lstrip().startswith("JobID"):
            names, spans = (text.strip().split("|"), []) if "|" in text else (text.split(), [])
        elif names and not text.strip(" -"):
            spans = [found.span() for found in _DASHES.finditer(text)]
        elif spans:
            yield dict(zip(names, (text[start:end].strip() for start, end in spans), strict=False)), line
        elif names and "|" in text:
            yield dict(zip(names, text.split("|"), strict=False)), line


def _accounted(row: Mapping[str, str], where: Citation, beyond: Mapping[str, str]) -> RawEvent:
    job = row.get("JobID") or row.get("JobIDRaw", "")
    code, _, signal = row.get("ExitCode", "").partition(":")
    return state(
        "slurm/step" if "." in job else "slurm/job",
        where,
        _on(row.get("NodeList", "")),
        numbers={
            "code": _number(code),
            "signal": _number(signal) or None,
            "elapsed_seconds": spent(row.get("Elapsed", "")),
        },
        state=row.get("State", "").rstrip("+"),
        reason=row.get("Reason", ""),
        memory=beyond.get(row.get("JobIDRaw") or job, ""),
        job=job,
        limit=row.get("Timelimit", ""),
        elapsed=row.get("Elapsed", ""),
    )


def claims_json(artifact: Artifact, head: bytes) -> bool:
    """Tell whether the document is the JSON of `sacct` or `scontrol`."""
    return is_document(head) and bool(_JSON.search(head)) and b'"jobs"' in head


def read_json(artifact: Artifact, stream: ByteStream) -> Parsed:
    """Return one state for each job. Old releases print a wrong exit code here, so none is taken."""
    content, cut = read_all(stream, _LIMIT)
    root = load_json(content, artifact.path)
    events = [_job(job) for job in root.get("jobs").items()] if root is not None else []
    return Parsed(events=events, bytes_read=len(content), cut=_CUT if cut else None)


def _job(job: Node) -> RawEvent:
    current = job.get("state", "current") if job.get("state", "current").value else job.get("job_state")
    first = next(current.items(), current)
    return state(
        "slurm/job",
        first.cite(),
        _on(job.text("nodes")),
        state=first.text(),
        reason=job.text("state", "reason") or job.text("state_reason"),
        job=str(job.get("job_id").value or ""),
    )


def claims_shown(artifact: Artifact, head: bytes) -> bool:
    """Tell whether the text is what `scontrol show job` or `show node` prints."""
    return bool(_SHOWN.match(head[:4096]))


def read_shown(artifact: Artifact, stream: ByteStream) -> Parsed:
    """Return the state of each job or node."""
    content, cut = read_all(stream, _LIMIT)
    parsed = Parsed(bytes_read=len(content), cut=_CUT if cut else None)
    for record in _records(content):
        parsed.events.extend(_shown(record, artifact.path))
        if artifact.source == "slurm-controller":
            parsed.requests.extend(of_shown({name: value for name, (value, _) in record.items()}))
    return parsed


def _records(content: bytes) -> Iterator[dict[str, tuple[str, Line]]]:
    record: dict[str, tuple[str, Line]] = {}
    for line in lines(content):
        pairs = _pairs(line.text)
        if pairs and pairs[0][0] in ("JobId", "NodeName"):
            yield record
            record = {}
        for name, value in pairs:
            record.setdefault(name, (value, line))
    yield record


def _pairs(text: str) -> list[tuple[str, str]]:
    """Return the `Name=value` pairs of a line; a value goes on to the next name."""
    found: list[tuple[str, str]] = []
    for word in text.split():
        if _KEY.match(word):
            name, _, value = word.partition("=")
            found.append((name, value))
        elif found:
            name, value = found[-1]
            if len(value) < _VALUE:
                found[-1] = (name, f"{value} {word}")
    return found


def _shown(record: Mapping[str, tuple[str, Line]], artifact: str) -> Iterator[RawEvent]:
    def text(name: str) -> str:
        return record[name][0] if name in record else ""

    if "JobState" in record:
        code, _, signal = text("ExitCode").partition(":")
        yield state(
            "slurm/job",
            cite(artifact, record["JobState"][1]),
            _on(text("NodeList")),
            numbers={
                "code": _number(code),
                "signal": _number(signal) or None,
                "elapsed_seconds": spent(text("RunTime")),
            },
            state=text("JobState"),
            reason=text("Reason"),
            job=text("JobId"),
            limit=text("TimeLimit"),
            elapsed=text("RunTime"),
        )
    elif "NodeName" in record and "State" in record:
        yield state(
            "slurm/node",
            cite(artifact, record["Reason" if text("Reason") and not _GONE.search(text("State")) else "State"][1]),
            _on(text("NodeName")),
            state=text("State"),
            message=text("Reason"),
        )


def _on(nodes: str) -> Subject:
    return Subject(node=nodes) if _ONE_NODE.match(nodes) and nodes.lower() != "none" else NOBODY


def _number(text: str) -> float | None:
    return float(text) if text.isdecimal() else None


PARSERS = (
    Parser(id="slurm-table", claims=claims_table, read=read_table),
    Parser(id="slurm-json", claims=claims_json, read=read_json),
    Parser(id="slurm-shown", claims=claims_shown, read=read_shown),
)
