"""Whether a zip archive (what `torch.save`, Keras and NumPy write) is whole, from the directory at its end."""

from __future__ import annotations

import struct
from typing import NamedTuple

from runtriage.model.target import Seekable
from runtriage.parse.checkpoint_piece import WHOLE, Verdict, broken, read_at

_END = b"PK\x05\x06"
_END64 = b"PK\x06\x06"
_ENTRY = b"PK\x01\x02"
_COMMENT = 65_535
_END_SIZE, _LOCATOR_SIZE, _END64_SIZE, _ENTRY_SIZE = 22, 20, 56, 46
_FULL32 = 0xFFFFFFFF
_DIRECTORY = 16 << 20
"""Names are looked at in at most this much of a directory; a model of 100,000 tensors stays below it."""


class _Directory(NamedTuple):
    offset: int
    size: int
    before: int
    """Where the record that names the directory begins: the directory ends there at the latest."""


def inspect_zip(stream: Seekable, size: int) -> tuple[str, Verdict]:
    """Return the format (`torch`, `keras`, `numpy` or `zip`) and whether the archive is whole."""
    found = _find(stream, size)
    if found is None:
        return "zip", broken("cut: the archive lacks the directory at its end")
    if found.offset + found.size > found.before:
        return "zip", broken("the archive is shorter than its directory says")
    names = read_at(stream, found.offset, min(found.size, _DIRECTORY))
    if found.size and names[:4] != _ENTRY:
        return "zip", broken("the archive's directory is damaged")
    return _format(names), WHOLE


class Entry(NamedTuple):
    """A member of an archive: where its own header begins, its packed and its plain size, and the method it is packed with."""

    name: str
    offset: int
    packed: int
    size: int
    method: int


def entries(stream: Seekable, size: int) -> list[Entry]:
    """Return the members an archive's directory lists, at most those in its first 16 MiB; none where it has no directory."""
    found = _find(stream, size)
    if found is None:
        return []
    directory = read_at(stream, found.offset, min(found.size, _DIRECTORY))
    listed: list[Entry] = []
    at = 0
    while directory[at : at + 4] == _ENTRY and at + _ENTRY_SIZE <= len(directory):
        (method,) = struct.unpack_from("<H", directory, at + 10)
        packed, plain = struct.unpack_from("<II", directory, at + 20)
        name, extra, comment = struct.unpack_from("<HHH", directory, at + 28)
        (offset,) = struct.unpack_from("<I", directory, at + 42)
        text = directory[at + _ENTRY_SIZE : at + _ENTRY_SIZE + name].decode("utf-8", "replace")
        tail = at + _ENTRY_SIZE + name
        plain, packed, offset = _wide(directory[tail : tail + extra], plain, packed, offset)
        listed.append(Entry(text, offset, packed, plain, method))
        at = tail + extra + comment
    return listed


def _wide(extra: bytes, plain: int, packed: int, offset: int) -> tuple[int, int, int]:
    """Return sizes and offset, those that did not fit 32 bits from the ZIP64 field (id 1), in its fixed order."""
    at = 0
    while at + 4 <= len(extra):
        kind, length = struct.unpack_from("<HH", extra, at)
        if kind == 1:
            values = iter(struct.unpack_from(f"<{min(length, len(extra) - at - 4) // 8}Q", extra, at + 4))
            plain = next(values, plain) if plain == _FULL32 else plain
            packed = next(values, packed) if packed == _FULL32 else packed
            return plain, packed, next(values, offset) if offset == _FULL32 else offset
        at += 4 + length
    return plain, packed, offset


def data_offset(stream: Seekable, entry: Entry) -> int | None:
    """Return where the bytes of a member begin, None where its own header is damaged."""
    head = read_at(stream, entry.offset, 30)
    if len(head) < 30 or head[:4] != b"PK\x03\x04":
        return None
    name, extra = struct.unpack_from("<HH", head, 26)
    return entry.offset + 30 + name + extra


def _find(stream: Seekable, size: int) -> _Directory | None:
    start = max(size - _END_SIZE - _COMMENT, 0)
    tail = read_at(stream, start, size - start)
    at = tail.rfind(_END)
    if at < 0 or len(tail) - at < _END_SIZE:
        return None
    length, offset = struct.unpack_from("<II", tail, at + 12)
    end = start + at
    if offset != _FULL32 and length != _FULL32:
        return _Directory(offset, length, end)
    return _find64(stream, end)


def _find64(stream: Seekable, end: int) -> _Directory | None:
    locator = read_at(stream, max(end - _LOCATOR_SIZE, 0), _LOCATOR_SIZE)
    if len(locator) < _LOCATOR_SIZE or locator[:4] != b"PK\x06\x07":
        return None
    (at,) = struct.unpack_from("<Q", locator, 8)
    if at > end:
        return None
    record = read_at(stream, at, _END64_SIZE)
    if len(record) < _END64_SIZE or record[:4] != _END64:
        return None
    length, offset = struct.unpack_from("<QQ", record, 40)
    return _Directory(offset, length, at)


def _format(names: bytes) -> str:
    for ending, form in ((b"data.pkl", "torch"), (b".weights.h5", "keras"), (b".npy", "numpy")):
        if ending in names:
            return form
    return "zip"
