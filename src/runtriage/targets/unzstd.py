"""Unpacks zstandard so that nothing readable is lost where a file is cut or damaged."""

from __future__ import annotations

from typing import Final, Protocol, cast

import zstandard

from runtriage.targets.gunzip import Source

_PACKED: Final = 64 * 1024
_FED: Final = 1024
"""Packed bytes handed to the decoder at once: a block of four may unpack to 128 KiB, so this bounds what it gives back."""


class _Frame(Protocol):
    """The decoder of one frame of a file."""

    @property
    def eof(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...

    def decompress(self, data: memoryview, /) -> bytes: ...


class Unzstd:
    """Reads all frames of a file. Raises EOFError or the decoder's error only after everything before the damage was given out."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._packed: memoryview = memoryview(bytearray(_PACKED))
        self._at: int = 0
        self._end: int = 0
        self._frame: _Frame | None = None
        self._found = memoryview(b"")

    def readinto(self, buffer: memoryview, /) -> int:
        """Fill the buffer with the next unpacked bytes and return how many; 0 at the end."""
        while not self._found:
            fed = self._take()
            if not fed and self._frame is None:
                return 0
            if not fed:
                raise EOFError("the file ends in the middle")
            frame = self._frame or cast(_Frame, zstandard.ZstdDecompressor().decompressobj())
            self._found = memoryview(frame.decompress(fed))
            self._frame = None if frame.eof else frame
            self._at -= len(frame.unused_data)
        count = min(len(self._found), len(buffer))
        buffer[:count] = self._found[:count]
        self._found = self._found[count:]
        return count

    def _take(self) -> memoryview:
        if self._at == self._end:
            self._at, self._end = 0, self._source.readinto(self._packed) or 0
        start, self._at = self._at, min(self._at + _FED, self._end)
        return self._packed[start : self._at]

    def close(self) -> None:
        """Let go of the source."""
        self._source.close()
