"""Event files of TensorBoard and offline runs of W&B, written as their own libraries write them."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable, Iterator

from runtriage.parse.tfevents import _masked

_BLOCK = 32_768


def varint(number: int) -> bytes:
    number &= (1 << 64) - 1
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    return bytes([*out, number])


def field(number: int, value: int | float | bytes | str) -> bytes:
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    if isinstance(value, float):
        return varint(number << 3 | 1) + struct.pack("<d", value)
    content = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(content)) + content


def single(number: int, value: float) -> bytes:
    return varint(number << 3 | 5) + struct.pack("<f", value)


def framed(event: bytes) -> bytes:
    header = struct.pack("<Q", len(event))
    return header + _masked(header) + event + _masked(event)


def event(step: int, value: bytes, time: float = 1.7e9) -> bytes:
    return field(1, time) + (field(2, step) if step else b"") + field(5, field(1, value))


def scalar(tag: str, step: int, value: float) -> bytes:
    return event(step, field(1, tag) + single(2, value))


def tensor(tag: str, step: int, value: float, *, packed: bool = False) -> bytes:
    held = field(4, struct.pack("<f", value)) if packed else field(5, struct.pack("<f", value))
    return event(step, field(1, tag) + field(8, field(1, 1) + field(2, b"") + held))


def event_file(events: Iterable[bytes]) -> bytes:
    return b"".join(map(framed, [field(1, 1.7e9) + field(3, "brain.Event:2"), *events]))


def history(step: int, **values: str) -> bytes:
    items = b"".join(
        field(1, field(2, name) + field(16, value)) for name, value in {"_step": str(step), **values}.items()
    )
    return field(2, items)


def output(text: str, stream: int = 1) -> bytes:
    return field(13, field(1, stream) + field(3, text))


def offline_run(records: Iterable[bytes]) -> bytes:
    return b"".join(offline_parts(records))


def offline_parts(records: Iterable[bytes]) -> Iterator[bytes]:
    part = b":W&B" + struct.pack("<HB", 0xBEE1, 0)
    yield part
    at = len(part)
    for record in records:
        part = _record(record, at)
        yield part
        at += len(part)


def _record(record: bytes, at: int) -> bytes:
    out, first = bytearray(), True
    while True:
        left = _BLOCK - (at + len(out)) % _BLOCK
        if left < 7:
            out += b"\0" * left
            continue
        piece, record = record[: left - 7], record[left - 7 :]
        kind = (1 if first else 4) if not record else (2 if first else 3)
        out += struct.pack("<IHB", zlib.crc32(piece, zlib.crc32(bytes([kind]))), len(piece), kind) + piece
        first = False
        if not record:
            return bytes(out)
