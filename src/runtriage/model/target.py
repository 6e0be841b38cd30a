"""Protocols through which the world is read. None of them has a verb that changes anything."""

from __future__ import annotations

from collections.abc import Sequence
from types import TracebackType
from typing import Protocol, Self, runtime_checkable

from runtriage.model.artifact import Artifact, Outcome, Request


class ByteStream(Protocol):
    """Decompressed bytes of one artifact, front to back."""

    def readinto(self, buffer: memoryview, /) -> int:
        """Fill the buffer with the next bytes and return how many; 0 at the end."""
        ...

    def close(self) -> None:
        """Let go of the descriptor."""
        ...

    def __enter__(self) -> Self:
        """Return the stream itself."""
        ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None:
        """Close it."""
        ...


@runtime_checkable
class Seekable(ByteStream, Protocol):
    """A stream that can go on from anywhere: a plain file, not a packed or a remote one."""

    def seek(self, offset: int) -> None:
        """Go on from an absolute offset. Raises OSError where that fails."""
        ...


class Target(Protocol):
    """What the user named, as a thing that answers read requests."""

    @property
    def label(self) -> str:
        """The target as the user typed it, without credentials."""
        ...

    def first_requests(self) -> Sequence[Request]:
        """What to read first."""
        ...

    def collect(self, request: Request) -> Outcome:
        """Answer one request from the allow-list; never raises for what the world does."""
        ...

    def open(self, artifact: Artifact) -> ByteStream:
        """Open a collected artifact for reading, decompressed. Raises OSError where that fails."""
        ...


class Cache(Protocol):
    """Small named byte strings that may be forgotten at any time; failures are silent."""

    def load(self, name: str) -> bytes | None:
        """Return what was stored under the name, or None."""
        ...

    def save(self, name: str, content: bytes) -> None:
        """Store, or do nothing where storing is not possible."""
        ...


class Progress(Protocol):
    """Told how far reading has come."""

    def advance(self, read: int, total: int | None, findings: int) -> None:
        """`read` of `total` bytes are done, `findings` events kept so far."""
        ...
