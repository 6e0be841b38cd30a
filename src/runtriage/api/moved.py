"""Where cited lines stand now that other bytes stand in their place: lines were put in above them, or taken out."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from typing import Final

from runtriage.model.report import CitationModel
from runtriage.model.target import ByteStream

_SEARCHED: Final = 64 << 20
"""Bytes of a file that are searched, from its start."""
_HASHED: Final = 64 << 20
"""Bytes hashed for one citation: a file of equal lines has a candidate in each."""


def moved(stream: ByteStream, citations: Sequence[CitationModel]) -> list[int | None]:
    """Return the number of the line where each cited text begins now, the nearest to the old one; None where exactly that text is not found."""
    content = _content(stream)
    starts = [0]
    at = content.find(b"\n")
    while at >= 0:
        starts.append(at + 1)
        at = content.find(b"\n", at + 1)
    return [_line(content, starts, citation) for citation in citations]


def _content(stream: ByteStream) -> bytes:
    content = bytearray(_SEARCHED)
    view, size = memoryview(content), 0
    while size < _SEARCHED and (count := stream.readinto(view[size:])):
        size += count
    view.release()
    return bytes(content[:size])


def _line(content: bytes, starts: Sequence[int], citation: CitationModel) -> int | None:
    first, start, end = citation.first_line, citation.byte_start, citation.byte_end
    if first is None or start is None or end is None or start < 0 or end <= start:
        return None
    length, budget = end - start, _HASHED
    for index in _nearest(first - 1, len(starts)):
        at = starts[index]
        if at + length > len(content) or content[at + length : at + length + 1] not in (b"", b"\n", b"\r"):
            continue
        budget -= length
        if budget < 0:
            return None
        if hashlib.sha256(content[at : at + length]).hexdigest() == citation.sha256:
            return index + 1
    return None


def _nearest(index: int, count: int) -> Iterator[int]:
    """Yield the indices below a count, those nearest to one of them first."""
    for distance in range(max(index, count) + 1):
        for each in dict.fromkeys((index + distance, index - distance)):
            if 0 <= each < count:
                yield each
