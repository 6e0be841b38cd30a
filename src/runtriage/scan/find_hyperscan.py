"""The usual engine: one Hyperscan database in block mode, without start of match."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import cast

import hyperscan

from runtriage.scan.find import Expression, Finder, Hit, Presence, Span, segment_end
from runtriage.scan.loosen import loosen


class HyperscanFinder:
    """A database with its own scratch space."""

    def __init__(self, compiled: bytes, count: int) -> None:
        self._count = count
        if count:
            self._database = hyperscan.loadb(compiled, hyperscan.HS_MODE_BLOCK)
            self._database.scratch = hyperscan.Scratch(self._database)

    def find(self, data: bytes | bytearray, span: Span, mute: Collection[int] = ()) -> list[Hit]:
        """See `runtriage.scan.find.Finder`."""
        hits: list[Hit] = []
        if not self._count:
            return hits
        quiet = [span.low] * self._count
        for number in mute:
            quiet[number] = span.high
        start = span.start

        def note(number: int, _start: int, end: int, _flags: int, _context: object) -> None:
            at = start + end
            if at > quiet[number]:
                quiet[number] = segment_end(data, at, span)
                hits.append((at, number))

        with memoryview(data) as view, view[start : span.high] as block:
            # any buffer will do; the stub of the package knows text only
            self._database.scan(cast(bytes, block), match_event_handler=note)
        hits.sort()
        return hits


class HyperscanPresence:
    """A database of literals that reports each of them once."""

    def __init__(self, literals: Sequence[bytes]) -> None:
        self._database = hyperscan.Database(mode=hyperscan.HS_MODE_BLOCK)
        self._database.compile(
            expressions=["".join(f"\\x{byte:02x}" for byte in literal).encode() for literal in literals],
            ids=list(range(len(literals))),
            flags=[hyperscan.HS_FLAG_SINGLEMATCH] * len(literals),
        )

    def among(self, data: bytes | bytearray, low: int, high: int) -> list[int]:
        """See `runtriage.scan.find.Presence`."""
        found: list[int] = []

        def note(number: int, _start: int, _end: int, _flags: int, _context: object) -> None:
            found.append(number)

        with memoryview(data) as view, view[low:high] as block:
            self._database.scan(cast(bytes, block), match_event_handler=note)
        return sorted(found)


def _flags(expression: Expression) -> int:
    case = hyperscan.HS_FLAG_CASELESS if expression.ignore_case else 0
    return case | (hyperscan.HS_FLAG_SINGLEMATCH if expression.once else 0)


class Hyperscan:
    """Compiles with the `hyperscan` package."""

    @property
    def name(self) -> str:
        """See `runtriage.scan.find.Engine`."""
        return f"hyperscan-{getattr(hyperscan, '__version__', '')}"

    def compile(self, expressions: Sequence[Expression]) -> bytes:
        """See `runtriage.scan.find.Engine`."""
        if not expressions:
            return b""
        database = hyperscan.Database(mode=hyperscan.HS_MODE_BLOCK)
        try:
            database.compile(
                expressions=[loosen(each.regex, confirmed=each.confirmed).encode() for each in expressions],
                ids=list(range(len(expressions))),
                flags=[_flags(each) for each in expressions],
            )
        except hyperscan.error as error:
            raise ValueError(str(error)) from None
        return hyperscan.dumpb(database)

    def finder(self, compiled: bytes, expressions: Sequence[Expression]) -> Finder:
        """See `runtriage.scan.find.Engine`."""
        try:
            return HyperscanFinder(compiled, len(expressions))
        except hyperscan.error as error:
            raise ValueError(str(error)) from None

    def presence(self, literals: Sequence[bytes]) -> Presence:
        """See `runtriage.scan.find.Engine`."""
        return HyperscanPresence(literals)
