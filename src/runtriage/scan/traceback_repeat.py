"""Knows a traceback again that one speaker printed before, text for text, so that a flood of them is counted and not read."""

from __future__ import annotations

from typing import Final, NamedTuple

from msgspec import Struct, field

from runtriage.scan.events import Counted
from runtriage.scan.traceback_alone import PARTICULAR
from runtriage.scan.traceback_run import Run, Stood

_MOST: Final = 4096
_TALL: Final = 32 * 1024
_TEXTS: Final = 4 << 20
"""Bytes of text that are kept to be compared with."""
_CALL: Final = b"Traceback (most recent call last)"
_FRONT: Final = 256
_WHITE: Final = b" \t\n\r\f\v"


class Inner(NamedTuple):
    """A signature that was counted within a traceback, and where its line begins and ends there."""

    counted: Counted
    start: int
    end: int


class Known(Struct, eq=False):
    """One text: what was counted for it, and where it began and ended then.

    `inner` is everything else that was counted within it, or None where not all of that may be counted without looking.
    `text` stays empty until it was recalled; it and the line break behind it are `breaks` lines. `ends` are its first and last words
    once they were asked for; `among` the texts of its speaker between which it was found to tell its meaning in any order.
    """

    counted: Counted
    start: int
    end: int
    prefix: bytes = b""
    speaker: bytes = b""
    text: bytes = b""
    breaks: int = 0
    inner: tuple[Inner, ...] | None = None
    ends: tuple[bytes, bytes, bytes] | None = None
    among: frozenset[Known] = frozenset()


class Record(Struct):
    """What is counted while a traceback that stands at [start, end) of a block is gone through."""

    known: Known
    start: int
    end: int
    inner: list[Inner] = field(default_factory=list[Inner])

    def close(self) -> None:
        """Remember it."""
        self.known.inner = tuple(self.inner)


class Repeats:
    """The tracebacks of one artifact by speaker and text."""

    def __init__(self) -> None:
        self._known: dict[tuple[bytes, int, int], Known] = {}
        self._texts: dict[bytes, list[Known]] = {}
        self._begins: dict[bytes, list[Known]] = {}
        """The same by their first bytes, as many as all have."""
        self._room = _TEXTS
        self.kept = 0
        """How many texts are known well enough to be passed over."""
        self.run = Run(self._standing)

    def _standing(self, data: bytes | bytearray, at: int, stop: int) -> Stood | None:
        """Return what is known of the traceback whose header is the line at a position."""
        header = data.find(_CALL, at, min(at + _FRONT, stop))
        found = self.glance(data, header + len(_CALL), stop) if header >= 0 else None
        if found is None or found[1] != at:
            return None
        return Stood(found[0].speaker, at + len(found[0].text) + 1)

    def recall(self, data: bytes | bytearray, start: int, stop: int, speaker: bytes) -> Known | None:
        """Return what was counted for the same traceback before."""
        text = _text(data, start, min(stop, start + _TALL), speaker)
        known = self._known.get((speaker, len(text), hash(text))) if text is not None else None
        if known is not None and text is not None:
            self._keep(known, text)
        return known

    def _keep(self, known: Known, text: bytes) -> None:
        front = text.find(_CALL) + len(_CALL)
        if (
            known.text
            or front < len(_CALL)
            or front > _FRONT
            or len(text) > self._room
            or not text.startswith(known.speaker)
        ):
            return
        self._room -= len(text)
        self.kept += 1
        known.text, known.breaks = text, text.count(b"\n") + 1
        self._texts.setdefault(known.text[:front], []).append(known)
        self._begins.setdefault(known.text[: len(_CALL)], []).append(known)

    def glance(self, data: bytes | bytearray, at: int, stop: int) -> tuple[Known, int] | None:
        """Return what `recall` would for the traceback whose header's words end at `at`, and where it starts; None says nothing."""
        start = data.rfind(b"\n", max(at - _FRONT, 0), at) + 1
        for known in self._texts.get(bytes(data[start:at]), ()) if start else ():
            end = start + len(known.text)
            if end < stop and data[end] == 10 and data.startswith(known.text, start):
                return known, start
        return None

    def ahead(self, data: bytes | bytearray, low: int, high: int) -> tuple[Known, int, int] | None:
        """Return the next traceback in [low, high) that is known with all that stands in it: what is known, its start, and where the
        header's words end.
        """
        while self._texts and (at := data.find(_CALL, low, high)) >= 0:
            low = at + len(_CALL)
            found = self.glance(data, low, high)
            if found is not None and found[0].inner is not None:
                return (*found, low)
        return None

    def row(self, data: bytes | bytearray, at: int, high: int) -> tuple[list[Known], list[int]]:
        """Return the tracebacks known with all that stands in them that begin with the line at a position, each directly behind the
        one before, and end before `high`, and where each starts.
        """
        found: list[Known] = []
        starts: list[int] = []
        begins, begin = self._begins, len(_CALL)
        with memoryview(data) as view:
            while True:
                for known in begins.get(view[at : at + begin].tobytes(), ()):
                    end = at + len(known.text)
                    if end < high and data[end] == 10 and data.startswith(known.text, at):
                        break
                else:
                    break
                if known.inner is None:
                    break
                found.append(known)
                starts.append(at)
                at = end + 1
        return found, starts

    def note(
        self, data: bytes | bytearray, span: tuple[int, int], prefix: bytes, speaker: bytes, counted: Counted
    ) -> Known | None:
        """Remember what was counted for the traceback whose header line begins the span, if nothing around it mattered."""
        start, stop = span
        text = _text(data, start, min(stop, start + _TALL), speaker)
        draft = counted.draft
        if text is None or not draft.end == draft.numbers.get("to") == start + len(text) or text.count(_CALL) != 1:
            return None
        if not draft.captures.keys().isdisjoint(PARTICULAR):
            return None
        key, end = (speaker, len(text), hash(text)), start + len(text)
        known = self._known.get(key)
        if known is not None:
            known.counted, known.start, known.end = counted, start, end
        elif len(self._known) < _MOST:
            known = self._known[key] = Known(counted, start, end, prefix, speaker)
        return known


def _text(data: bytes | bytearray, start: int, stop: int, speaker: bytes) -> bytes | None:
    """Return a header line, indented lines of the same speaker, and one line more; None where no such lines stand there."""
    deep = speaker + b"  "
    at = first = data.find(b"\n", start, stop) + 1
    while at and data.startswith(deep, at, stop):
        at = data.find(b"\n", at, stop) + 1
    if at == first or not data.startswith(speaker, at, stop):
        return None
    at += len(speaker)
    at += bool(speaker) and data.startswith(b" ", at, stop)
    end = data.find(b"\n", at, stop)
    return bytes(data[start:end]) if end > at and data[at] not in _WHITE else None
