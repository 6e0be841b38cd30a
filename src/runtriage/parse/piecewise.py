"""A document read front to back in pieces of known length, in bounded memory."""

from __future__ import annotations

from collections.abc import Iterator

from runtriage.model.target import ByteStream

_CHUNK = 1 << 20


class Pieces:
    """Takes pieces off a stream. `at` counts the bytes taken so far."""

    def __init__(self, stream: ByteStream) -> None:
        self._stream = stream
        self._buffer = bytearray(_CHUNK)
        self._view = memoryview(self._buffer)
        self._start: int = 0
        self._end: int = 0
        self.at: int = 0

    def take(self, length: int) -> bytes | None:
        """Return the next `length` bytes, or None where the document ends before."""
        held = self._end - self._start
        if held < length:
            return self._long(length) if length > _CHUNK else self._refilled(length)
        piece = bytes(self._view[self._start : self._start + length])
        self._start += length
        self.at += length
        return piece

    def some(self) -> bytes:
        """Return at least one byte and at most a chunk; empty at the end of the document."""
        if self._start == self._end:
            self._start = self._end = 0
            while self._end < _CHUNK:
                count = self._stream.readinto(self._view[self._end :])
                if count == 0:
                    break
                self._end += count
        piece = bytes(self._view[self._start : self._end])
        self._start = self._end
        self.at += len(piece)
        return piece

    def skip(self, length: int) -> bool:
        """Pass over bytes; False where the document ends before."""
        while length > 0:
            step = min(length, _CHUNK)
            if self.take(step) is None:
                return False
            length -= step
        return True

    def _refilled(self, length: int) -> bytes | None:
        held = self._end - self._start
        self._buffer[:held] = self._buffer[self._start : self._end]
        self._start, self._end = 0, held
        while self._end < _CHUNK:
            count = self._stream.readinto(self._view[self._end :])
            if count == 0:
                break
            self._end += count
        return self.take(length) if self._end >= length else None

    def _long(self, length: int) -> bytes | None:
        parts: list[bytes] = []
        while length:
            part = self.take(min(length, _CHUNK))
            if part is None:
                return None
            parts.append(part)
            length -= len(part)
        return b"".join(parts)


def blocks_of(stream: ByteStream) -> Iterator[tuple[int, int, bytes]]:
    """Yield (1-based number of the first line, its offset, the lines as they stand) for each chunk of a text, cut behind a line."""
    view = memoryview(bytearray(_CHUNK))
    number, offset, rest = 1, 0, b""
    while count := stream.readinto(view):
        block = rest + view[:count]
        end = block.rfind(b"\n") + 1
        block, rest = block[:end], block[end:]
        if block:
            yield number, offset, block
            number += block.count(b"\n")
            offset += end
        if len(rest) > _CHUNK:
            offset += len(rest) - _CHUNK
            rest = rest[-_CHUNK:]
    if rest:
        yield number, offset, rest
