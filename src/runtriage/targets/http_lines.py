"""Lines of an answer that goes on, as they come."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

_LINE: Final = 1 << 20
"""Bytes after which a line that does not end is handed over in pieces."""


class Lines:
    """The headers of an answer, in lower case, and its lines, each with its end; they can be read once."""

    def __init__(self, headers: Mapping[str, str], pieces: Callable[[], Iterator[bytes]]) -> None:
        self.headers = headers
        self._pieces = pieces

    def __iter__(self) -> Iterator[bytes]:
        """Yield lines; what reading them raises is what the connection raises."""
        kept = bytearray()
        for piece in self._pieces():
            *whole, rest = piece.split(b"\n")
            for part in whole:
                yield bytes(kept + part + b"\n")
                kept.clear()
            kept += rest
            if len(kept) >= _LINE:
                yield bytes(kept)
                kept.clear()
        if kept:
            yield bytes(kept)
