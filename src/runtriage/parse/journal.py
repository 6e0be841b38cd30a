"""`journalctl -o json`: what each machine's journal says becomes a log in order of time, one record a line."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import msgspec

from runtriage.model.artifact import Artifact
from runtriage.model.pattern import deferred
from runtriage.model.target import ByteStream
from runtriage.parse.document import Parsed, Parser, read_all

_LIMIT: Final = 64 << 20
_TIME: Final = deferred(rb'"(?:__REALTIME_TIMESTAMP|_SOURCE_REALTIME_TIMESTAMP)"\s*:\s*"\d{10,17}"')
_WORDS: Final = deferred(rb'"MESSAGE"\s*:')
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_LATEST: Final = 253_402_300_799_000_000
"""The last microsecond that a date can have."""
_NAME: Final = "journal.log"
_UNKNOWN: Final = "localhost"


def claims(artifact: Artifact, head: bytes) -> bool:
    """Tell whether the document is records of a journal, one JSON object a line."""
    first = head.lstrip()[:8192].partition(b"\n")[0]
    return first.startswith(b"{") and bool(_TIME.search(first)) and bool(_WORDS.search(first))


def read(artifact: Artifact, stream: ByteStream) -> Parsed:
    """Return the records as lines of a system log: time, host, program and what it said."""
    content, cut = read_all(stream, _LIMIT)
    told = sorted(_lines(content), key=lambda line: line[0])
    log = "".join(line for _, line in told).encode("utf-8", "replace")
    return Parsed(
        bytes_read=len(content),
        cut="longer than 64 MiB" if cut else None,
        logs={_NAME: log} if log else {},
    )


def _lines(content: bytes) -> Iterator[tuple[int, str]]:
    for raw in content.split(b"\n"):
        if not raw.startswith(b"{"):
            continue
        try:
            record = msgspec.json.decode(raw)
        except (msgspec.DecodeError, RecursionError):
            continue
        micros = _micros(record)
        words = _words(record.get("MESSAGE"))
        if micros is not None and words:
            yield micros, f"{_stamp(micros)} {_front(record)}: {words}\n"


def _micros(record: dict[str, Any]) -> int | None:
    """Return when a record was made, in microseconds since 1970."""
    for key in ("_SOURCE_REALTIME_TIMESTAMP", "__REALTIME_TIMESTAMP"):
        value = record.get(key)
        if isinstance(value, str) and value.isdecimal() and len(value) < 18:
            return min(int(value), _LATEST)
    return None


def _stamp(micros: int) -> str:
    return (_EPOCH + timedelta(microseconds=micros)).strftime("%Y-%m-%dT%H:%M:%S.%f+00:00")


def _front(record: dict[str, Any]) -> str:
    host = record.get("_HOSTNAME")
    name = record.get("SYSLOG_IDENTIFIER") or record.get("_COMM")
    pid = record.get("_PID")
    where = _word(host) or _UNKNOWN
    who = _word(name) or ("kernel" if record.get("_TRANSPORT") == "kernel" else "unknown")
    return f"{where} {who}[{pid}]" if isinstance(pid, str) and pid.isdigit() and len(pid) < 10 else f"{where} {who}"


def _word(value: object) -> str:
    """Return a name without blanks, which would end it in a log."""
    return "-".join(value.split())[:40] if isinstance(value, str) else ""


def _words(value: object) -> str:
    """Return a message in one line; one that is not text is printed as a list of its bytes."""
    if isinstance(value, list):
        numbers = [item for item in value if isinstance(item, int) and 0 <= item < 256]  # pyright: ignore[reportUnknownVariableType]
        value = bytes(numbers).decode("utf-8", "replace")
    return " ".join(value.splitlines()).strip() if isinstance(value, str) else ""


PARSERS = (Parser(id="journal", claims=claims, read=read),)
