"""The records of an offline W&B run: a log in blocks, as LevelDB writes it, behind a header of seven bytes."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator

from runtriage.parse.piecewise import Pieces

MAGIC = b":W&B"
_HEADER = 7
_BLOCK = 32_768
_FRAME = struct.Struct("<IHB")
_WHOLE, _FIRST, _MIDDLE, _LAST = 1, 2, 3, 4
_LARGEST = 16 << 20
"""Longer records hold files; they are passed over."""


class Frames:
    """The records that are whole. `cut` says why something before the end was not read."""

    def __init__(self, pieces: Pieces) -> None:
        self._pieces = pieces
        self.cut: str | None = None

    def __iter__(self) -> Iterator[bytes]:
        if (self._pieces.take(_HEADER) or b"")[:4] != MAGIC:
            self.cut = "no header of an offline run"
            return
        parts: list[bytes] = []
        size = 0
        while (frame := self._next()) is not None:
            kind, payload = frame
            if kind in (_WHOLE, _FIRST):
                parts, size = [], 0
            elif not parts:
                continue
            size += len(payload)
            if size <= _LARGEST:
                parts.append(payload)
            if kind in (_WHOLE, _LAST):
                if size <= _LARGEST:
                    yield b"".join(parts)
                parts = []

    def _next(self) -> tuple[int, bytes] | None:
        """Return the next frame whose sum is right; what is damaged costs the rest of its block."""
        found: tuple[int, bytes] | None = None
        while found is None:
            left = _BLOCK - self._pieces.at % _BLOCK
            if left >= _FRAME.size:
                header = self._pieces.take(_FRAME.size)
                if header is None:
                    return None
                found = self._payload(header, left - _FRAME.size)
                left = _BLOCK - self._pieces.at % _BLOCK if self._pieces.at % _BLOCK else 0
            if found is None and not self._pieces.skip(left):
                return None
        return found

    def _payload(self, header: bytes, left: int) -> tuple[int, bytes] | None:
        """Return the frame behind a header, None where it is padding or damaged."""
        told, length, kind = _FRAME.unpack(header)
        if kind == 0 and length == 0:
            return None
        payload = self._pieces.take(length) if length <= left else None
        if payload is not None and zlib.crc32(payload, zlib.crc32(header[6:7])) == told:
            return kind, payload
        if payload is not None or length > left:
            self._damaged()
        return None

    def _damaged(self) -> None:
        self.cut = self.cut or f"damaged before byte {self._pieces.at:,}; what follows the block was read"
