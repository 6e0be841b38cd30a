"""UTF-16 text, as some shells write redirected output, read as UTF-8."""

from __future__ import annotations

import codecs
from types import TracebackType
from typing import Final, Self

from runtriage.model.target import ByteStream

UTF16: Final = frozenset({"utf-16", "utf-16-le", "utf-16-be"})
"""Values of an artifact's `encoding`, the latter two for text without a byte order mark: places in it count in the UTF-8 form."""

_CHUNK: Final = 128 * 1024
_FEWEST: Final = 8
"""Characters from which text without a mark is known by its bytes."""
_LATIN: Final = 0.75
"""Share of them that must be printable ASCII: most of a log is, and what merely has zeros in turn is not."""
_BLANK: Final = "\t\n\r\f\x1b"


def utf16_of(head: bytes) -> str | None:
    """Return the encoding when the first bytes are of UTF-16 text, with its mark (that of UTF-32 looks alike in its first half) or without."""
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return None if head.startswith(codecs.BOM_UTF32_LE) else "utf-16"
    if b"\0" not in head[:4]:
        return None
    return next((name for name in ("utf-16-le", "utf-16-be") if _is_text(head, name)), None)


def _is_text(head: bytes, encoding: str) -> bool:
    text = head[: len(head) // 2 * 2].decode(encoding, "replace")
    plain = sum(" " <= letter <= "~" or letter in _BLANK for letter in text)
    return len(text) >= _FEWEST and plain >= _LATIN * len(text) and "\0" not in text


class AsUtf8:
    """A stream of UTF-16 read as UTF-8; what cannot be decoded becomes U+FFFD."""

    def __init__(self, source: ByteStream, encoding: str) -> None:
        self._source = source
        self._decoder = codecs.getincrementaldecoder(encoding)(errors="replace")
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
