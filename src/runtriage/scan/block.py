"""Cuts a stream into blocks of whole lines in one reused buffer."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from typing import Final, Protocol

from msgspec import Struct, field

from runtriage.scan.ansi import Clean, clean, raw_only
from runtriage.scan.contract import Reads
from runtriage.scan.find import REACH

SIZE: Final = 512 * 1024
"""New bytes a block, at most; 256 KiB to 1 MiB scan fastest."""
AHEAD: Final = 64 * 1024
"""Bytes behind a block that its readers may look at."""
BEHIND: Final = 64 * 1024
"""Bytes before a block that its readers may look at."""
_HEAD: Final = 256
_STEP: Final = 4096


class Places(Protocol):
    """Positions in order, as a list or an array."""

    def __len__(self) -> int: ...

    def __getitem__(self, index: int, /) -> int: ...


class Block(Struct):
    """A stretch of text: lines and hits that begin in [low, high) belong to it, readers may look at [0, top).

    `data` is without ANSI codes; all positions are positions in it. `line` counts the line breaks before `low`. `head` is the front
    of the line that holds `low` when that line began before the block. `final` marks the end of the stream: `data` then holds one
    line break more than the artifact when its last line has none (`padded`). A block stays valid until the next but one
    is asked for.
    """

    data: bytes | bytearray
    low: int
    high: int
    top: int
    base: int
    line: int
    head: bytes
    final: bool
    padded: bool
    cleaning: Clean
    raw: bytearray
    _marks: list[int] | None = None
    _counts: list[int] = field(default_factory=list[int])
    _known: list[tuple[list[int], list[int]]] = field(default_factory=list[tuple[list[int], list[int]]])
    _breaks: Places | None = None
    _before: int = 0
    _after: int | None = None

    def slice(self, start: int, end: int) -> bytes:
        """Copy some text."""
        return bytes(memoryview(self.data)[start:end])

    def first_byte(self, at: int) -> int:
        """Return the absolute offset in the artifact of what starts at a position."""
        return self.base + self.cleaning.start(at)

    def last_byte(self, at: int) -> int:
        """Return the absolute offset in the artifact of what ends at a position."""
        return self.base + self.cleaning.end(at)

    def raw_bytes(self, start: int, end: int) -> bytes:
        """Copy the bytes of the artifact behind some text."""
        return bytes(memoryview(self.raw)[self.cleaning.start(start) : self.cleaning.end(end)])

    def line_end(self, at: int) -> int:
        """Return where the line that holds a position ends (its line break, or the end of what is known)."""
        end = self.data.find(b"\n", at, self.top)
        return self.top if end < 0 else end

    def know_breaks(self, places: Places) -> None:
        """Take note of all line breaks from the byte before the block to its top, which were found for another purpose."""
        self._breaks = places
        self._before = bisect_left(places, self.low)

    def know_lines(self, places: list[int], counts: list[int]) -> None:
        """Take note of how many line breaks stand before places of the block, counted from the first; such stretches come in order."""
        self._known.append((places, counts))

    @property
    def breaks(self) -> tuple[Places, int] | None:
        """All line breaks from the byte before the block on and how many of them stand before it, where they are known."""
        return None if self._breaks is None else (self._breaks, self._before)

    @property
    def uncoded(self) -> bool:
        """Tell whether no code was taken out: positions then differ from offsets in the artifact by `base`."""
        return not self.cleaning.cuts

    def line_number(self, at: int) -> int:
        """Return the 1-based number of the line that holds a position."""
        if at < self.low:
            return self.line + 1 - self.data.count(b"\n", at, self.low)
        if self._breaks is not None:
            return self.line + 1 + bisect_left(self._breaks, at) - self._before
        marks = self._marks
        if marks is None and at == self.high and not self._known:
            return self._line_behind()
        if marks is None:
            marks = self._marks = self._count()
        step = bisect_right(marks, at) - 1
        return self._counts[step] + self.data.count(b"\n", marks[step], at) + 1

    def _line_behind(self) -> int:
        """Return the number of the line behind the block; nothing else of it is asked of most blocks."""
        if self._after is None:
            self._after = self.line + 1 + self.data.count(b"\n", self.low, self.high)
        return self._after

    def _count(self) -> list[int]:
        """Return places at which it is known how many line breaks stand before them."""
        marks, self._counts = [self.low], [self.line]
        for places, counts in self._known:
            self._count_up(marks, places[0])
            before = self._counts.pop()
            marks.pop()
            marks += places
            self._counts += [before + count for count in counts]
        self._count_up(marks, self.high)
        return marks

    def _count_up(self, marks: list[int], stop: int) -> None:
        """Go on with marks at even distances, and one at the end."""
        counts = self._counts
        for end in (*range(marks[-1] + _STEP, stop, _STEP), stop):
            counts.append(counts[-1] + self.data.count(b"\n", marks[-1], end))
            marks.append(end)


class Place(Struct, frozen=True):
    """Where a stream stands in its artifact: bytes and line breaks before its first byte.

    The first `context` bytes only serve to look back, and lines that begin at `stop` or later belong to others.
    """

    base: int = 0
    line: int = 0
    context: int = 0
    stop: int | None = None


_FRONT: Final = Place()


def blocks(stream: Reads, size: int = SIZE, place: Place = _FRONT) -> Iterator[Block]:
    """Yield the blocks of a stream in order; memory stays the same whatever it holds.

    A block ends behind a line break. A line longer than a block is cut at a multiple of `REACH` bytes.
    """
    buffer, other = bytearray(BEHIND + size + AHEAD + 1), bytearray()
    room = len(buffer) - 1
    low, have, base, line = place.context, 0, place.base, place.line
    head, done = b"", False
    while not done:
        have += _fill(stream, memoryview(buffer)[have:room])
        final = have < room
        high = have if final else _cut(buffer, low, have - AHEAD, base)
        if place.stop is not None and place.stop - base <= (have if final else have - AHEAD):
            high, final, done = place.stop - base, False, True
        done = done or final
        padded = final and have > low and buffer[have - 1] != 10
        buffer[have] = 10
        text = clean(buffer, have + padded) if buffer.find(b"\x1b", 0, have) >= 0 else raw_only(buffer)
        block = Block(
            text.data, text.at(low), text.at(high), text.at(have), base, line, head, final, padded, text, buffer
        )
        yield block
        if done:
            return
        line = block.line_number(block.high) - 1
        other = other or bytearray(len(buffer))
        head = _head(buffer, low, high, head)
        keep = max(high - BEHIND, 0)
        memoryview(other)[: have - keep] = memoryview(buffer)[keep:have]
        low, have, base = high - keep, have - keep, base + keep
        buffer, other = other, buffer


def _fill(stream: Reads, view: memoryview) -> int:
    have = 0
    while have < len(view) and (count := stream.readinto(view[have:])):
        have += count
    return have


def _cut(buffer: bytearray, low: int, high: int, base: int) -> int:
    line = buffer.rfind(b"\n", low, high)
    if line >= 0:
        return line + 1
    return max((base + high) // REACH * REACH - base, low + 1)


def _head(buffer: bytearray, low: int, high: int, head: bytes) -> bytes:
    """Return the front of the line a block was cut in, or nothing when it ends with a line."""
    if high and buffer[high - 1] == 10:
        return b""
    line = buffer.rfind(b"\n", low, high)
    if line >= 0 or not head:
        start = low if line < 0 else line + 1
        return bytes(buffer[start : start + _HEAD])
    return head
