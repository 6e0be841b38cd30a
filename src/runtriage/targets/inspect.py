"""Turns one file into an artifact."""

from __future__ import annotations

import os
import re
from pathlib import Path

from runtriage.model.artifact import Artifact
from runtriage.model.pattern import deferred
from runtriage.targets.kinds import BINARY, CHECKPOINT, DATA, LOG, TOOL_LOG, Sniffed, kind_of, sniff
from runtriage.targets.regular import HEAD, encoding_told, open_regular, read_as, read_head
from runtriage.targets.streams import PlainStream

_TEXT_KINDS = frozenset({LOG, "kernel", "slurm", "k8s", "gpu", "stacks", "recorder", "record", "config"})
_BY_NAME_ALONE = frozenset({"core", "recorder"})
"""Kinds whose files are no text: their name says more than their first bytes."""
_TABLES = (".csv", ".tsv", ".jsonl", ".ndjson")
_COLUMN = deferred(
    rb"(?:^|[,;\t])\s*\"?(?:[\w/. -]*loss|(?:global_?)?step|epoch|iter(?:ation)?)\"?\s*(?=[,;\t\r\n]|$)", re.IGNORECASE
)
_MEMBER = deferred(rb"\"(?:[\w/.-]*loss|(?:global_?)?step|epoch|iter(?:ation)?)\"\s*:\s*[\d\"]", re.IGNORECASE)


def inspect(path: Path, name: str, status: os.stat_result) -> Artifact:
    """Return the artifact of a file that lies in a run's folder. Raises OSError where its bytes must be seen and cannot."""
    kind = kind_of(name)
    encoding = None
    if kind == DATA and name.endswith(_TABLES) and tells_metrics(read_head(path)):
        kind = "metrics"
    if kind is None or kind in _TEXT_KINDS:
        found, encoding = look(path)
        if found.kind != LOG:
            kind = kind if kind in _BY_NAME_ALONE else found.kind
        elif kind is None:
            kind = LOG
    elif name.endswith((".gz", ".zst")):
        encoding = encoding_told(read_head(path))
    return Artifact(
        path=name, kind=kind, size=status.st_size, mtime=status.st_mtime, encoding=encoding, reach=os.fspath(path)
    )


def tells_metrics(head: bytes) -> bool:
    """Say whether a table or JSON lines start like the record of a training rather than its data."""
    first = head.split(b"\n", 1)[0]
    return bool(_MEMBER.search(first) if first.lstrip().startswith(b"{") else _COLUMN.search(first))


def look(path: Path) -> tuple[Sniffed, str | None]:
    """Return what the bytes of a file are, unpacked, and how they are packed. Raises OSError."""
    head = read_head(path)
    encoding = encoding_told(head)
    if encoding:
        return sniff(_unpacked_head(path, encoding)), encoding
    return sniff(head if head.strip(b"\0") or len(head) < HEAD else _last_bytes(path)), None


def _last_bytes(path: Path) -> bytes:
    """Return the end of a file whose beginning is a hole, as rotation leaves it when the writer keeps its offset."""
    with open_regular(path) as file:
        file.seek(-HEAD, os.SEEK_END)
        return file.read(HEAD) or b""


def named_by_user(path: Path, name: str, status: os.stat_result) -> tuple[Artifact, Sniffed]:
    """Return the artifact of a file that the user named, and what it is: text counts as a log unless its name says better."""
    found, encoding = look(path)
    kind = kind_of(name) or found.kind
    if found.kind == LOG:
        kind = LOG if kind in {BINARY, CHECKPOINT, DATA, "source", TOOL_LOG, "core"} else kind
    elif kind != CHECKPOINT and (kind != "recorder" or found.kind != CHECKPOINT):
        kind = found.kind
    artifact = Artifact(
        path=name,
        kind=kind,
        size=status.st_size,
        mtime=status.st_mtime,
        encoding=encoding,
        named=True,
        reach=os.fspath(path),
    )
    return artifact, found


def _unpacked_head(path: Path, encoding: str) -> bytes:
    buffer = bytearray(HEAD)
    with read_as(PlainStream(open_regular(path), bounded=True), encoding) as stream:
        return bytes(buffer[: stream.readinto(memoryview(buffer))])
