"""Logs that lie inside other documents, read again under the names that citations give them."""

from __future__ import annotations

from msgspec.structs import replace

from runtriage.model.artifact import Artifact, Collected, Request
from runtriage.model.target import ByteStream, Target
from runtriage.parse import HEAD, recognise
from runtriage.targets.fetched import Kept

MARK = "!"
"""Stands between the path of a document and the name of a log inside it."""


class Inside:
    """One log of a document; the rest is as its target has it."""

    def __init__(self, target: Target, artifact: Artifact, content: bytes) -> None:
        self.artifact = artifact
        self._target = target
        self._content = content

    def open(self, artifact: Artifact) -> ByteStream:
        """Open the log, or any other document of the target. Raises OSError."""
        return Kept(self._content) if artifact is self.artifact else self._target.open(artifact)


def inside(name: str, target: Target) -> Inside | None:
    """Return the log `PATH!NAME` of a document that can still be had, else None. Raises OSError."""
    path, mark, log = name.rpartition(MARK)
    outcome = target.collect(Request(kind="file", args={"path": path}, reason="a report cites it")) if mark else None
    if not isinstance(outcome, Collected):
        return None
    artifact = outcome.artifacts[0]
    with target.open(artifact) as stream:
        head = bytearray(HEAD)
        parser = recognise(artifact, bytes(head[: stream.readinto(memoryview(head))]))
    if parser is None:
        return None
    with target.open(artifact) as stream:
        content = parser.read(artifact, stream).logs.get(log)
    if content is None:
        return None
    return Inside(target, replace(artifact, path=name, encoding=None, size=len(content)), content)
