"""Cuts what a packed artifact holds into stretches for workers while it is unpacked, in memory that they share."""

from __future__ import annotations

from collections.abc import Iterator
from mmap import mmap
from typing import Final, NamedTuple, Self

from runtriage.model.artifact import Artifact
from runtriage.model.target import ByteStream
from runtriage.scan.ansi import clean
from runtriage.scan.block import AHEAD, BEHIND
from runtriage.scan.book import Book
from runtriage.scan.contract import Metrics
from runtriage.scan.formats import EAGER, WINDOW, Formats, Learnt

_STRETCH: Final = (4 << 20) - (64 << 10)
"""Bytes of one stretch, about: one block of a large artifact holds them."""
_SLACK: Final = 1 << 20
"""Bytes behind a stretch in which the end of its last line is looked for."""
_FRONT: Final = EAGER * WINDOW
"""Bytes at the front of an artifact that each of its stretches may ask for."""


class Source:
    """An open stream that ends where reading it fails, and remembers why."""

    def __init__(self, stream: ByteStream) -> None:
        self.stream = stream
        self.error: str | None = None
        self.given = False
        """Whether who reads it closes it."""

    def fill(self, view: memoryview) -> int:
        """Fill a buffer as far as the stream goes."""
        have = 0
        try:
            while have < len(view) and (count := self.stream.readinto(view[have:])):
                have += count
        except OSError as error:
            self.error = error.strerror or str(error) or type(error).__name__
        return have


class Piece(NamedTuple):
    """Lines of a packed artifact that begin in [start, stop); None is the end, `cut` why that came early.

    Its slot holds `size` bytes from `base` on, and the front of the artifact. `learnt` is what windows before it teach.
    """

    artifact: Artifact
    start: int
    stop: int | None
    slot: int
    base: int
    size: int
    learnt: Learnt
    cut: str | None = None
    rest: Source | None = None
    """What follows, where a line is too long for a slot: only the process that unpacks can read it."""


class Ring:
    """Memory for some stretches. A slot is used again when as many others have been given out since."""

    def __init__(self, slots: int) -> None:
        self._slots = slots
        self._room = BEHIND + _STRETCH + _SLACK + AHEAD
        self._memory = mmap(-1, slots * (_FRONT + self._room))
        self._next = 0

    def _take(self) -> int:
        self._next += 1
        return (self._next - 1) % self._slots

    def front(self, slot: int) -> memoryview:
        """Return the part of a slot for the front of its artifact."""
        start = slot * (_FRONT + self._room)
        return memoryview(self._memory)[start : start + _FRONT]

    def text(self, slot: int) -> memoryview:
        """Return the part of a slot for a stretch and what stands around it."""
        start = slot * (_FRONT + self._room) + _FRONT
        return memoryview(self._memory)[start : start + self._room]

    def pieces(self, stream: ByteStream, artifact: Artifact, metrics: Metrics | None) -> Iterator[Piece]:
        """Yield the stretches of what a stream holds; the stream belongs to the last of them, or is closed behind it."""
        source = Source(stream)
        try:
            for piece in self._cut_up(source, artifact, metrics):
                source.given = piece.rest is not None
                yield piece
        finally:
            if not source.given:
                stream.close()

    def _cut_up(self, source: Source, artifact: Artifact, metrics: Metrics | None) -> Iterator[Piece]:
        known: Learnt = {}
        formats = None if metrics is None else Formats(metrics, Book(), known)
        carried, front, start, base = b"", b"", 0, 0
        while True:
            slot = self._take()
            text = self.text(slot)
            text[: len(carried)] = carried
            size = len(carried) + source.fill(text[len(carried) :])
            front = front or bytes(text[: min(size, _FRONT)])
            self.front(slot)[: len(front)] = front
            place = Piece(artifact, start, None, slot, base, size, dict(known))
            if size < len(text):
                yield place._replace(cut=source.error)
                return
            stop = self._cut(start - base, slot) + base
            if stop == base:
                yield place._replace(rest=source)
                return
            if formats is not None:
                self._learn(formats, place, stop)
            yield place._replace(stop=stop)
            keep = max(stop - BEHIND, base)
            carried, start, base = bytes(text[keep - base :]), stop, keep

    def _cut(self, start: int, slot: int) -> int:
        """Return where in a slot a line begins, a stretch behind its start if one does; 0 if none does."""
        begin = slot * (_FRONT + self._room) + _FRONT
        least, most = begin + start + _STRETCH - 1, begin + self._room - AHEAD
        line = self._memory.find(b"\n", least, most)
        line = line if line >= 0 else self._memory.rfind(b"\n", begin + start, most)
        return line + 1 - begin if line >= 0 else 0

    def _learn(self, formats: Formats, place: Piece, stop: int) -> None:
        text = self.text(place.slot)
        for window in range(max(-(-place.start // WINDOW), EAGER), -(-stop // WINDOW)):
            if formats.looks(window):
                at = window * WINDOW - place.base
                raw = bytearray(text[at : at + WINDOW])
                formats.learn(window, lambda raw=raw: (bytes(clean(raw, len(raw)).data), False))

    def stream(self, piece: Piece) -> Stored:
        """Return what a slot holds as a stream, and what follows where that is part of the piece."""
        front = self.front(piece.slot)[: min(_FRONT, piece.base + piece.size)]
        text = self.text(piece.slot)[: piece.size]
        return Stored(front, text, piece.base, piece.rest)


class Stored:
    """Bytes of an artifact from one place on and those of its front, as a stream."""

    def __init__(self, front: memoryview, text: memoryview, base: int, source: Source | None) -> None:
        self._front = front
        self._text = text
        self._base = base
        self._source = source
        self._at = 0
        self.size: int | None = None

    def seek(self, offset: int) -> None:
        """Go on from an absolute offset."""
        self._at = offset

    def readinto(self, buffer: memoryview, /) -> int:
        """Fill the buffer with the next bytes and return how many; 0 at the end."""
        at = self._at - self._base
        if 0 <= at < len(self._text):
            found = self._text[at : at + len(buffer)]
        elif at < 0:
            found = self._front[self._at : self._at + len(buffer)]
        elif self._source is not None:
            count = self._source.fill(buffer)
            self._at += count
            return count
        else:
            return 0
        buffer[: len(found)] = found
        self._at += len(found)
        return len(found)

    def close(self) -> None:
        """Let go of what follows."""
        if self._source is not None:
            self._source.stream.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
