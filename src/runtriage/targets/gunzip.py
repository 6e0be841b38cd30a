"""Unpacks gzip so that nothing readable is lost where a file is cut or damaged: rotated logs of killed runs often are."""

from __future__ import annotations

from typing import Final, Protocol, cast

from isal import igzip_lib

_PACKED: Final = 64 * 1024


class Source(Protocol):
    """Packed bytes, front to back."""

    def readinto(self, buffer: memoryview, /) -> int | None:
        """Fill the buffer with the next bytes and return how many; 0 at the end."""
        ...

    def close(self) -> None:
        """Let go of the descriptor."""
        ...


class _Member(Protocol):
    """The decoder of one member of a file."""

    eof: bool
    needs_input: bool
    unused_data: bytes

    def decompress(self, data: bytes, max_length: int) -> bytes: ...


class Gunzip:
    """Reads all members of a gzip file. Raises EOFError or the decoder's error only after everything before the damage was given out."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._packed = memoryview(bytearray(_PACKED))
        self._rest = b""
        self._member: _Member | None = None

    def readinto(self, buffer: memoryview, /) -> int:
        """Fill the buffer with the next unpacked bytes and return how many; 0 at the end."""
        while True:
            if self._member is None and not self._begin():
                return 0
            member = self._member
            if member is None:
                continue
            fed = self._take() if member.needs_input else b""
            if member.needs_input and not fed:
                raise EOFError("the file ends in the middle")
            found = member.decompress(fed, len(buffer))
            if member.eof:
                self._rest, self._member = member.unused_data, None
            if found:
                buffer[: len(found)] = found
                return len(found)

    def _begin(self) -> bool:
        """Open the next member; False at the end, where only zeros may be left as padding."""
        self._rest = self._rest.lstrip(b"\0")
        while not self._rest:
            self._rest = self._take()
            if not self._rest:
                return False
            self._rest = self._rest.lstrip(b"\0")
        self._member = cast(_Member, igzip_lib.IgzipDecompressor(flag=igzip_lib.DECOMP_GZIP))
        return True

    def _take(self) -> bytes:
        if self._rest:
            rest, self._rest = self._rest, b""
            return rest
        return bytes(self._packed[: self._source.readinto(self._packed) or 0])

    def close(self) -> None:
        """Let go of the source."""
        self._source.close()
