"""Core dumps: which program left them and by which signal, from the notes at their start. Memory is never read."""

from __future__ import annotations

import signal
import struct
from collections.abc import Iterator
from typing import NamedTuple

from runtriage.model.artifact import Artifact
from runtriage.model.target import ByteStream, Seekable
from runtriage.parse.checkpoint_piece import read_at
from runtriage.parse.document import Parsed, Parser

_HEADER, _SEGMENT, _NOTE = 64, 56, 12
_CORE, _NOTES, _X86_64, _AARCH64 = 4, 4, 62, 183
_STATUS, _PROGRAM = 1, 3
_SEGMENTS = 64
_NOTES_READ = 1 << 20


class _Core(NamedTuple):
    program: str
    signal: int | None


def claims(artifact: Artifact, head: bytes) -> bool:
    """Tell whether the artifact is a core dump."""
    return artifact.kind == "core"


def read(artifact: Artifact, stream: ByteStream) -> Parsed:
    """Name the dump for the reader; what it holds takes a debugger."""
    core = _inspect(stream) if artifact.encoding is None and isinstance(stream, Seekable) else None
    if core is None:
        return Parsed(left_out="a core dump; a debugger reads it")
    number = f", ended by {_named(core.signal)}" if core.signal else ""
    return Parsed(left_out=f"a core dump of {core.program or 'a program'}{number}; a debugger reads it")


def _named(number: int) -> str:
    return signal.Signals(number).name if number in set(signal.Signals) else f"signal {number}"


def _inspect(stream: Seekable) -> _Core | None:
    header = read_at(stream, 0, _HEADER)
    if len(header) < _HEADER or header[:6] != b"\x7fELF\x02\x01":
        return None
    kind, machine = struct.unpack_from("<HH", header, 16)
    (table,) = struct.unpack_from("<Q", header, 32)
    size, count = struct.unpack_from("<HH", header, 54)
    if kind != _CORE or machine not in (_X86_64, _AARCH64) or size != _SEGMENT:
        return None
    segments = read_at(stream, table, min(count, _SEGMENTS) * _SEGMENT)
    for at in range(0, len(segments) - _SEGMENT + 1, _SEGMENT):
        if struct.unpack_from("<I", segments, at)[0] == _NOTES:
            offset, length = (
                struct.unpack_from("<Q", segments, at + 8)[0],
                struct.unpack_from("<Q", segments, at + 32)[0],
            )
            return _told(read_at(stream, offset, min(length, _NOTES_READ)))
    return None


def _told(notes: bytes) -> _Core:
    """Read the first thread's status (the signal is its first number) and the program's record (its name is at byte 40)."""
    program, ended = "", None
    for kind, body in _notes(notes):
        if kind == _STATUS and ended is None and len(body) >= 4:
            (ended,) = struct.unpack_from("<i", body)
        elif kind == _PROGRAM and not program and len(body) >= 56:
            name = body[40:56].split(b"\0")[0].decode("ascii", "replace")
            program = "".join(sign for sign in name if sign.isprintable())
    return _Core(program, ended if ended and 0 < ended < signal.NSIG else None)


def _notes(notes: bytes) -> Iterator[tuple[int, bytes]]:
    at = 0
    while at + _NOTE <= len(notes):
        name, length, kind = struct.unpack_from("<III", notes, at)
        start = at + _NOTE + (name + 3) // 4 * 4
        yield kind, notes[start : start + length]
        at = start + (length + 3) // 4 * 4


PARSERS = (Parser(id="core-dump", claims=claims, read=read),)
