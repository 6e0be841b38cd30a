"""The scalars of one event: written as plain numbers, or as tensors with one element."""

from __future__ import annotations

import math
import re
import struct
from collections.abc import Iterator
from typing import NamedTuple

from runtriage.parse.protobuf import Value, double, fields, signed, single, submessage, text

_NUMBERS = {1: "f", 2: "d", 3: "i", 9: "q", 19: "e"}
"""Type of a tensor to how its bytes are laid out, little-endian."""
_TAG = 200


class Scalar(NamedTuple):
    """Time in seconds since 1970 (NaN where none is told), step, tag and value."""

    time: float
    step: int
    tag: str
    value: float


def scalars(record: bytes) -> Iterator[Scalar]:
    """Yield the scalars of an event; pictures, texts and distributions are passed over. Raises `WireError`."""
    time, step = math.nan, 0
    summaries: list[Value] = []
    for number, value in fields(record):
        if number == 1:
            time = double(value)
        elif number == 2:
            step = signed(value)
        elif number == 5:
            summaries.append(value)
    for summary in summaries:
        for number, value in submessage(summary):
            if number == 1:
                found = _value(value)
                if found is not None:
                    yield Scalar(time, step, found[0][:_TAG], found[1])


def _value(content: Value) -> tuple[str, float] | None:
    tag, told = "", None
    for number, value in submessage(content):
        if number == 1:
            tag = text(value)
        elif number == 2:
            told = single(value)
        elif number == 8:
            told = _tensor(value)
    return None if told is None or not tag else (tag, told)


def _tensor(content: Value) -> float | None:
    kind, elements, found = 0, 1, None
    for number, value in submessage(content):
        if number == 1:
            kind = signed(value)
        elif number == 2:
            elements = _elements(value)
        elif number in (4, 5, 6):
            layout = {4: _NUMBERS.get(kind), 5: "f", 6: "d"}[number]
            found = _first(value, layout) if layout else None
        elif number in (7, 10) and isinstance(value, int):
            found = float(signed(value))
    return found if elements == 1 and (kind in _NUMBERS) else None


def _elements(shape: Value) -> int:
    count = 1
    for number, value in submessage(shape):
        if number == 2:
            count *= next((signed(size) for field, size in submessage(value) if field == 1), 0)
    return count


def _first(value: Value, layout: str) -> float | None:
    if not isinstance(value, bytes) or len(value) != struct.calcsize(f"<{layout}"):
        return None
    return float(struct.unpack(f"<{layout}", value)[0])


class Plain:
    """Knows the shape nearly every scalar is written in, and reads it without taking the event apart."""

    _match = re.compile(
        rb"\x09(.{8})(?:\x10([\x80-\xff]{0,9}[\x00-\x7f]))?\x2a([\x00-\x7f])\x0a([\x00-\x7f])\x0a([\x00-\x7f])(.{1,120})\x15(.{4})",
        re.DOTALL,
    ).fullmatch
    _double = struct.Struct("<d").unpack
    _single = struct.Struct("<f").unpack

    def __init__(self) -> None:
        self._names: dict[bytes, str] = {}

    def scalar(self, record: bytes) -> tuple[float, int, str, float] | None:
        """Return the fields of a `Scalar` for an event of that shape, None for any other."""
        found = self._match(record)
        if found is None:
            return None
        time, step, summary, value, length, tag, number = found.groups()
        size = length[0]
        if len(tag) != size or value[0] != size + 7 or summary[0] != size + 9:
            return None
        at = 0
        if step is not None:
            for byte in reversed(step):
                at = (at << 7) | (byte & 127)
            if at >> 63:
                at = signed(at)
        name = self._names.get(tag) or self._name(tag)
        return self._double(time)[0], at, name, self._single(number)[0]

    def _name(self, tag: bytes) -> str:
        name = tag.decode("utf-8", "replace")
        if len(self._names) < 4096:
            self._names[tag] = name
        return name
