"""The table `df` prints: file systems that are full."""

from __future__ import annotations

import re

from runtriage.model.artifact import Artifact
from runtriage.model.pattern import deferred
from runtriage.model.raw import RawEvent
from runtriage.model.target import ByteStream
from runtriage.parse.document import Parsed, Parser, read_all
from runtriage.parse.tables import Line, cite, lines, state

_LIMIT = 1 << 20
_HEADER = deferred(rb"\A\s*Filesystem\s+.*\b(?:Use%|Capacity|IUse%)")
_ROW = deferred(r"^(?P<device>\S+)\s+.*?\s(?P<share>\d{1,3})%\s+(?P<mount>/\S*)$")
_PSEUDO = ("/snap/", "/dev", "/run", "/sys", "/proc", "/boot")
"""Mounts that are full by design or hold nothing of a run."""


def claims(artifact: Artifact, head: bytes) -> bool:
    """Tell whether the text begins with the header of `df`."""
    return bool(_HEADER.match(head[:4096]))


def read(artifact: Artifact, stream: ByteStream) -> Parsed:
    """Return one state for each file system and how full it is, in percent."""
    content, cut = read_all(stream, _LIMIT)
    found = [(line, _ROW.match(line.text)) for line in lines(content)]
    events = [_mount(artifact, line, row) for line, row in found if row is not None]
    return Parsed(events=events, bytes_read=len(content), cut="longer than 1 MiB" if cut else None)


def _mount(artifact: Artifact, line: Line, row: re.Match[str]) -> RawEvent:
    kind = "pseudo" if row["mount"].startswith(_PSEUDO) or row["device"] == "tmpfs" else "disk"
    return state(
        "df/mount",
        cite(artifact.path, line),
        numbers={"percent": float(row["share"])},
        type=kind,
        reason=f"{row['share']}%",
        mount=row["mount"],
    )


PARSERS = (Parser(id="tables-df", claims=claims, read=read),)
