"""How places are found in a block of bytes: one interface, two engines."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final, Protocol

from msgspec import Struct

REACH: Final = 4096
"""No match is longer than this, and no more of a line is looked at around one, in bytes."""

Hit = tuple[int, int]
"""(offset behind the match, id of the pattern)"""


class Expression(Struct, frozen=True):
    """What an engine finds: a pattern in the shared language, matched on bytes within a line. Engines compile its loosened form.

    Of a pattern that is wanted `once`, an engine may report the first match in what it is given and no more. Of one that is
    `confirmed` with the pattern itself wherever it is found, an engine may look for less.
    """

    regex: str
    ignore_case: bool = False
    once: bool = False
    confirmed: bool = False


class Span(Struct, frozen=True):
    """Where to look: from `start` on, for matches that end in (low, high]. `origin` is the absolute offset of position 0."""

    start: int
    low: int
    high: int
    origin: int = 0


class Finder(Protocol):
    """Finds all expressions at once; one finder is used by one thread at a time."""

    def find(self, data: bytes | bytearray, span: Span, mute: Collection[int] = (), /) -> list[Hit]:
        """Return hits by offset: the first of each expression in each segment of a line, none of those to mute.

        A segment ends at a line break or carriage return, and at every multiple of `REACH` in the artifact.
        """
        ...


class Presence(Protocol):
    """Tells which of some literals occur at all."""

    def among(self, data: bytes | bytearray, low: int, high: int, /) -> list[int]:
        """Return the places in the list of the literals that occur in [low, high), in ascending order."""
        ...


class Engine(Protocol):
    """A way to make finders for a fixed list of expressions."""

    @property
    def name(self) -> str:
        """Engine and version, part of cache keys."""
        ...

    def compile(self, expressions: Sequence[Expression], /) -> bytes:
        """Return the compiled form as it is cached. Raises ValueError where an expression is refused."""
        ...

    def finder(self, compiled: bytes, expressions: Sequence[Expression], /) -> Finder:
        """Return a finder. Raises ValueError when the compiled form cannot be used here."""
        ...

    def presence(self, literals: Sequence[bytes], /) -> Presence:
        """Return a finder of literals."""
        ...


def segment_end(data: bytes | bytearray, at: int, span: Span) -> int:
    """Return where the segment that holds the byte before `at` ends; see `Finder.find`."""
    stop = min(((at - 1 + span.origin) // REACH + 1) * REACH - span.origin, span.high)
    line = data.find(b"\n", at - 1, stop)
    if line < 0:
        line = stop
    back = data.find(b"\r", at - 1, line)
    return line if back < 0 else back
