"""Finds the last lines of a stream and where they stand in it."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import Final, Protocol, Self, runtime_checkable

from msgspec import Struct

from runtriage.model.target import ByteStream

_CHUNK: Final = 256 * 1024
_HELD: Final = 64 << 20
"""Bytes held while the end of a stream that cannot seek is awaited."""


@runtime_checkable
class Seekable(Protocol):
    """A stream that can go anywhere; `size` is None where it has no end yet."""

    size: int | None

    def readinto(self, buffer: memoryview, /) -> int:
        """Fill the buffer with the next bytes and return how many; 0 at the end."""
        ...

    def seek(self, offset: int) -> None:
        """Go on from an absolute offset."""
        ...


@runtime_checkable
class Counting(Protocol):
    """A stream that counts lines where its bytes lie, so that they need not be carried here."""

    def count_lines(self, stop: int) -> int:
        """Return how many lines end before an offset. Raises OSError."""
        ...


class Tail(Struct, frozen=True):
    """The stream of the last lines, with the bytes and line breaks before them."""

    stream: ByteStream
    base: int
    line: int


def last_lines(stream: ByteStream, count: int) -> Tail:
    """Return the last `count` lines; a stream that can seek is read from its end, then counted up to there."""
    if isinstance(stream, Seekable) and stream.size is not None:
        start = _start(stream, stream, stream.size, count)
        if isinstance(stream, Counting):
            line = stream.count_lines(start)
        else:
            stream.seek(0)
            line = _count(stream, start)
        stream.seek(start)
        return Tail(stream, start, line)
    return _held(stream, count)


def _start(stream: ByteStream, place: Seekable, size: int, count: int) -> int:
    """Walk back from the end until enough line breaks were passed; the one that ends the artifact counts for none."""
    buffer = bytearray(_CHUNK)
    at, left = size, count
    while at > 0:
        begin = max(at - _CHUNK, 0)
        place.seek(begin)
        have = _fill(stream, memoryview(buffer)[: at - begin])
        stop = have - 1 if at == size else have
        while (line := buffer.rfind(b"\n", 0, max(stop, 0))) >= 0:
            left -= 1
            if left == 0:
                return begin + line + 1
            stop = line
        at = begin
    return 0


def _count(stream: ByteStream, stop: int) -> int:
    buffer = bytearray(_CHUNK)
    view, lines = memoryview(buffer), 0
    while stop > 0 and (count := stream.readinto(view[: min(stop, _CHUNK)])):
        lines += buffer.count(b"\n", 0, count)
        stop -= count
    return lines


def _fill(stream: ByteStream, view: memoryview) -> int:
    have = 0
    while have < len(view) and (count := stream.readinto(view[have:])):
        have += count
    return have


def _held(stream: ByteStream, count: int) -> Tail:
    """Read to the end and hold no more than the last lines need (or `_HELD` bytes)."""
    held: deque[tuple[bytes, int]] = deque()
    size = lines = base = line = 0
    for chunk in _chunks(stream):
        held.append((chunk, chunk.count(b"\n")))
        size, lines = size + len(chunk), lines + held[-1][1]
        while len(held) > 1 and (lines - held[0][1] > count or size > _HELD):
            first, breaks = held.popleft()
            size, lines, base, line = size - len(first), lines - breaks, base + len(first), line + breaks
    text = b"".join(chunk for chunk, _ in held)
    start = len(text)
    for _ in range(count + text.endswith(b"\n")):
        start = text.rfind(b"\n", 0, start)
        if start < 0:
            break
    line += text.count(b"\n", 0, start + 1)
    return Tail(Memory(text[start + 1 :]), base + start + 1, line)


def _chunks(stream: ByteStream) -> Iterator[bytes]:
    buffer = bytearray(_CHUNK)
    while have := _fill(stream, memoryview(buffer)):
        yield bytes(memoryview(buffer)[:have])


class Memory:
    """Bytes as a stream."""

    def __init__(self, content: bytes) -> None:
        self._content = memoryview(content)
        self.size: int | None = len(content)
        self._at = 0

    def readinto(self, buffer: memoryview, /) -> int:
        """Fill the buffer with the next bytes and return how many; 0 at the end."""
        piece = self._content[self._at : self._at + len(buffer)]
        buffer[: len(piece)] = piece
        self._at += len(piece)
        return len(piece)

    def seek(self, offset: int) -> None:
        """Go on from an offset."""
        self._at = offset

    def close(self) -> None:
        """Let go of the bytes."""
        self._content = memoryview(b"")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
