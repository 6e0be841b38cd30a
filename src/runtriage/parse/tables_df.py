"""The table `df` prints: file systems that are full, or hold as many files as they can."""

from __future__ import annotations

from collections.abc import Iterator

from runtriage.model.artifact import Artifact
from runtriage.model.pattern import deferred
from runtriage.model.raw import RawEvent
from runtriage.model.target import ByteStream
from runtriage.parse.document import Parsed, Parser, read_all
from runtriage.parse.tables import Line, cite, lines, state

_LIMIT = 1 << 20
_HEADER = deferred(rb"\A\s*Filesystem\s+.*\b(?:Use%|Capacity|IUse%)")
_INODES = deferred(rb"\A\s*Filesystem\s[^\n]*\bIUse%")
_COLUMNS = 5
_PSEUDO = ("/snap/", "/dev", "/run", "/sys", "/proc", "/boot")
"""Mounts that are full by design or hold nothing of a run."""


def claims(artifact: Artifact, head: bytes) -> bool:
    """Tell whether the text begins with the header of `df`."""
    return bool(_HEADER.match(head[:4096]))


def read(artifact: Artifact, stream: ByteStream) -> Parsed:
    """Return one state for each file system and how full it is, in percent."""
    content, cut = read_all(stream, _LIMIT)
    kind = "inodes" if _INODES.match(content) else "disk"
    events = [event for line in lines(content) for event in _mount(artifact, line, kind)]
    return Parsed(events=events, bytes_read=len(content), cut="longer than 1 MiB" if cut else None)


def _mount(artifact: Artifact, line: Line, kind: str) -> Iterator[RawEvent]:
    words = line.text.split()
    if len(words) < _COLUMNS or not words[-1].startswith("/") or not words[-2].endswith("%"):
        return
    device, share, mount = words[0], words[-2][:-1], words[-1]
    if share.isdecimal() and len(share) <= len("100"):
        yield state(
            "df/mount",
            cite(artifact.path, line),
            numbers={"percent": float(share)},
            type="pseudo" if mount.startswith(_PSEUDO) or device == "tmpfs" else kind,
            reason=f"{share}%",
            mount=mount,
        )


PARSERS = (Parser(id="tables-df", claims=claims, read=read),)
