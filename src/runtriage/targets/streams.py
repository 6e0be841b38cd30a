"""Opens stored bytes for reading, unpacked: plain, gzip and zstandard, with unpacking ahead of the reader."""

from __future__ import annotations

import io
import os
import threading
from collections import deque
from types import TracebackType
from typing import Final, Protocol, Self

from runtriage.model.target import ByteStream

_CHUNK: Final = 256 * 1024
_QUEUED: Final = 4
_MAGIC: Final = ((b"\x1f\x8b", "gzip"), (b"\x28\xb5\x2f\xfd", "zstd"))


class _Raw(Protocol):
    def readinto(self, buffer: memoryview, /) -> int | None: ...

    def close(self) -> None: ...


class _Stream:
    """What all streams share: they close themselves at the end of a `with`. `local` says that opening them again costs nothing."""

    local = True

    def close(self) -> None:
        """Let go of the descriptor."""
        raise NotImplementedError

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None:
        self.close()


class PlainStream(_Stream):
    """A file as it was when it was opened: what is appended later is not read. `size` is that size, None where it has none."""

    def __init__(self, file: io.FileIO, *, bounded: bool) -> None:
        self._file = file
        self.size = os.fstat(file.fileno()).st_size if bounded else None
        self._left = self.size

    def readinto(self, buffer: memoryview, /) -> int:
        """Fill the buffer with the next bytes and return how many; 0 at the end. Raises OSError where the file became shorter than it was."""
        if self._left is None:
            return self._file.readinto(buffer) or 0
        buffer = buffer[: self._left]
        count = self._file.readinto(buffer) or 0
        if len(buffer) and not count:
            raise OSError(f"the file became shorter while it was read: its last {self._left:,} bytes are gone")
        self._left -= count
        return count

    def seek(self, offset: int) -> None:
        """Go on from an absolute offset. Raises OSError where the file cannot seek."""
        self._file.seek(offset)
        if self.size is not None:
            self._left = max(self.size - offset, 0)

    def close(self) -> None:
        """Let go of the descriptor."""
        self._file.close()


class Unpacked(_Stream):
    """Unpacks in a thread of its own, a few chunks ahead of the reader. Raises OSError for damaged data, after what could be read."""

    def __init__(self, source: _Raw, *, local: bool = True) -> None:
        self.local = local
        self._source = source
        self._ready: deque[memoryview] = deque()
        self._change = threading.Condition()
        self._ended = False
        self._closed = False
        self._error: Exception | None = None
        self._thread = threading.Thread(target=self._run, name="runtriage-unpack", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        try:
            while self._fill():
                pass
        except Exception as error:  # noqa: BLE001 - whatever the decoder raises belongs to the reader's thread
            self._error = error
        with self._change:
            self._ended = True
            self._change.notify_all()

    def _fill(self) -> bool:
        chunk = memoryview(bytearray(_CHUNK))
        count = self._source.readinto(chunk)
        with self._change:
            self._change.wait_for(lambda: len(self._ready) < _QUEUED or self._closed)
            if not count or self._closed:
                return False
            self._ready.append(chunk[:count])
            self._change.notify_all()
        return True

    def readinto(self, buffer: memoryview, /) -> int:
        """Fill the buffer with the next bytes and return how many; 0 at the end."""
        with self._change:
            self._change.wait_for(lambda: bool(self._ready) or self._ended)
            if not self._ready:
                if self._error is not None:
                    raise OSError(f"damaged after what was read: {self._error}") from self._error
                return 0
            chunk = self._ready.popleft()
            count = min(len(chunk), len(buffer))
            if count < len(chunk):
                self._ready.appendleft(chunk[count:])
            self._change.notify_all()
        buffer[:count] = chunk[:count]
        return count

    def close(self) -> None:
        """Stop unpacking and let go of the descriptor."""
        with self._change:
            self._closed = True
            self._change.notify_all()
        self._thread.join()
        self._source.close()


def encoding_of(head: bytes) -> str | None:
    """Return `gzip` or `zstd` when the first bytes of a file say so, else None."""
    return next((name for magic, name in _MAGIC if head.startswith(magic)), None)


def unpacked(stream: ByteStream, encoding: str | None) -> ByteStream:
    """Wrap an open stream so that it reads unpacked; it is as near as what it wraps."""
    local = getattr(stream, "local", False)
    if encoding == "gzip":
        from runtriage.targets.gunzip import Gunzip

        return Unpacked(Gunzip(stream), local=local)
    if encoding == "zstd":
        from runtriage.targets.unzstd import Unzstd

        return Unpacked(Unzstd(stream), local=local)
    return stream
