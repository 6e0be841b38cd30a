"""UTF-16 text, as some shells write redirected output, read as UTF-8."""

from __future__ import annotations

import codecs
from types import TracebackType
from typing import Final, Self

from runtriage.model.target import ByteStream

UTF16: Final = "utf-16"
"""Value of an artifact's `encoding`: places in it count in the UTF-8 form."""

_CHUNK: Final = 128 * 1024


def is_utf16(head: bytes) -> bool:
    """Say whether text starts with the byte order mark of UTF-16 (that of UTF-32 looks alike in its first half)."""
    return head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) and not head.startswith(codecs.BOM_UTF32_LE)


class AsUtf8:
    """A stream of UTF-16 read as UTF-8; what cannot be decoded becomes U+FFFD."""

    def __init__(self, source: ByteStream) -> None:
        self._source = source
        self._decoder = codecs.getincrementaldecoder("utf-16")(errors="replace")
        self._raw = memoryview(bytearray(_CHUNK))
        self._ready = memoryview(b"")
        self._ended = False

    def readinto(self, buffer: memoryview, /) -> int:
        """Fill the buffer with the next bytes and return how many; 0 at the end."""
        while not self._ready and not self._ended:
            count = self._source.readinto(self._raw)
            self._ended = count == 0
            text = self._decoder.decode(bytes(self._raw[:count]), final=self._ended)
            self._ready = memoryview(text.encode("utf-8", "replace"))
        count = min(len(buffer), len(self._ready))
        buffer[:count] = self._ready[:count]
        self._ready = self._ready[count:]
        return count

    def close(self) -> None:
        """Let go of the descriptor."""
        self._source.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None:
        self.close()
