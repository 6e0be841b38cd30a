"""Event files of TensorBoard: records with a length and checksums around one message each."""

from __future__ import annotations

import struct
from collections.abc import Iterator

from runtriage.model.artifact import Artifact
from runtriage.model.pattern import deferred
from runtriage.model.target import ByteStream
from runtriage.parse.document import Parsed, Parser
from runtriage.parse.metrics_growing import Board
from runtriage.parse.metrics_progress import progress_of
from runtriage.parse.path_rank import evaluates, subject_of
from runtriage.parse.piecewise import Pieces
from runtriage.parse.protobuf import WireError
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
    plain = Plain()
    for record in records:
        try:
            found = plain.scalar(record) or scalars(record)
            for time, step, tag, value in found:
                column = board.column(tag)
                if column is not None:
                    column.add(step, value, time)
        except WireError:
            records.cut = f"a record before byte {pieces.at:,} is no event; what follows was read"
    series = board.series(artifact.path, subject_of(artifact))
    return Parsed(
        series=series,
        progress=progress_of(artifact, series),
        bytes_read=pieces.at,
        cut=records.cut or board.cut(),
    )


class Records:
    """The records of an event file that are whole. `cut` says why reading ended before the end of the file."""

    def __init__(self, pieces: Pieces) -> None:
        self._pieces = pieces
        self._sums: dict[int, bytes] = {}
        self.cut: str | None = None

    def __iter__(self) -> Iterator[bytes]:
        while (header := self._pieces.take(_HEADER.size)) is not None:
            length, told = _HEADER.unpack(header)
            if told != self._sum(length, header[:8]):
                self.cut = f"damaged at byte {self._pieces.at - _HEADER.size:,}; nothing after it was read"
                return
            if length > _LARGEST:
                if not self._pieces.skip(length + 4):
                    return
                continue
            record = self._pieces.take(length + 4)
            if record is None:
                return
            yield record[:-4]

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
