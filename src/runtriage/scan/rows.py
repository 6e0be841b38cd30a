"""Hands the lines behind a cue to its reader: those of one speaker, within a bounded stretch of text."""

from __future__ import annotations

from collections.abc import Iterator

from runtriage.scan.block import AHEAD, Block
from runtriage.scan.contract import LineReader, Row
from runtriage.scan.segment import Segment
from runtriage.scan.traceback_run import Run

_STACKED = (
    b" ",
    b"\t",
    b"File ",
    b"~",
    b"/",
    b"-",
    b"<",
    b"[",
    b"Cell In",
    b"Input In",
    b"C:\\",
    b"raise ",
    b"return ",
    b"assert ",
)
_LEAD_LINES = 64
LEAD_BYTES = 8 * 1024
"""Bytes in which a line of the same speaker is looked for above a line."""


def hangs(text: bytes) -> bool:
    """Tell whether a line may belong to a stack whose exception stands below it."""
    return text.startswith(_STACKED) or not text.strip()


class Lines:
    """The rows of one speaker from a segment on; `ends` holds where each row that was handed out ends."""

    def __init__(self, block: Block, reader: LineReader, segment: Segment, speaker: tuple[int, bytes]) -> None:
        self.block = block
        self.reader = reader
        self.segment = segment
        self.length, self.key = speaker
        self.ends: list[int] = []

    def rows(self, *, lead: bool, stack: int, block: bool) -> Iterator[Row]:
        """Yield the row before or the stack above (when asked for), the segment's own and, for a block, those that follow."""
        if lead:
            yield self._note(self.above())
        for row in self._stack(stack):
            yield self._note(row)
        segment = self.segment
        start = segment.start + (self.length if segment.start == segment.line else 0)
        yield self._note(Row(segment.start, segment.end, self.block.slice(start, max(segment.end, start))))
        if block:
            yield from self.below(self.block.line_end(segment.end) + 1)

    def _stack(self, most: int) -> list[Row]:
        """Return the rows directly above that may belong to a stack, at most so many."""
        rows: list[Row] = []
        line = self.segment.line
        while line > 0 and len(rows) < most:
            row = self._above(line)
            if row.start >= line or not hangs(row.text):
                break
            rows.append(row)
            line = self.block.data.rfind(b"\n", 0, row.start) + 1
        while rows and not rows[-1].text.strip():
            rows.pop()
        return rows[::-1]

    def _note(self, row: Row) -> Row:
        self.ends.append(row.end)
        return row

    def below(self, at: int, run: Run | None = None) -> Iterator[Row]:
        """Yield the rows from a line on."""
        data, key, ends, speaker = self.block.data, self.key, self.ends, self.reader.speaker
        stop = min(self.segment.start + AHEAD, self.block.top)
        mark = self._mark()
        while at < stop:
            if mark and run is not None:
                at = run.over(data, at, stop, key)
            if mark and (at := data.find(mark, at - 1, stop) + 1) <= 0:
                return
            if not mark and key and (at := self._holding(at, stop)) < 0:
                return
            end = data.find(b"\n", at, stop)
            end = stop if end < 0 else end
            line = bytes(data[at:end])
            length, told = speaker(line)
            if told == key:
                ends.append(end)
                yield _as_row(at, end, line, length)
            at = end + 1

    def _holding(self, at: int, stop: int) -> int:
        """Return the first line from one on that holds the speaker's name: all lines of the speaker do."""
        place = self.block.data.find(self.key, at, stop)
        return place if place < 0 else max(self.block.data.rfind(b"\n", at, place) + 1, at)

    def _mark(self) -> bytes:
        """Return what every line of the speaker begins with, or nothing where that differs from line to line."""
        return b"\n" + self.key if self.key and self.length - len(self.key) <= 1 else b""

    def _row(self, start: int, end: int) -> Row | None:
        """Return a line as a row, or None when another speaker printed it."""
        line = self.block.slice(start, end)
        length, key = self.reader.speaker(line)
        if key != self.key:
            return None
        return _as_row(start, end, line, length)

    def above(self, run: Run | None = None) -> Row:
        """Return the row before, an empty one where none is near."""
        segment = self.segment
        return self._empty(segment.start) if segment.line < 0 else self._above(segment.line, run)

    def _empty(self, at: int) -> Row:
        return Row(at, at, b"")

    def _above(self, line: int, run: Run | None = None) -> Row:
        """Return the row before a line of the block."""
        data, empty = self.block.data, self._empty(line)
        floor = max(line - LEAD_BYTES, 0)
        end = line - 1
        if mark := self._mark():
            top = line if run is None else run.under(line, self.key)
            start = data.rfind(mark, floor, top) + 1
            whole = floor == 0 and self.block.base == 0
            return (self._row(start, self.block.line_end(start)) if start or whole else None) or empty
        near = data.rfind(self.key, floor, max(end, floor))
        for _ in range(_LEAD_LINES):
            start = data.rfind(b"\n", floor, max(end, floor))
            if near < 0:
                return empty
            if start < 0 or end <= floor:
                return self._first_line(end, empty) if floor == 0 and self.block.base == 0 and end > 0 else empty
            if near > start:
                if (row := self._row(start + 1, end)) is not None:
                    return row
                near = data.rfind(self.key, floor, start)
            end = start
        return empty

    def _first_line(self, end: int, empty: Row) -> Row:
        return self._row(0, end) or empty


def _as_row(start: int, end: int, line: bytes, length: int) -> Row:
    """Return the part of a line behind its prefix that stayed on the screen."""
    if b"\r" not in line:
        return Row(start, end, line[length:])
    text = line[length:].rstrip(b"\r")
    back = text.rfind(b"\r") + 1
    return Row(start + length + back if back else start, end, text[back:])
