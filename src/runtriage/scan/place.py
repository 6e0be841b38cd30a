"""Citations of text in blocks."""

from __future__ import annotations

import hashlib

from msgspec.structs import replace

from runtriage.model.place import Citation
from runtriage.scan.block import Block


def cite(artifact: str, block: Block, start: int, end: int) -> Citation:
    """Cite the text from `start` to `end` of a block: its lines, bytes and their hash."""
    first = block.line_number(start)
    return Citation(
        artifact=artifact,
        first_line=first,
        last_line=first + block.data.count(b"\n", start, end),
        byte_start=block.first_byte(start),
        byte_end=block.last_byte(end),
        sha256=hashlib.sha256(block.raw_bytes(start, end)).hexdigest(),
    )


def shifted(citation: Citation, lines: int) -> Citation:
    """Return the citation with its lines counted from further ahead."""
    if not lines or citation.first_line is None or citation.last_line is None:
        return citation
    return replace(citation, first_line=citation.first_line + lines, last_line=citation.last_line + lines)


def from_end(citation: Citation, total: int) -> Citation:
    """Return the citation of a tail whose place in the artifact is unknown: bytes from its end, no lines."""
    if citation.byte_start is None or citation.byte_end is None:
        return citation
    return replace(
        citation,
        first_line=None,
        last_line=None,
        byte_start=citation.byte_start - total,
        byte_end=citation.byte_end - total,
    )
