"""Documents in memory, for parsers."""

from __future__ import annotations

import io
import struct
import tracemalloc
import zipfile
from collections.abc import Mapping
from types import TracebackType
from typing import Self

from runtriage.model.artifact import Artifact
from runtriage.parse import Parsed, recognise


class Bytes:
    """A stream that can seek and counts what was read of it."""

    def __init__(self, content: bytes, size: int | None = None) -> None:
        self._file = io.BytesIO(content)
        self._size = len(content) if size is None else size
        self.taken = 0

    def readinto(self, buffer: memoryview, /) -> int:
        got = self._file.readinto(buffer)
        self.taken += got
        return got

    def seek(self, offset: int) -> None:
        self._file.seek(offset)

    def close(self) -> None:
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None:
        self.close()


def parsed(path: str, kind: str, content: bytes, mtime: float = 0.0) -> Parsed:
    """What the parser that claims the document says."""
    artifact = Artifact(path=path, kind=kind, size=len(content), mtime=mtime)
    parser = recognise(artifact, content[:65_536])
    assert parser is not None
    return parser.read(artifact, Bytes(content))


def archive(members: Mapping[str, bytes]) -> bytes:
    """A zip file."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as opened:
        for name, content in members.items():
            opened.writestr(name, content)
    return file.getvalue()


def torch_file(size: int = 4000) -> bytes:
    """A file laid out as `torch.save` does."""
    return archive({"archive/data.pkl": b"\x80\x02}q\x00.", "archive/data/0": b"\1" * size, "archive/version": b"3\n"})


def safetensors(size: int = 400) -> bytes:
    """A safetensors file with one tensor."""
    header = b'{"w":{"dtype":"F32","shape":[%d],"data_offsets":[0,%d]}}' % (size // 4, size)
    return struct.pack("<Q", len(header)) + header + b"\1" * size


def most_memory(path: str, kind: str, content: bytes) -> int:
    """The most bytes that reading a document held at once, the document itself aside."""
    tracemalloc.start()
    try:
        parsed(path, kind, content)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
