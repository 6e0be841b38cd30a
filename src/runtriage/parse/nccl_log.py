"""What NCCL prints of itself under `NCCL_DEBUG=INFO`: which ranks set a communicator up, the last operation each one called, and what it runs on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import Final, Protocol

from msgspec import Struct, field

from runtriage.model.artifact import Artifact
from runtriage.model.pattern import deferred
from runtriage.model.place import Citation
from runtriage.model.raw import RawEvent
from runtriage.model.spots import NCCL_CALLS, NCCL_STEPS, NCCL_USES, NCCL_VERSION, SOUGHT, Spot
from runtriage.model.subject import Subject
from runtriage.model.target import ByteStream, Seekable
from runtriage.parse.breaks import counting
from runtriage.parse.document import Parsed, Parser
from runtriage.parse.literals import holding
from runtriage.parse.tables import state

_ID: Final = "nccl-log"
_MARK: Final = b"NCCL INFO "
_CALL: Final = deferred(
    rb"NCCL INFO (\w{2,20}): opCount ([0-9a-f]{1,16}) sendbuff \S{1,20} recvbuff \S{1,20} count \d{1,20} datatype \d{1,4} op \d{1,4} "
    rb"root -?\d{1,7} comm (0x[0-9a-f]{1,16}) \[nranks="
)
_STEP: Final = deferred(
    rb"NCCL INFO [^\n]{0,60}?comm (0x[0-9a-f]{1,16}) rank (\d{1,7}) n[rR]anks (\d{1,7}) "
    rb"(?:[^\n]{0,80}?busId ([0-9a-f]{4,16})\b)?"
    rb"(?:[^\n]{0,200}?commId (0x[0-9a-f]{1,16}))?[^\n]{0,80}?- (Init START|Init COMPLETE|Abort COMPLETE|Destroy COMPLETE)"
)
_VERSION: Final = deferred(rb"[NR]CCL version (\d[\w.+]{0,40})")
_USES: Final = deferred(
    rb"NCCL INFO (?:Bootstrap ?: Using (?:\[0\])?([\w.-]{1,40}):(\[?[\w.:]{3,60}?\]?(?:%\w{1,20})?)<\d{1,5}>|Using network ([A-Z][\w-]{1,40}))"
)
_FRONT: Final = deferred(rb"([\w.-]{1,100}):(\d{1,9}):\d{1,9} \[-?\d{1,4}\] (?:NCCL INFO )?\Z")
_SEATS: Final = 65_536
_CALLS: Final = 16
_LONGEST: Final = 1 << 16
_CHUNK: Final = 1 << 18


class _Seat(Struct):
    """One rank in one communicator, as its own process printed it. `calls` maps an operation's number to the names called under it."""

    host: str
    pid: int
    rank: int = -1
    size: int = 0
    id: str = ""
    bus: str = ""
    started: bool = False
    completed: bool = False
    closed: bool = False
    calls: dict[int, bytes] = field(default_factory=dict[int, bytes])
    place: tuple[int, bytes] = (0, b"")
    line: int = 0


def claims(artifact: Artifact, head: bytes) -> bool:
    """Tell whether the document is a log in which NCCL speaks early."""
    return artifact.kind == "log" and _MARK in head


def read(artifact: Artifact, stream: ByteStream) -> Parsed:
    """Return a state for each rank in each communicator, and one for each process: its version of the library, its address, its network."""
    reading = _Reading(artifact.size if artifact.encoding is None else None)
    reading.run(stream)
    return _said(artifact, reading)


def read_spots(artifact: Artifact, stream: Seekable, spots: Sequence[Spot]) -> Parsed:
    """Return the same from the spots in which one of the words stands."""
    reading = _Reading(sum(spot.end - spot.start for spot in spots))
    for spot in spots:
        reading.go_on(stream, spot)
    return _said(artifact, reading)


def _said(artifact: Artifact, reading: _Reading) -> Parsed:
    events = [_state(seat, artifact) for seat in reading.seats.values() if seat.rank >= 0]
    for (host, pid), process in reading.processes.items():
        told = Subject(node=host or artifact.node, pid=pid or None)
        for name, (value, place, line) in process.items():
            events.append(state(f"nccl/{name}", _cite(artifact, place, line), told, value=value, message=value))
    return Parsed(events=events, bytes_read=reading.at)


class _Reading:
    """Reads a log in pieces; memory is bounded by the number of seats."""

    def __init__(self, size: int | None) -> None:
        self.seats: dict[tuple[str, int, bytes], _Seat] = {}
        self.processes: dict[tuple[str, int], dict[str, tuple[str, tuple[int, bytes], int]]] = {}
        self._fronts: dict[bytes, tuple[str, int]] = {}
        self.at = 0
        self._lines = 1
        self._breaks = counting(size)
        self._holds = holding(SOUGHT[_ID])
        self._buffer = bytearray(2 * _CHUNK)

    def run(self, stream: _Reads) -> None:
        """Read to the end."""
        buffer, rest = self._buffer, 0
        while count := _fill(stream, memoryview(buffer)[rest : rest + _CHUNK]):
            have = rest + count
            cut = buffer.rfind(b"\n", 0, have) + 1
            if not cut and have > _LONGEST:
                cut = have
            self._take(cut)
            rest = have - cut
            buffer[:rest] = buffer[cut:have]
        self._take(rest)

    def go_on(self, stream: Seekable, spot: Spot) -> None:
        """Go on with a spot further down."""
        stream.seek(spot.start)
        self.at, self._lines = spot.start, spot.line
        self.run(_Until(stream, spot.end - spot.start))

    def _take(self, size: int) -> None:
        if words := self._holds(self._buffer, size):
            self._read(bytes(memoryview(self._buffer)[:size]), words)
        self.at += size
        self._lines += self._breaks(self._buffer, size)

    def _read(self, text: bytes, words: frozenset[bytes]) -> None:
        touched: dict[int, tuple[_Seat, int]] = {}
        found = list(self._steps(text, words))
        turn = 0
        for call in _CALL.finditer(text) if NCCL_CALLS in words else ():
            at = call.start()
            while turn < len(found) and found[turn][0] < at:
                self._step(text, *found[turn], touched)
                turn += 1
            name, number, comm = call.groups()
            start = text.rfind(b"\n", 0, at) + 1
            seat = self._seat(self._who(text[start:at]), comm)
            if seat is not None:
                _call(seat, name, int(number, 16))
                touched[id(seat)] = (seat, start)
        for at, groups in found[turn:]:
            self._step(text, at, groups, touched)
        self._note(text, touched)

    def _steps(self, text: bytes, words: frozenset[bytes]) -> Iterator[tuple[int, tuple[bytes, ...]]]:
        """Yield what is rare; which words a piece holds tells quickly what it cannot hold."""
        if not words.isdisjoint(NCCL_STEPS):
            for found in _STEP.finditer(text):
                yield found.start(), found.groups()
        if NCCL_VERSION in words:
            for found in _VERSION.finditer(text):
                self._process("version", found[1], text, found.start())
        if not words.isdisjoint(NCCL_USES):
            for found in _USES.finditer(text):
                uses = {"network": found[3]} if found[3] else {"address": found[2], "interface": found[1]}
                for name, value in uses.items():
                    self._process(name, value, text, found.start())

    def _step(self, text: bytes, at: int, groups: tuple[bytes, ...], touched: dict[int, tuple[_Seat, int]]) -> None:
        comm, rank, size, bus, name, what = groups
        start = text.rfind(b"\n", 0, at) + 1
        seat = self._seat(self._who(text[start:at]), comm)
        if seat is not None:
            _step(seat, what, int(rank), int(size), name)
            seat.bus = bus.decode() if bus else seat.bus
            touched[id(seat)] = (seat, start)

    def _note(self, text: bytes, touched: dict[int, tuple[_Seat, int]]) -> None:
        """Remember where each seat was last spoken of."""
        for seat, start in touched.values():
            seat.place = (self.at + start, text[start : _end(text, start)])
            seat.line = self._lines + text.count(b"\n", 0, start)

    def _who(self, front: bytes) -> tuple[str, int]:
        known = self._fronts.get(front)
        if known is None:
            found = _FRONT.search(front[-200:])
            known = (found[1].decode("ascii", "replace"), int(found[2])) if found else ("", 0)
            if len(self._fronts) < _SEATS:
                self._fronts[front] = known
        return known

    def _seat(self, who: tuple[str, int], comm: bytes) -> _Seat | None:
        key = (*who, comm)
        seat = self.seats.get(key)
        if seat is None and len(self.seats) < _SEATS:
            seat = self.seats[key] = _Seat(*who)
        return seat

    def _process(self, name: str, value: bytes, text: bytes, at: int) -> None:
        """Note what a process said of itself first."""
        start = text.rfind(b"\n", 0, at) + 1
        who = self._who(text[start:at])
        if who not in self.processes and len(self.processes) >= _SEATS:
            return
        told = self.processes.setdefault(who, {})
        if name not in told:
            line = self._lines + text.count(b"\n", 0, start)
            told[name] = (value.decode("ascii", "replace"), (self.at + start, text[start : _end(text, start)]), line)


class _Reads(Protocol):
    """The part of a stream that is needed to read it."""

    def readinto(self, buffer: memoryview, /) -> int:
        """Fill the buffer with the next bytes and return how many; 0 at the end."""
        ...


class _Until:
    """The next so many bytes of a stream."""

    def __init__(self, stream: _Reads, left: int) -> None:
        self._stream = stream
        self._left = left

    def readinto(self, buffer: memoryview, /) -> int:
        """Fill the buffer with the next bytes and return how many; 0 at the end."""
        count = self._stream.readinto(buffer[: self._left])
        self._left -= count
        return count


def _fill(stream: _Reads, view: memoryview) -> int:
    have = 0
    while have < len(view) and (count := stream.readinto(view[have:])):
        have += count
    return have


def _end(text: bytes, start: int) -> int:
    end = text.find(b"\n", start)
    return len(text) if end < 0 else end


def _call(seat: _Seat, name: bytes, number: int) -> None:
    """Note a call; several under one number were made as one group and cannot be compared one by one."""
    calls = seat.calls
    calls[number] = calls[number][:20] + b"+" if number in calls else name
    if len(calls) > _CALLS:
        del calls[next(iter(calls))]


def _step(seat: _Seat, what: bytes, rank: int, size: int, name: bytes | None) -> None:
    if what == b"Init START" or (rank, size) != (seat.rank, seat.size):
        seat.started = seat.completed = seat.closed = False
        seat.calls.clear()
    seat.rank, seat.size, seat.started = rank, size, True
    seat.id = name.decode() if name else seat.id
    seat.completed = seat.completed or what == b"Init COMPLETE"
    seat.closed = seat.closed or what.endswith((b"Abort COMPLETE", b"Destroy COMPLETE"))


def _state(seat: _Seat, artifact: Artifact) -> RawEvent:
    return state(
        "nccl/seat",
        _cite(artifact, seat.place, seat.line),
        Subject(rank=artifact.rank, node=seat.host or artifact.node, pid=seat.pid or None),
        numbers={
            "rank": float(seat.rank),
            "size": float(seat.size),
            "completed": float(seat.completed),
            "closed": float(seat.closed),
            "called": float(max(seat.calls)) if seat.calls else None,
        },
        comm=seat.id,
        bus=seat.bus,
        calls=",".join(f"{number}:{name.decode()}" for number, name in seat.calls.items()),
        message=seat.place[1][:400].decode("utf-8", "replace").strip(),
    )


def _cite(artifact: Artifact, place: tuple[int, bytes], line: int) -> Citation:
    start, raw = place
    return Citation(
        artifact=artifact.path,
        first_line=line,
        last_line=line,
        byte_start=start,
        byte_end=start + len(raw),
        sha256=sha256(raw).hexdigest(),
    )


PARSERS = (Parser(id=_ID, claims=claims, read=read, scanned=True, read_spots=read_spots),)
