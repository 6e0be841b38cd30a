"""Finds where the last N lines of a document start."""

from __future__ import annotations

import io
import os
from collections import deque
from pathlib import Path
from typing import Final, NamedTuple

from runtriage.model.target import ByteStream
from runtriage.targets.regular import open_regular

_CHUNK: Final = 1 << 20
COUNTED: Final = 4 << 30
"""Bytes before a tail whose lines are still counted, so that citations can name lines; about a second of work."""


class Tail(NamedTuple):
    """Where a tail starts: its first byte (unpacked) and the 1-based number of its first line, None where nobody counted."""

    byte: int
    line: int | None


def tail_of_file(path: Path, lines: int) -> Tail:
    """Return where the last `lines` lines of a plain file start, read from its end. Raises OSError."""
    with open_regular(path) as file:
        size = os.fstat(file.fileno()).st_size
        start = _from_end(file, size, lines)
        if start > COUNTED:
            return Tail(start, None)
        file.seek(0)
        return Tail(start, 1 + _count(file, start))


def tail_of_stream(stream: ByteStream, lines: int) -> Tail:
    """Return where the last `lines` lines of a stream start, read front to back: packed data has no other way."""
    starts: deque[tuple[int, int]] = deque([(0, 1)], maxlen=max(lines, 1))
    buffer = bytearray(_CHUNK)
    view = memoryview(buffer)
    offset = 0
    line = 1
    ended = False
    while count := stream.readinto(view):
        if ended:
            starts.append((offset, line))
        found = -1
        ended = False
        while (found := buffer.find(b"\n", found + 1, count)) >= 0:
            line += 1
            if found + 1 < count:
                starts.append((offset + found + 1, line))
            else:
                ended = True
        offset += count
    return Tail(*starts[0])


def _from_end(file: io.FileIO, size: int, lines: int) -> int:
    wanted = lines
    end = size
    while end > 0:
        start = max(end - _CHUNK, 0)
        file.seek(start)
        block = _exactly(file, end - start)
        if end == size and block.endswith(b"\n"):
            block = block[:-1]
        breaks = block.count(b"\n")
        if breaks >= wanted:
            at = len(block)
            for _ in range(wanted):
                at = block.rfind(b"\n", 0, at)
            return start + at + 1
        wanted -= breaks
        end = start
    return 0


def _exactly(file: io.FileIO, count: int) -> bytes:
    parts: list[bytes] = []
    while count > 0 and (part := file.read(count)):
        parts.append(part)
        count -= len(part)
    return b"".join(parts)


def _count(file: io.FileIO, end: int) -> int:
    buffer = bytearray(_CHUNK)
    view = memoryview(buffer)
    lines = 0
    while end > 0 and (count := file.readinto(view[: min(end, _CHUNK)])):
        lines += buffer.count(b"\n", 0, count)
        end -= count
    return lines
