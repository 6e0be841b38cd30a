"""Event files of TensorBoard: records with a length and checksums around one message each."""

from __future__ import annotations

import struct
from collections.abc import Iterator

from runtriage.model.artifact import Artifact
from runtriage.model.pattern import deferred
from runtriage.model.target import ByteStream
from runtriage.parse.document import Parsed, Parser
from runtriage.parse.metrics_board import Board
from runtriage.parse.metrics_progress import progress_of
from runtriage.parse.path_rank import evaluates, subject_of
from runtriage.parse.piecewise import Pieces
from runtriage.parse.protobuf import WireError
from runtriage.parse.tfevents_cycle import HEADER, Rounds
from runtriage.parse.tfevents_event import Plain, scalars

_NAME = deferred(r"(?:^|/)[^/]*tfevents\.[^/]*\Z")
_VERSION = b"brain.Event:"
_HEADER = struct.Struct("<Q4s")
_LARGEST = 16 << 20
"""Longer records hold pictures and graphs; no scalar is near it."""
_MASK = 0xA282EAD8


def claims(artifact: Artifact, head: bytes) -> bool:
    """Tell whether the file is an event file, by its name or its first record."""
    return _VERSION in head[:64] or (artifact.kind == "metrics" and _NAME.search(artifact.path) is not None)


def read(artifact: Artifact, stream: ByteStream) -> Parsed:
    """Return each scalar as a series; a last record that is not whole is what a killed writer leaves."""
    pieces = Pieces(stream)
    board = Board(evaluating=evaluates(artifact.path))
    records = Records(pieces)
    rounds = Rounds(board)
    plain = Plain()
    for frame in records:
        try:
            tag = _take(frame[HEADER:], plain, board)
        except WireError:
            records.cut = f"a record before byte {pieces.at:,} is no event; what follows was read"
            continue
        found = rounds.met(tag, frame)
        if found is not None:
            board.expect((artifact.size or 0) // found.parts.size)
            records.pass_over(rounds.take(found, records.ahead()))
    series = board.series(artifact.path, subject_of(artifact))
    return Parsed(
        series=series,
        progress=progress_of(artifact, series),
        bytes_read=pieces.at,
        cut=records.cut or board.cut(),
    )


def _take(record: bytes, plain: Plain, board: Board) -> str | None:
    """Take an event in; return the tag of its scalar where it holds just one. Raises `WireError`."""
    alone = plain.scalar(record)
    tags: list[str] = []
    for time, step, tag, value in (alone,) if alone is not None else scalars(record):
        tags.append(tag)
        column = board.column(tag)
        if column is not None:
            column.add(step, value, time)
    return tags[0] if len(tags) == 1 else None


class Records:
    """The records of an event file that are whole, each behind its header. `cut` says why reading ended before the end of the file."""

    def __init__(self, pieces: Pieces) -> None:
        self._pieces = pieces
        self._sums: dict[int, bytes] = {}
        self._held = b""
        self._at = 0
        self.cut: str | None = None

    def ahead(self) -> memoryview:
        """Return what is at hand of the records that follow."""
        return memoryview(self._held)[self._at :]

    def pass_over(self, size: int) -> None:
        """Go on behind records that were read from what is at hand."""
        self._at += size

    def __iter__(self) -> Iterator[bytes]:
        while True:
            while len(self._held) - self._at < _HEADER.size:
                more = self._pieces.some()
                if not more:
                    return
                self._held, self._at = self._held[self._at :] + more, 0
            length, told = _HEADER.unpack_from(self._held, self._at)
            if told != self._sums.get(length) and told != self._sum(length, self._held[self._at : self._at + 8]):
                place = self._pieces.at - len(self._held) + self._at
                self.cut = f"damaged at byte {place:,}; nothing after it was read"
                return
            start, self._at = self._at, self._at + _HEADER.size + length + 4
            if self._at > len(self._held):
                record = self._across(self._held[start:], _HEADER.size + length + 4)
                if record is None:
                    return
                self._held, self._at = b"", 0
                if length <= _LARGEST:
                    yield record[:-4]
            elif length <= _LARGEST:
                yield self._held[start : self._at - 4]

    def _across(self, begun: bytes, size: int) -> bytes | None:
        """Return a record that goes on behind what is at hand; of one that is too long nothing is kept."""
        if size - 4 - _HEADER.size > _LARGEST:
            return b"" if self._pieces.skip(size - len(begun)) else None
        rest = self._pieces.take(size - len(begun))
        return None if rest is None else begun + rest

    def _sum(self, length: int, content: bytes) -> bytes:
        found = self._sums.get(length)
        if found is None:
            found = _masked(content)
            if len(self._sums) < 4096:
                self._sums[length] = found
        return found


def _table() -> list[int]:
    rows: list[int] = []
    for row in range(256):
        value = row
        for _ in range(8):
            value = (value >> 1) ^ 0x82F63B78 if value & 1 else value >> 1
        rows.append(value)
    return rows


_TABLE = _table()


def _masked(content: bytes) -> bytes:
    """Return CRC-32C of bytes, rotated and shifted as the format stores it."""
    crc = 0xFFFFFFFF
    for byte in content:
        crc = _TABLE[(crc ^ byte) & 255] ^ (crc >> 8)
    crc ^= 0xFFFFFFFF
    return struct.pack("<I", (((crc >> 15) | (crc << 17)) + _MASK) & 0xFFFFFFFF)


PARSERS = (Parser(id="metrics-events", claims=claims, read=read),)
