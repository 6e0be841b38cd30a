"""Events that repeat: the same tags in the same order, where only times, steps and values differ, are read many at a time.

No format is built in. Where the time, the step and the value of an event stand is found by putting other bytes there and asking
the reader of single events again; whatever then differs anywhere else is left to that reader.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from itertools import islice

from msgspec import Struct

from runtriage.parse.metrics_board import Board
from runtriage.parse.protobuf import WireError
from runtriage.parse.tfevents_event import Scalar, scalars

HEADER = 12
FOOTER = 4
_LONGEST = 512
"""Events a round has at most."""
_KNOWN = 4096
_TRIED = 8
"""Rounds that are tried first; while all of them fit, twice as many the next time."""
_PAUSE = 64


class Form(Struct, frozen=True):
    """How one event is laid out in its frame: the format of its parts, and those that never differ, by place among them."""

    tag: str
    layout: str
    fixed: tuple[tuple[int, bytes], ...]
    parts: int
    size: int


class Round(Struct, frozen=True):
    """Events that follow one another again and again."""

    forms: tuple[Form, ...]
    parts: struct.Struct


def form_of(frame: bytes) -> Form | None:
    """Return the form of an event with one scalar whose step is told, None for any other; `frame` is without what follows the event."""
    record = frame[HEADER:]
    found = _only(record)
    step = record[10:20]
    length = next((at + 1 for at, byte in enumerate(step) if byte < 128), 0)
    if found is None or record[0:1] != b"\x09" or record[9:10] != b"\x10" or not length:
        return None
    for kind in ("f", "d"):
        try:
            value_at = record.find(struct.pack(f"<{kind}", found.value), 10 + length)
        except OverflowError:
            continue
        if value_at > 0 and _proved(record, found, length, value_at, kind):
            return _form(frame, found.tag, length, value_at + HEADER, kind)
    return None


def _form(frame: bytes, tag: str, length: int, value_at: int, kind: str) -> Form:
    behind = value_at + struct.calcsize(f"<{kind}")
    first, second, third = frame[: HEADER + 1], frame[HEADER + 10 + length : value_at], frame[behind:]
    layout = f"{len(first)}sd1s{length}s{len(second)}s{kind}{len(third)}s{FOOTER}x"
    return Form(tag, layout, ((0, first), (2, b"\x10"), (4, second), (6, third)), 7, len(frame) + FOOTER)


def _only(record: bytes) -> Scalar | None:
    try:
        found = list(islice(scalars(record), 2))
    except WireError:
        return None
    return found[0] if len(found) == 1 else None


def _proved(record: bytes, found: Scalar, length: int, value_at: int, kind: str) -> bool:
    """Tell whether other bytes at these places are another time, step and value, and nothing else."""
    other = bytearray(record)
    other[1:9] = struct.pack("<d", 0.5)
    other[10 : 10 + length] = b"\x81" * (length - 1) + b"\x01"
    other[value_at : value_at + struct.calcsize(f"<{kind}")] = struct.pack(f"<{kind}", 0.15625)
    step = sum(1 << 7 * at for at in range(length))
    return length < 10 and _only(bytes(other)) == Scalar(0.5, step, found.tag, 0.15625)


class Steps(dict[bytes, float]):
    """Numbers as they stand in a message; what is none is missing."""

    def __missing__(self, held: bytes) -> float:
        """Read a number, and keep it while there are not too many."""
        if held[-1] > 127 or any(byte < 128 for byte in held[:-1]):
            return -1.0
        number = float(sum((byte & 127) << 7 * at for at, byte in enumerate(held)))
        if len(self) < 1 << 16:
            self[held] = number
        return number


class Rounds:
    """Notices that events repeat, and reads those that follow at once."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self._recent: dict[str, bytes] = {}
        self._forms: dict[tuple[str, int], Form | None] = {}
        self._steps = Steps()
        self._tried = _TRIED
        self._wait = 0
        self._pause = _PAUSE

    def met(self, tag: str | None, frame: bytes) -> Round | None:
        """Take note of an event that was read by itself, None for one without a single scalar; return a round where it closes one."""
        if self._wait:
            self._wait -= 1
            return None
        if tag is None or len(self._recent) >= _LONGEST:
            self._recent.clear()
            return None
        met = list(self._recent).index(tag) + 1 if tag in self._recent else 0
        if not met:
            self._recent[tag] = frame
            return None
        forms = [self._form(*each) for each in (*islice(self._recent.items(), met, None), (tag, frame))]
        self._recent.clear()
        known = [form for form in forms if form is not None]
        if len(known) < len(forms):
            self._idle()
            return None
        return Round(tuple(known), struct.Struct("<" + "".join(form.layout for form in known)))

    def _form(self, tag: str, frame: bytes) -> Form | None:
        key = (tag, len(frame))
        found = self._forms.get(key)
        if found is None or not frame.startswith(found.fixed[0][1]):
            found = form_of(frame)
            if len(self._forms) < _KNOWN:
                self._forms[key] = found
        return found

    def _idle(self) -> None:
        self._wait, self._pause = self._pause, min(self._pause * 2, _PAUSE * 64)

    def take(self, found: Round, held: memoryview) -> int:
        """Read the rounds that `held` begins with and return how many bytes they are."""
        size, at = found.parts.size, 0
        while True:
            count = min((len(held) - at) // size, self._tried)
            good = self._read(found, held[at : at + count * size]) if count else 0
            at += good * size
            if good < count:
                self._tried = _TRIED
            if good < count or not count:
                break
            self._tried *= 2
        if at:
            self._pause = _PAUSE
        elif len(held) >= size:
            self._idle()
        return at

    def _read(self, found: Round, held: memoryview) -> int:
        columns = list(zip(*found.parts.iter_unpack(held), strict=True))
        count = len(columns[0])
        for place, form in enumerate(found.forms):
            for part, content in form.fixed:
                count = _alike(columns[place * form.parts + part], content, count)
        told: list[list[float]] = []
        for place, form in enumerate(found.forms):
            told.append([self._steps[step] for step in columns[place * form.parts + 3][:count]])
            if -1.0 in told[-1]:
                count = told[-1].index(-1.0)
        for place, form in enumerate(found.forms):
            column = self._board.column(form.tag)
            if column is not None and count:
                values = columns[place * form.parts + 5][:count]
                column.gather(values, told[place][:count], columns[place * form.parts + 1][:count])
        return count


def _alike(column: Sequence[bytes], content: bytes, count: int) -> int:
    """Return how many of the first ones are as they should be."""
    if column.count(content) == len(column):
        return count
    return next((at for at in range(count) if column[at] != content), count)
