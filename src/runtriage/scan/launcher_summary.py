"""The failure summary that torchelastic prints when a worker group failed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec import Struct, field

from runtriage.model.event import LAUNCHER
from runtriage.model.pattern import deferred
from runtriage.model.subject import Subject
from runtriage.scan.clock import read_instant
from runtriage.scan.contract import Reading, Row
from runtriage.scan.draft import Draft
from runtriage.scan.launcher_signals import signal_of
from runtriage.scan.traceback import read_traceback
from runtriage.scan.traceback_rows import Line, Rows

_ENTRIES: Final = 20_000
_ENTRY = deferred(r"\s{0,8}\[(\d{1,7})\]:\s*$")
_FIELD = deferred(r"\s{1,8}(?P<key>time|host|rank|exitcode|error_file|traceback)\s{0,6}: ?(?P<value>.*)$")
_RANK = deferred(r"(\d{1,7})(?: \(local_rank: (\d{1,7})\))?")
_CODE = deferred(r"(-?\d{1,10})(?: \(pid: (\d{1,10})\))?")


class _Entry(Struct):
    """One worker in the summary."""

    section: str
    fields: dict[str, str] = field(default_factory=dict[str, str])
    start: int = 0
    end: int = 0
    quoted: list[Row] = field(default_factory=list[Row])


def read_summary(cue: str, rows: Iterator[Row]) -> Reading:
    """Read the entries below `Failures:` and `Root Cause (first observed failure):`, and the tracebacks they quote."""
    lines = Rows(rows)
    section, entries = "", list[_Entry]()
    while len(entries) < _ENTRIES and (line := lines.peek()) is not None:
        text = line.text
        if text.startswith(("Failures:", "Root Cause (first observed")):
            section = "root-cause" if text.startswith("Root") else "failure"
        elif _ENTRY.match(text) and section:
            entries.append(_Entry(section))
        elif (text.startswith("=====") and entries) or not _take(entries, line):
            break
        lines.take()
    drafts = [draft for entry in entries if entry.fields for draft in _drafts(entry)]
    return Reading(drafts, max(lines.taken, 1))


def _take(entries: list[_Entry], line: Line) -> bool:
    found = _FIELD.match(line.text)
    if found and entries:
        entry = entries[-1]
        entry.fields[found["key"]] = found["value"].strip()
        if found["key"] in ("rank", "exitcode"):
            entry.start, entry.end = entry.start or line.start, line.end
        if found["key"] == "traceback":
            entry.quoted.append(Row(line.start, line.end, found["value"].encode()))
        return True
    if entries and entries[-1].quoted and (line.text.startswith("  ") or not line.text.strip()):
        entries[-1].quoted.append(Row(line.start, line.end, line.text[2:].encode()))
        return True
    return line.text.startswith(("-----", "  <NO_OTHER_FAILURES>")) or not line.text.strip()


def _drafts(entry: _Entry) -> Iterator[Draft]:
    rank, code = _RANK.match(entry.fields.get("rank", "")), _CODE.match(entry.fields.get("exitcode", ""))
    subject = Subject(
        rank=int(rank[1]) if rank else None,
        local_rank=int(rank[2]) if rank and rank[2] else None,
        node=entry.fields.get("host") or None,
        pid=int(code[2]) if code and code[2] else None,
    )
    numbers: dict[str, float] = {}
    if code:
        numbers["code"] = float(code[1])
        if (by := signal_of(int(code[1]), shell=False)) is not None:
            numbers["signal"] = float(by)
    captures = {"section": entry.section}
    if (path := entry.fields.get("error_file", "")) and path != "<N/A>":
        captures["error_file"] = path
    yield Draft(
        kind=LAUNCHER,
        name="torchelastic",
        start=entry.start,
        end=entry.end,
        captures=captures,
        numbers=numbers,
        subject=subject,
        when=read_instant(entry.fields.get("time", "")),
    )
    if len(entry.quoted) > 1:
        for draft in read_traceback("summary", iter([Row(entry.start, entry.start, b""), *entry.quoted])).drafts:
            draft.subject = subject
            draft.captures["quoted"] = "yes"
            yield draft
