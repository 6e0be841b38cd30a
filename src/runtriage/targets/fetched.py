"""Documents that came over a wire, kept for as long as the target is open."""

from __future__ import annotations

from collections.abc import Mapping
from types import TracebackType
from typing import Self

from runtriage.model.artifact import Artifact
from runtriage.model.target import ByteStream


class Kept:
    """One document in memory, front to back; it can be read from any offset."""

    def __init__(self, content: bytes) -> None:
        self._content = memoryview(content)
        self._at = 0

    def readinto(self, buffer: memoryview, /) -> int:
        """Fill the buffer with the next bytes and return how many; 0 at the end."""
        piece = self._content[self._at : self._at + len(buffer)]
        buffer[: len(piece)] = piece
        self._at += len(piece)
        return len(piece)

    def seek(self, offset: int) -> None:
        """Go on from an absolute offset."""
        self._at = offset

    def close(self) -> None:
        """Nothing is held open."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None:
        self.close()


class Shelf:
    """What a live target has fetched, by the path that citations name."""

    def __init__(self) -> None:
        self._documents: dict[str, bytes] = {}

    def keep(
        self, path: str, content: bytes, *, kind: str, source: str, place: Mapping[str, str | int] | None = None
    ) -> Artifact:
        """Keep a document and return its artifact; `place` may tell `node`, `rank`, `attempt` and `stream`."""
        self._documents[path] = content
        told = place or {}
        rank, attempt = told.get("rank"), told.get("attempt")
        return Artifact(
            path=path,
            kind=kind,
            size=len(content),
            source=source,
            node=str(told["node"]) if "node" in told else None,
            rank=rank if isinstance(rank, int) else None,
            attempt=attempt if isinstance(attempt, int) else None,
            stream=str(told["stream"]) if "stream" in told else None,
        )

    def open(self, artifact: Artifact) -> ByteStream:
        """Open a kept document. Raises FileNotFoundError for one that was never kept."""
        if artifact.path not in self._documents:
            raise FileNotFoundError(2, "was not collected", artifact.path)
        return Kept(self._documents[artifact.path])

    def __contains__(self, path: object) -> bool:
        return path in self._documents
