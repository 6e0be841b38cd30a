"""Entries of Cloud Logging as JSON: errors become states, and what each replica printed becomes a log in order of time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from runtriage.model.artifact import Artifact
from runtriage.model.pattern import deferred
from runtriage.model.raw import RawEvent
from runtriage.model.target import ByteStream
from runtriage.parse.document import Parsed, Parser, read_all
from runtriage.parse.pointer import Node, instant, is_document, load_json
from runtriage.parse.tables import state

_LIMIT = 64 << 20
_ENTRY = deferred(rb'"(?:insertId|receiveTimestamp|severity)"\s*:')
_PAYLOAD = deferred(rb'"(?:logName|textPayload|jsonPayload|protoPayload)"\s*:')
_TEXTS = (("jsonPayload", "message"), ("textPayload",), ("protoPayload", "status", "message"))
_PLAIN = deferred(r"[^\w.-]+")
_SERVICE = "service"


def claims(artifact: Artifact, head: bytes) -> bool:
    """Tell whether the document is a list of log entries."""
    return is_document(head) and bool(_ENTRY.search(head)) and bool(_PAYLOAD.search(head))


def read(artifact: Artifact, stream: ByteStream) -> Parsed:
    """Return one state for each entry with a text, in order of time; of entries that were fetched also the replicas' logs."""
    content, cut = read_all(stream, _LIMIT)
    root = load_json(content, artifact.path)
    parsed = Parsed(bytes_read=len(content), cut="longer than 64 MiB" if cut else None)
    if root is not None:
        listed = root if isinstance(root.value, list) else root.get("entries")
        entries = sorted(listed.items(), key=lambda entry: entry.text("timestamp"))
        if artifact.source.startswith("vertex-"):
            parsed.logs = _logs([entry for entry in entries if _replica(entry)])
            entries = [entry for entry in entries if not _replica(entry)]
        parsed.events = [event for entry in entries for event in _entry(entry)]
        parsed.events.sort(key=lambda event: event.when.seconds if event.when else 0.0)
    return parsed


def _entry(entry: Node) -> Iterator[RawEvent]:
    for path in _TEXTS:
        if entry.text(*path):
            yield state(
                "vertex/entry",
                entry.get(*path).cite(),
                when=instant(entry.text("timestamp"), "vertex"),
                severity=entry.text("severity"),
                message=entry.text(*path).strip(),
                job=entry.text("resource", "labels", "job_id"),
                task=entry.text("resource", "labels", "task_name"),
            )
            return


def _replica(entry: Node) -> str:
    """Return the replica that printed an entry, empty for what the service itself says."""
    name = entry.text("resource", "labels", "task_name")
    return "" if name == _SERVICE else name


def _stamp(time: str) -> str:
    """Return a time with all nine digits, as containers' logs are stamped; what is no such time stays as it is."""
    seconds, _, fraction = time.removesuffix("Z").partition(".")
    return f"{seconds}.{fraction:0<9}Z" if time.endswith("Z") else time


def _logs(entries: Sequence[Node]) -> dict[str, bytes]:
    """Return what each replica printed, each line behind the time of its entry."""
    found: dict[str, bytearray] = {}
    for entry in entries:
        message = next((entry.text(*path) for path in _TEXTS if entry.text(*path)), "")
        time = _stamp(entry.text("timestamp"))
        lines = "".join(f"{time} {line}\n" for line in message.rstrip("\n").split("\n") if message)
        found.setdefault(_PLAIN.sub("-", _replica(entry))[:80], bytearray()).extend(lines.encode("utf-8", "replace"))
    return {f"{replica}.log": bytes(lines) for replica, lines in found.items()}


PARSERS = (Parser(id="vertex-entries", claims=claims, read=read),)
