"""The engine for platforms without a Hyperscan wheel: RE2 says which patterns a piece holds, then finds each of them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from importlib import import_module, metadata
from typing import Any, Final

from runtriage.scan.find import Expression, Finder, Hit, Presence, Span, segment_end
from runtriage.scan.loosen import loosen

_PIECE: Final = 16 * 1024
_MEMORY: Final = 256 << 20


class Re2Finder:
    """A set of all expressions and each by itself."""

    def __init__(self, expressions: Sequence[Expression]) -> None:
        self._re2: Any = import_module("re2")
        sources = [_source(expression) for expression in expressions]
        options = self._re2.Options()
        options.encoding = self._re2.Options.Encoding.LATIN1
        options.never_capture = True
        options.log_errors = False
        self._single = [self._re2.compile(source, options) for source in sources]
        options.max_mem = _MEMORY
        self._set = self._re2.Set.SearchSet(options)
        for source in sources:
            self._set.Add(source)
        self._set.Compile()
        self._empty = not sources

    def find(self, data: bytes | bytearray, span: Span, mute: Collection[int] = ()) -> list[Hit]:
        """See `runtriage.scan.find.Finder`."""
        hits: list[Hit] = []
        if self._empty:
            return hits
        with memoryview(data) as view:
            text = bytes(view[span.start : span.high])
        inner = Span(0, span.low - span.start, len(text), span.origin + span.start)
        at = 0
        while at < len(text):
            end = _piece_end(text, at)
            for number in self._set.Match(text[at:end]) or ():
                if number in mute:
                    continue
                hits.extend((span.start + stop, number) for stop in self._ends(number, text, at, end, inner))
            at = end
        hits.sort()
        return hits

    def _ends(self, number: int, text: bytes, at: int, end: int, span: Span) -> list[int]:
        ends: list[int] = []
        search = self._single[number].search
        while at < end and (found := search(text, at, end)) is not None:
            stop = found.end()
            if stop > span.low:
                ends.append(stop)
            at = max(segment_end(text, stop, span), at + 1)
        return ends


def _piece_end(text: bytes, at: int) -> int:
    if len(text) - at <= _PIECE:
        return len(text)
    line = text.rfind(b"\n", at, at + _PIECE)
    if line < 0:
        line = text.find(b"\n", at + _PIECE)
    return len(text) if line < 0 else line + 1


def _source(expression: Expression) -> bytes:
    regex = loosen(expression.regex, confirmed=expression.confirmed)
    return (f"(?i){regex}" if expression.ignore_case else regex).encode()


class Re2Presence:
    """A set of literals, asked about pieces until all were seen."""

    def __init__(self, literals: Sequence[bytes]) -> None:
        re2: Any = import_module("re2")
        options = re2.Options()
        options.encoding = re2.Options.Encoding.LATIN1
        options.literal = True
        self._set = re2.Set.SearchSet(options)
        for literal in literals:
            self._set.Add(literal)
        self._set.Compile()
        self._count = len(literals)

    def among(self, data: bytes | bytearray, low: int, high: int) -> list[int]:
        """See `runtriage.scan.find.Presence`."""
        found: set[int] = set()
        with memoryview(data) as view:
            text = bytes(view[low:high])
        at = 0
        while at < len(text) and len(found) < self._count:
            end = max(_piece_end(text, at), at + 1)
            found.update(self._set.Match(text[max(at - 1, 0) : end]) or ())
            at = end
        return sorted(found)


class Re2:
    """Compiles with the `google-re2` package; nothing of it can be stored, so the compiled form is empty."""

    @property
    def name(self) -> str:
        """See `runtriage.scan.find.Engine`."""
        return f"re2-{metadata.version('google-re2')}"

    def compile(self, expressions: Sequence[Expression]) -> bytes:
        """See `runtriage.scan.find.Engine`."""
        re2: Any = import_module("re2")
        for expression in expressions:
            try:
                re2.compile(_source(expression))
            except re2.error as error:
                raise ValueError(f"{expression.regex}: {error}") from None
        return b""

    def finder(self, compiled: bytes, expressions: Sequence[Expression]) -> Finder:
        """See `runtriage.scan.find.Engine`."""
        return Re2Finder(expressions)

    def presence(self, literals: Sequence[bytes]) -> Presence:
        """See `runtriage.scan.find.Engine`."""
        return Re2Presence(literals)
