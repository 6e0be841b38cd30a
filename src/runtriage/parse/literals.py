"""Tells which of a few literals a piece of text holds: in one pass where Hyperscan is installed, else in one for each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib.util import find_spec
from typing import cast

Holds = Callable[[bytearray, int], frozenset[bytes]]
"""Returns the literals that occur in the first so many bytes of a buffer."""


def holding(literals: Sequence[bytes]) -> Holds:
    """Return what looks for these literals."""
    return _together(literals) if find_spec("hyperscan") is not None else _in_turn(literals)


def _in_turn(literals: Sequence[bytes]) -> Holds:
    return lambda buffer, size: frozenset(each for each in literals if buffer.find(each, 0, size) >= 0)


def _together(literals: Sequence[bytes]) -> Holds:
    import hyperscan

    database = hyperscan.Database(mode=hyperscan.HS_MODE_BLOCK)
    database.compile(
        expressions=["".join(f"\\x{byte:02x}" for byte in literal).encode() for literal in literals],
        ids=list(range(len(literals))),
        flags=[hyperscan.HS_FLAG_SINGLEMATCH] * len(literals),
    )

    def holds(buffer: bytearray, size: int) -> frozenset[bytes]:
        found: set[bytes] = set()

        def note(number: int, _start: int, _end: int, _flags: int, _context: object) -> None:
            found.add(literals[number])

        with memoryview(buffer) as view, view[:size] as text:
            # any buffer will do; the stub of the package knows text only
            database.scan(cast(bytes, text), match_event_handler=note)
        return frozenset(found)

    return holds
