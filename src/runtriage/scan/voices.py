"""Remembers the last line of everyone who speaks in a log."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from msgspec import Struct

from runtriage.model.place import Citation
from runtriage.scan.block import AHEAD, BEHIND, Block
from runtriage.scan.contract import LineReader
from runtriage.scan.find import REACH, Engine, Presence
from runtriage.scan.segment import Segment

_SPEAKERS: Final = 2048
_SAMPLE_LINES: Final = 512
_FEW: Final = 128
"""Prefixes that are looked for one by one at the end of an artifact, where compiling them would serve only once."""
_WINDOWS: Final = 16
"""Windows of `AHEAD` bytes at the front of an artifact from which prefixes are learnt."""


class Heard(Struct, frozen=True):
    """A last line: its words behind the speaker's prefix, its line number, offset and raw bytes."""

    words: bytes
    line: int
    byte: int
    raw: bytes

    def citation(self, artifact: str) -> Citation:
        """Cite it."""
        return Citation(
            artifact=artifact,
            first_line=self.line,
            last_line=self.line,
            byte_start=self.byte,
            byte_end=self.byte + len(self.raw),
            sha256=hashlib.sha256(self.raw).hexdigest(),
        )


class _Stretch(NamedTuple):
    """Part of a block in which these speakers were heard; where exactly is only looked up once they fall silent."""

    block: Block
    low: int
    high: int
    present: frozenset[bytes]


class Known(NamedTuple):
    """The prefixes of an artifact, each with the offset from which on it is looked for, and what finds them."""

    prefixes: dict[bytes, int]
    presence: Presence | None


class Voices:
    """The prefixes that lines begin with, and what was heard last behind each of them (or of all, where a log begins without: b"")."""

    def __init__(self, engine: Engine, reader: LineReader) -> None:
        self._engine = engine
        self._reader = reader
        self._prefixes: dict[bytes, int] = {}
        self._plain = True
        self._presence: Presence | None = None
        self._before: _Stretch | None = None
        self._heard: dict[bytes, Heard] = {}

    def sample(self, text: bytes) -> None:
        """Learn prefixes from the first lines of an artifact."""
        self._learn(b"\n".join(text.split(b"\n", _SAMPLE_LINES)[:_SAMPLE_LINES]), 0)
        self._plain = not self._prefixes

    def study(self, block: Block) -> None:
        """Learn from the windows that begin in a block."""
        for window in range(max(-(-block.first_byte(block.low) // AHEAD), 1), _WINDOWS):
            at = block.cleaning.at(window * AHEAD - block.base)
            if at >= block.high:
                return
            stop = block.cleaning.at((window + 1) * AHEAD - block.base)
            self.recall(window, block.slice(at, min(stop, block.top)))

    @staticmethod
    def windows(start: int) -> range:
        """Return the windows that begin before an offset, without the first."""
        return range(1, min(-(-start // AHEAD), _WINDOWS))

    @staticmethod
    def knows_all(start: int) -> bool:
        """Tell whether nothing more is learnt by a stretch that begins at an offset."""
        return start >= _WINDOWS * AHEAD

    @property
    def known(self) -> Known:
        """What another stretch of the same artifact, behind the windows, can take over."""
        return Known(self._prefixes, self._presence)

    def take_over(self, known: Known) -> None:
        """Know what was learnt for another stretch behind the windows."""
        self._prefixes, self._presence = known

    def recall(self, window: int, text: bytes) -> None:
        """Learn from one window; what it teaches holds from where it begins."""
        first, last = text.find(b"\n"), text.rfind(b"\n")
        if first < last:
            self._learn(text[first + 1 : last], window * AHEAD)

    def _learn(self, text: bytes, since: int) -> None:
        for prefix in self._reader.prefixes(text):
            if prefix and prefix not in self._prefixes and len(self._prefixes) < _SPEAKERS:
                self._prefixes[prefix] = since
                self._presence = None

    def listen(self, block: Block, low: int, high: int) -> None:
        """Take the next stretch of text. The block before is still readable then: whoever was heard there and not here is looked up."""
        if low >= high:
            return
        present = self._present(block, low, high)
        before, self._before = self._before, _Stretch(block, low, high, present)
        if before is not None:
            self._look_up(before, before.present - present)

    def close(self) -> list[Heard]:
        """Return the last lines so far and forget them."""
        if self._before is not None:
            self._look_up(self._before, self._before.present)
        heard, self._heard, self._before = list(self._heard.values()), {}, None
        return heard

    def _present(self, block: Block, low: int, high: int) -> frozenset[bytes]:
        blank = not self._plain or (high - low < REACH and not block.data[low:high].strip())
        found = set[bytes]() if blank else {b""}
        if not self._prefixes:
            return frozenset(found)
        start = max(low - 1, 0)
        if self._presence is None and block.final and len(self._prefixes) <= _FEW:
            found.update(prefix for prefix in self._prefixes if block.data.rfind(b"\n" + prefix, start, high) >= 0)
        else:
            if self._presence is None:
                self._presence = self._engine.presence([b"\n" + prefix for prefix in self._prefixes])
            prefixes = list(self._prefixes)
            found.update(prefixes[index] for index in self._presence.among(block.data, start, high))
        if low == 0 and block.base == 0:
            first = block.slice(0, min(256, high))
            if length := self._reader.speaker(first)[0]:
                found.add(first[:length])
        return frozenset(found)

    def _look_up(self, stretch: _Stretch, prefixes: Iterable[bytes]) -> None:
        block, low, high, _ = stretch
        for prefix in sorted(prefixes):
            if not prefix:
                self._last_of_all(block, low, high)
                continue
            since = block.cleaning.at(max(self._prefixes.get(prefix, 0) - block.base, 0))
            at = block.data.rfind(b"\n" + prefix, max(low - 1, since - 1, 0), high)
            if at >= 0 or (low == 0 and block.base == 0 and block.data.startswith(prefix)):
                self._hear(block, prefix, at + 1, block.top if high == block.high else high)

    def _last_of_all(self, block: Block, low: int, high: int) -> None:
        end = high
        while end > low:
            end = end - 1 if block.data[end - 1] == 10 else end
            start = max(block.data.rfind(b"\n", low, end) + 1, low)
            if block.slice(start, min(end, start + REACH)).strip():
                self._hear(block, b"", start, high)
                return
            end = start

    def _hear(self, block: Block, prefix: bytes, start: int, high: int) -> None:
        end = block.data.find(b"\n", start, high)
        end = high if end < 0 else end
        found = _last_part(block, start, end)
        own = found.start == start
        words = block.slice(found.start, found.end)
        self._heard[prefix] = heard(block, words if own else prefix + words, found)

    def ending(self, block: Block, low: int, high: int) -> Iterator[tuple[bytes, Segment]]:
        """Yield the lines that begin within [low, high) and its last `BEHIND` bytes, last first: who speaks there may have no prefix."""
        end, floor = high, max(high - BEHIND, low)
        data = block.data
        while end > floor:
            end = end - 1 if data[end - 1] == 10 else end
            line = data.rfind(b"\n", max(floor - 1, 0), end)
            if line < 0 and (floor > 0 or block.base > 0):
                return
            start = line + 1
            words = block.slice(start, end)
            if len(words) <= REACH and b"\r" not in words:
                if words and not words.isspace():
                    yield words, Segment(start, end, start, True)
            else:
                part = _last_part(block, start, end)
                words = block.slice(part.start, part.end)
                if words.strip():
                    front = block.slice(start, min(start + 256, end))
                    yield (b"" if part.start == start else front[: self._reader.speaker(front)[0]]) + words, part
            end = start


def heard(block: Block, words: bytes, part: Segment) -> Heard:
    """Return a line as something heard."""
    return Heard(
        words, block.line_number(part.start), block.first_byte(part.start), block.raw_bytes(part.start, part.end)
    )


def _last_part(block: Block, start: int, end: int) -> Segment:
    """Return the last part of a line that is not blank, at most `REACH` bytes of it."""
    floor = max(end - REACH, start)
    stop = end
    while stop > floor:
        back = block.data.rfind(b"\r", floor, stop) + 1
        begin = max(back, floor)
        if block.slice(begin, stop).strip():
            return Segment(begin, stop, start, True)
        stop = begin - 1
    return Segment(floor, end, start, True)
