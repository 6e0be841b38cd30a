"""What the start of a line says about who printed it."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, lru_cache
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from runtriage.model.pattern import deferred
from runtriage.model.programs import PROGRAMS
from runtriage.model.subject import NOBODY, Subject
from runtriage.scan.prefix_style import PLAIN, Style

FRONT: Final = 512
"""Bytes of a line in which prefixes are looked for."""
_DEEPEST: Final = 5


class Prefix(Struct, frozen=True):
    """The subject that a line's prefixes name, and the offset in the line where the program's own text starts.

    `stream` is `stdout` or `stderr` where the launcher marked it.
    """

    subject: Subject
    end: int
    stream: str | None = None


NO_PREFIX: Final = Prefix(NOBODY, 0)

_ANSI = rb"(?:\x1b\[[0-9;]{0,20}m){0,4}"
_ROLES = rb"(?:default|trainers?|workers?|main|train|training|model|evaluator|eval|actor|learner|node|ps|chief)"


def _text(value: bytes) -> str:
    return value.decode("utf-8", "replace")


def _global(found: re.Match[bytes], subject: Subject) -> Subject:
    return replace(subject, rank=int(found["rank"]))


def _sagemaker(found: re.Match[bytes], subject: Subject) -> Subject:
    return replace(subject, rank=int(found["rank"]), node=_text(found["node"]))


def _local(found: re.Match[bytes], subject: Subject) -> Subject:
    return replace(subject, local_rank=int(found["rank"]), role=_text(found["role"]))


def _ray(found: re.Match[bytes], subject: Subject) -> Subject:
    role = _text(found["role"]) if found["role"] else subject.role
    node = _text(found["ip"]) if found["ip"] else subject.node
    return replace(subject, role=role, pid=int(found["pid"]), node=node)


def _machine(found: re.Match[bytes], subject: Subject) -> Subject:
    """Return the node that SkyPilot names; the rank beside it counts nodes, not processes."""
    return replace(subject, node=_text(found["node"]), pid=int(found["pid"]))


def _pod(found: re.Match[bytes], subject: Subject) -> Subject:
    return replace(subject, pod=_text(found["pod"]), role=_text(found["role"]) if found["role"] else subject.role)


def _mpi(found: re.Match[bytes], subject: Subject) -> Subject:
    """Return the process that Open MPI and UCX name before what they say."""
    return replace(subject, node=_text(found["node"]), pid=int(found["pid"]))


def _nccl(found: re.Match[bytes], subject: Subject) -> Subject:
    return replace(subject, node=_text(found["node"]), pid=int(found["pid"]), gpu=_text(found["gpu"]))


def _stream(found: re.Match[bytes]) -> str | None:
    return _text(found["stream"]) if "stream" in found.re.groupindex and found["stream"] else None


_Reader = Callable[[re.Match[bytes], Subject], Subject]


def _shape(
    first: bytes, pattern: bytes, reader: _Reader, gap: bytes = b" ?"
) -> tuple[bytes, re.Pattern[bytes], _Reader]:
    return first, deferred(pattern + _ANSI + gap), reader


_SHAPES: Final = (
    _shape(b"[", rb"\[rank[ =:-]?(?P<rank>\d{1,6})\]:", _global),
    _shape(b"[", rb"\[(?P<role>" + _ROLES + rb")-?(?P<rank>\d{1,6})\]:", _local, b""),
    _shape(b"[", rb"\[[\w.@:-]{1,80}?,(?P<rank>\d{1,6})\]<(?P<stream>stdout|stderr|stddiag)>:", _global),
    _shape(
        b"[",
        rb"\[\d{1,6},mpirank:(?P<rank>\d{1,6}),(?P<node>[\w.-]{1,80})\]<(?P<stream>stdout|stderr|stddiag)>: ?",
        _sagemaker,
    ),
    _shape(
        b"(",
        rb"\((?:(?P<role>[A-Za-z_][\w.()<>:-]{0,80}),? )?pid=(?P<pid>\d{1,9})(?:, ip=(?P<ip>[\w.:-]{1,64}))?\)",
        _ray,
    ),
    _shape(
        b"(",
        rb"\((?P<node>head|worker\d{1,5}), rank=\d{1,5}, pid=(?P<pid>\d{1,9})(?:, ip=[\w.:-]{1,64})?\)",
        _machine,
    ),
    _shape(b"[", rb"\[pod/(?P<pod>[a-z0-9][a-z0-9.-]{0,252})/(?P<role>[a-z0-9][a-z0-9-]{0,62})\]", _pod),
    _shape(
        b"[",
        rb"\[(?:\d{10}\.\d{6}\] \[)?(?P<node>[A-Za-z][\w.-]{0,63}):(?P<pid>\d{1,9})(?::\d{1,9})?\]"
        rb"(?= {1,12}(?:\*\*\* |Signal|Failing at|\w{1,40}\.c:\d| ?\Z))",
        _mpi,
    ),
    _shape(
        b"",
        rb"(?:\[\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\] )?(?P<node>[A-Za-z0-9][\w.-]{0,63}):(?P<pid>\d{1,9}):\d{1,9} \[(?P<gpu>\d{1,3})\]"
        rb"(?= NCCL | [^\s\[\]][^\n\[\]]{0,160}?:\d{1,6} NCCL | ?\Z)",
        _nccl,
    ),
)
_LEADING = deferred(_ANSI)
_BARE: Final = {"[]:": rb"\[ {0,5}\d{1,6}\]: ", "[]": rb"\[ {0,5}\d{1,6}\] ", ":": rb" {0,5}\d{1,6}: "}
_TIME: Final = rb"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{1,9}(?:Z|[+-]\d\d:\d\d) (?:std(?:out|err) [FP] )?"
_SAID_TIME = deferred(_TIME)
_NUMBER = deferred(rb"\d+")


@lru_cache(maxsize=64)
def extent(style: Style) -> re.Pattern[bytes]:
    """Return what matches the launcher's prefixes at the start of a line, of which `FRONT` bytes count."""
    shapes = [re.sub(rb"\?P<\w+>", b"?:", pattern.pattern) for _, pattern, _ in _SHAPES]
    first = [_BARE[style.bare]] if style.bare else []
    first += [b"(?:%s): " % b"|".join(re.escape(host) for host in sorted(style.hosts))] if style.hosts else []
    time = b"(?:%s)?" % _TIME if style.timed else b""
    once = b"(?:%s)?" % b"|".join(first) if first else b""
    compiled = re.compile if style.hosts else PROGRAMS.compiled  # names of hosts are text of the run
    return compiled(time + once + b"(?:%s(?:%s)){0,%d}" % (_ANSI, b"|".join(shapes), _DEEPEST))


@cache
def behind_breaks() -> re.Pattern[bytes]:
    """Return what matches a line break and the launcher's prefixes behind it in a text of a plain style; those of a line it may take too long."""
    whole = extent(PLAIN).pattern.replace(rb" ?\Z", rb" ?(?:\n|\Z)")
    return PROGRAMS.compiled(rb"\n(?=[\[(\x1b])(?:%s)" % whole)


def prefix_length(line: bytes, style: Style = PLAIN) -> int:
    """Return how many bytes the launcher's prefixes take at the start of a line: torchrun, srun -l, mpirun, Ray, kubectl, NCCL.

    A bare number, a host name or a collector's time counts only where `style` learnt that this file uses it so.
    """
    if style is PLAIN and line[:1] not in b"[(\x1b" and b" NCCL " not in line[:FRONT]:
        return 0
    found = extent(style).match(line, 0, FRONT)
    return found.end() if found else 0


def said_time(line: bytes) -> int:
    """Return how many bytes a log collector's time takes at the start of a line."""
    found = _SAID_TIME.match(line)
    return found.end() if found else 0


def without_time(prefix: bytes) -> bytes:
    """Return the prefix without a collector's time, which differs from line to line."""
    return prefix[said_time(prefix) :]


def read_prefix(line: bytes, style: Style = PLAIN) -> Prefix:
    """Read the prefixes at the start of a line."""
    length = prefix_length(line, style)
    if not length:
        return NO_PREFIX
    subject, stream = _read(without_time(line[:length]), style)
    return Prefix(subject, length, stream)


def said(prefix: bytes, style: Style = PLAIN) -> Subject:
    """Return the subject that prefixes without a collector's time name."""
    return _read(prefix, style)[0]


@lru_cache(maxsize=4096)
def _read(prefix: bytes, style: Style) -> tuple[Subject, str | None]:
    subject, at, stream = NOBODY, 0, None
    if style.bare and (found := re.match(_BARE[style.bare], prefix)) and (number := _NUMBER.search(found.group())):
        subject, at = replace(subject, rank=int(number.group())), found.end()
    elif (host := prefix.partition(b": ")[0]) in style.hosts:
        subject, at = replace(subject, node=_text(host)), len(host) + 2
    while at < len(prefix):
        match = _next(prefix, at)
        if match is None:
            break
        found, reader = match
        subject, at = reader(found, subject), found.end()
        stream = _stream(found) or stream
    return subject, stream


def _next(prefix: bytes, at: int) -> tuple[re.Match[bytes], _Reader] | None:
    leading = _LEADING.match(prefix, at)
    start = leading.end() if leading else at
    for first, shape, reader in _SHAPES:
        if prefix.startswith(first, start) and (found := shape.match(prefix, start)):
            return found, reader
    return None
