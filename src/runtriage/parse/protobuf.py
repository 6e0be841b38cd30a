"""The wire format of protocol buffers, as far as records of trackers need it."""

from __future__ import annotations

import struct
from collections.abc import Iterator

Value = int | bytes
"""A varint as an unsigned number, anything else as its bytes."""

_DOUBLE = struct.Struct("<d")
_FLOAT = struct.Struct("<f")
_MAX_VARINT = 10


class WireError(ValueError):
    """Bytes that are no message."""


def fields(content: bytes) -> Iterator[tuple[int, Value]]:
    """Yield (field number, value) in order. Raises `WireError` where the bytes are no message."""
    at, end = 0, len(content)
    while at < end:
        number, value, at = field(content, at)
        yield number, value


def field(content: bytes, at: int) -> tuple[int, Value, int]:
    """Return number and value of the field that begins at a place, and where it ends. Raises `WireError`."""
    tag, at = varint(content, at)
    wire = tag & 7
    if wire == 0:
        number, at = varint(content, at)
        return tag >> 3, number, at
    if wire == 2:
        length, at = varint(content, at)
    elif wire in (1, 5):
        length = 8 if wire == 1 else 4
    else:
        raise WireError("a wire type that is not used")
    if length > len(content) - at:
        raise WireError("a field that is longer than its message")
    return tag >> 3, content[at : at + length], at + length


def varint(content: bytes, at: int) -> tuple[int, int]:
    """Return a number and where it ends. Raises `WireError` where it has no end."""
    value = shift = 0
    for position in range(at, min(at + _MAX_VARINT, len(content))):
        byte = content[position]
        value |= (byte & 127) << shift
        if byte < 128:
            return value, position + 1
        shift += 7
    raise WireError("a number without an end")


def text(value: Value) -> str:
    """Return a string field; what is no UTF-8 becomes U+FFFD."""
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)


def signed(value: Value, bits: int = 64) -> int:
    """Return an int32 or int64 field; negative ones are stored as ten bytes."""
    number = value if isinstance(value, int) else 0
    number &= (1 << 64) - 1
    return number - (1 << 64) if number >> 63 else number if bits == 64 else number & 0xFFFFFFFF


def double(value: Value) -> float:
    """Return a double field. Raises `WireError`."""
    if not isinstance(value, bytes) or len(value) != 8:
        raise WireError("no double")
    return _DOUBLE.unpack(value)[0]


def single(value: Value) -> float:
    """Return a float field. Raises `WireError`."""
    if not isinstance(value, bytes) or len(value) != 4:
        raise WireError("no float")
    return _FLOAT.unpack(value)[0]


def submessage(value: Value) -> Iterator[tuple[int, Value]]:
    """Yield the fields of a message in a field. Raises `WireError`."""
    if not isinstance(value, bytes):
        raise WireError("no message")
    return fields(value)
