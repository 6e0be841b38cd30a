"""What the start of a line says about who printed it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from runtriage.model.subject import NOBODY, Subject
from runtriage.scan.prefix_style import PLAIN, Style

LONGEST: Final = 4096
"""No more of a line is looked at, in bytes."""
_DEEPEST: Final = 5


@dataclass(frozen=True, slots=True)
class Prefix:
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


def _local(found: re.Match[bytes], subject: Subject) -> Subject:
    return replace(subject, local_rank=int(found["rank"]), role=_text(found["role"]))


def _ray(found: re.Match[bytes], subject: Subject) -> Subject:
    role = _text(found["role"]) if found["role"] else subject.role
    node = _text(found["ip"]) if found["ip"] else subject.node
    return replace(subject, role=role, pid=int(found["pid"]), node=node)


def _pod(found: re.Match[bytes], subject: Subject) -> Subject:
    return replace(subject, pod=_text(found["pod"]), role=_text(found["role"]) if found["role"] else subject.role)


def _nccl(found: re.Match[bytes], subject: Subject) -> Subject:
    return replace(subject, node=_text(found["node"]), pid=int(found["pid"]), gpu=_text(found["gpu"]))


def _stream(found: re.Match[bytes]) -> str | None:
    return _text(found["stream"]) if "stream" in found.re.groupindex and found["stream"] else None


_Reader = Callable[[re.Match[bytes], Subject], Subject]


def _shape(first: bytes, pattern: bytes, reader: _Reader) -> tuple[bytes, re.Pattern[bytes], _Reader]:
    return first, re.compile(pattern + _ANSI + rb" ?"), reader


_SHAPES: Final = (
    _shape(b"[", rb"\[rank[ =:-]?(?P<rank>\d{1,6})\]:", _global),
    _shape(b"[", rb"\[(?P<role>" + _ROLES + rb")-?(?P<rank>\d{1,6})\]:", _local),
    _shape(b"[", rb"\[[\w.@:-]{1,80}?,(?P<rank>\d{1,6})\]<(?P<stream>stdout|stderr|stddiag)>:", _global),
    _shape(
        b"(",
        rb"\((?:(?P<role>[A-Za-z_][\w.()<>:-]{0,80}) )?pid=(?P<pid>\d{1,9})(?:, ip=(?P<ip>[\w.:-]{1,64}))?\)",
        _ray,
    ),
    _shape(b"[", rb"\[(?:pod/)?(?P<pod>[a-z0-9][a-z0-9.-]{0,252})/(?P<role>[a-z0-9][a-z0-9-]{0,62})\]", _pod),
    _shape(b"", rb"(?P<node>[A-Za-z0-9][\w.-]{0,63}):(?P<pid>\d{1,9}):\d{1,9} \[(?P<gpu>\d{1,3})\](?= NCCL )", _nccl),
)
_LEADING = re.compile(_ANSI)
_BARE = re.compile(rb"\[? {0,5}(?P<rank>\d{1,6})\]?:? ")
_HOST = re.compile(rb"(?P<node>[A-Za-z0-9][\w.-]{1,63}): ")


def read_prefix(line: bytes, style: Style = PLAIN) -> Prefix:
    """Read the launcher's prefixes at the start of a line: torchrun, srun -l, mpirun, Ray, kubectl, NCCL.

    A bare number or host name counts only where `style` learnt that this file uses it so.
    """
    if not style.bare and not style.hosts and line[:1] not in (b"[", b"(", b"\x1b") and b"] NCCL " not in line[:120]:
        return NO_PREFIX
    return _read(line[:256], style)


@lru_cache(maxsize=4096)
def _read(head: bytes, style: Style) -> Prefix:
    subject, at, stream = NOBODY, 0, None
    for _ in range(_DEEPEST):
        found = _next(head, at, style)
        if found is None:
            break
        match, reader = found
        subject, at = reader(match, subject), match.end()
        stream = _stream(match) or stream
    return Prefix(subject, at, stream) if at else NO_PREFIX


def _next(head: bytes, at: int, style: Style) -> tuple[re.Match[bytes], _Reader] | None:
    leading = _LEADING.match(head, at)
    start = leading.end() if leading else at
    for first, shape, reader in _SHAPES:
        if head.startswith(first, start) and (found := shape.match(head, start)):
            return found, reader
    return _bare(head, start, style) if at == 0 else None


def _bare(head: bytes, start: int, style: Style) -> tuple[re.Match[bytes], _Reader] | None:
    if style.bare and (found := _BARE.match(head, start)) and style.is_bare(found.group()):
        return found, _global
    if style.hosts and (found := _HOST.match(head, start)) and found["node"] in style.hosts:
        return found, lambda match, subject: replace(subject, node=_text(match["node"]))
    return None
