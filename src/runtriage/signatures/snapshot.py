"""A loaded catalogue as JSON and back, so that a second start need not read every file."""

from __future__ import annotations

from functools import lru_cache

import msgspec

from runtriage.model.catalogue import Catalogue


def encode(catalogue: Catalogue) -> bytes:
    """Write it down."""
    return msgspec.json.encode(catalogue)


@lru_cache(maxsize=2)
def decode(content: bytes) -> Catalogue | None:
    """Read it again, once in a process; None for content of another shape."""
    try:
        return msgspec.json.decode(content, type=Catalogue)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None
