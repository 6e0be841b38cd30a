"""Bytes of lines in a stream: where they begin and end, their hash, and how they begin."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from runtriage.model.target import ByteStream, Seekable

_BLOCK: Final = 1 << 18
_HEAD: Final = 500
"""Bytes of a span that are kept to be shown."""
_FIRST: Final = 1 << 13


class Span(Struct, frozen=True):
    """Bytes `start` to `end` of an artifact, their SHA-256, the first of them, and the first line of the artifact where it was read."""

    start: int
    end: int
    sha256: str
    head: bytes
    first: bytes = b""


class Walk:
    """Goes through a stream from front to back, holding one block of it."""

    def __init__(self, stream: ByteStream) -> None:
        self._stream = stream
        self._buffer = bytearray(_BLOCK)
        self._held = b""
        self._from = 0
        self._line = 1
        self._inside = False
        self._first = b""

    def begin(self) -> None:
        """Take in the first line, which may say what the columns of the others are."""
        if self._from == 0 and not self._held and self._more():
            self._first = self._held[:_FIRST].partition(b"\n")[0]

    def passed(self, place: int, *, by_byte: bool) -> bool:
        """Tell whether an offset, or the begin of a 1-based line, lies behind."""
        return place < (self._from if by_byte else self._line + self._inside)

    def to_byte(self, offset: int) -> bool:
        """Go on from an offset; False where the stream ends before it. Lines cannot be counted after it."""
        if offset > self._from + len(self._held) and isinstance(self._stream, Seekable):
            self._stream.seek(offset)
            self._held, self._from = b"", offset
        while offset > self._from + len(self._held):
            self._drop(len(self._held))
            if not self._more():
                return False
        self._drop(offset - self._from)
        return True

    def to_line(self, number: int) -> bool:
        """Go on from a 1-based line; False where the stream ends before it."""
        while self._line < number:
            missing = number - self._line
            if self._held.count(b"\n") < missing:
                self._line += self._held.count(b"\n")
                self._drop(len(self._held))
                if not self._more():
                    return False
                continue
            at = -1
            for _ in range(missing):
                at = self._held.index(b"\n", at + 1)
            self._drop(at + 1)
            self._line, self._inside = number, False
        return True

    def lines(self, count: int) -> Span | None:
        """Take that many lines, or what is left of them, without the last newline; None where nothing is left."""
        self._inside = True
        return self._taken(self._pieces(count))

    def rest(self, most: int) -> Span | None:
        """Take all that is left; None where that is nothing, or more than `most` bytes."""
        span = self._taken(self._all(most + 1))
        return None if span is None or span.end - span.start > most else span

    def _taken(self, pieces: Iterator[bytes]) -> Span | None:
        start, size, head, digest = self._from, 0, b"", hashlib.sha256()
        for piece in pieces:
            digest.update(piece)
            size += len(piece)
            head += piece[: _HEAD - len(head)]
        first = self._first if start else b""
        return Span(start, start + size, digest.hexdigest(), head, first) if size or self._held else None

    def _pieces(self, count: int) -> Iterator[bytes]:
        while count > 0 and (self._held or self._more()):
            at = self._held.find(b"\n")
            if at < 0:
                yield self._drop(len(self._held))
                continue
            count -= 1
            if count > 0:
                yield self._drop(at + 1)
                self._line += 1
            else:
                yield self._drop(at)

    def _all(self, most: int) -> Iterator[bytes]:
        while most > 0 and (self._held or self._more()):
            most -= len(self._held)
            yield self._drop(len(self._held))

    def _drop(self, count: int) -> bytes:
        dropped, self._held = self._held[:count], self._held[count:]
        self._from += count
        return dropped

    def _more(self) -> bool:
        count = self._stream.readinto(memoryview(self._buffer))
        self._held += self._buffer[:count]
        return count > 0
