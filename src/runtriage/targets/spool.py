"""Keeps what came through a pipe, so that it can be read more than once."""

from __future__ import annotations

import io
import os
from pathlib import Path
from typing import BinaryIO, Final, cast

from runtriage.model.target import ByteStream
from runtriage.targets.regular import read_as
from runtriage.targets.streams import PlainStream

IN_MEMORY: Final = 8 << 20
LIMIT: Final = 8 << 30
"""Bytes that are kept. The rest is read and forgotten, because a writer whose pipe closes is killed."""
_CHUNK: Final = 1 << 20


class Spool:
    """Bytes of a pipe in a file of their own, in memory while they are few. `cut` says what was not kept."""

    def __init__(self, source: BinaryIO, *, limit: int = LIMIT, in_memory: int = IN_MEMORY) -> None:
        self.cut: str | None = None
        self.size = 0
        self._limit = limit
        self._memory = bytearray()
        self._path: Path | None = None
        file: BinaryIO | None = None
        try:
            while chunk := source.read(_CHUNK):
                if file is None and self.size + len(chunk) > in_memory:
                    file = self._begin_file()
                self._keep(chunk, file)
        finally:
            if file is not None:
                file.close()

    def head(self, count: int) -> bytes:
        """Return the first bytes."""
        if self._path is None:
            return bytes(self._memory[:count])
        with self._path.open("rb") as file:
            return file.read(count)

    def open(self, encoding: str | None) -> ByteStream:
        """Open what was kept from its start, unpacked."""
        if self._path is not None:
            return read_as(PlainStream(io.FileIO(os.fspath(self._path), "r"), bounded=True), encoding)
        return read_as(_Memory(bytes(self._memory)), encoding)

    def close(self) -> None:
        """Forget everything."""
        self._memory = bytearray()
        if self._path is not None:
            self._path.unlink(missing_ok=True)
            self._path = None

    def _begin_file(self) -> BinaryIO | None:
        import tempfile

        try:
            descriptor, name = tempfile.mkstemp(prefix="runtriage-")
        except OSError as error:
            self.cut = self.cut or f"the rest could not be kept: {error.strerror}"
            return None
        self._path = Path(name)
        file = os.fdopen(descriptor, "wb")
        file.write(self._memory)
        self._memory = bytearray()
        return file

    def _keep(self, chunk: bytes, file: BinaryIO | None) -> None:
        if self.cut is not None:
            return
        if self.size + len(chunk) > self._limit:
            self.cut = f"only the first {self._limit:,} bytes were kept"
            chunk = chunk[: self._limit - self.size]
        try:
            if file is None:
                self._memory += chunk
            else:
                file.write(chunk)
                file.flush()
        except OSError as error:
            self.cut = f"the rest could not be kept: {error.strerror}"
            return
        self.size += len(chunk)


class _Memory(PlainStream):
    """Bytes in memory as a stream."""

    def __init__(self, content: bytes) -> None:
        self._file = cast(io.FileIO, io.BytesIO(content))
        self.size = self._left = len(content)
