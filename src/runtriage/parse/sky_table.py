"""The table of managed jobs that `sky jobs queue` prints for people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from runtriage.model.artifact import Artifact
from runtriage.model.pattern import deferred
from runtriage.model.raw import RawEvent
from runtriage.model.target import ByteStream
from runtriage.parse.document import Parsed, Parser, read_all
from runtriage.parse.sky import UNSAID, several
from runtriage.parse.tables import Line, cells, cite, headings, lines, state

_LIMIT: Final = 1 << 20
_HEADER: Final = deferred(r"ID\s+TASK\s+NAME\s.*\s#RECOVERIES\s+STATUS\b")
_ROW: Final = deferred(r"\s*(?:\d+|↳)\s")
_JOB: Final = deferred(r"\d{1,12}$")
_BEFORE: Final = 12


def claims(artifact: Artifact, head: bytes) -> bool:
    """Tell whether the text is such a table and nothing else; a log that begins with one is a log."""
    if b"#RECOVERIES" not in head:
        return False
    texts = [line.text for line in lines(head[:65_536]) if line.text.strip()]
    top = next((index for index, text in enumerate(texts[:_BEFORE]) if _HEADER.match(text)), None)
    return top is not None and all(map(_ROW.match, texts[top + 1 :]))


def read(artifact: Artifact, stream: ByteStream) -> Parsed:
    """Return the state of the one job listed; a table of several does not say which one is meant."""
    content, cut = read_all(stream, _LIMIT)
    rows = [(line, row) for line, row in _rows(content) if _JOB.match(row["ID"])]
    jobs = {row["ID"]: row.get("STATUS", "").partition(" ")[0] for _, row in rows}
    events: list[RawEvent] = []
    if len(jobs) == 1:
        line, row = rows[0]
        word, told = jobs[row["ID"]], row.get("DETAILS", "").removeprefix("Failure: ")
        said = told if told.strip("-") else UNSAID if word.startswith("FAILED") else ""
        events = [state("sky/job", cite(artifact.path, line), state=word, job=row["NAME"], message=said)]
    return Parsed(events=events, bytes_read=len(content), cut="longer than 1 MiB" if cut else several(jobs))


def _rows(content: bytes) -> Iterator[tuple[Line, Mapping[str, str]]]:
    columns: dict[str, int] = {}
    for line in lines(content):
        if _HEADER.match(line.text):
            columns = headings(line.text)
        elif columns and line.text.strip():
            yield line, cells(columns, line.text)


PARSERS = (Parser(id="sky-table", claims=claims, read=read),)
