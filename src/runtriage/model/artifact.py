"""Documents read from a source, requests for them, and how each request ended."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from msgspec import Struct, field

NOT_UNDERSTOOD: Final = "no reader knows what it holds"
"""Why a document that could be opened was not read."""


class Artifact(Struct, frozen=True, kw_only=True):
    """One document: `path` is relative to the target (or a URL) and is what citations name.

    `kind` says what it holds: `log`, `config`, `checkpoint`, `metrics`, `k8s`, `slurm`, `kernel`, `core`, `binary`, ... `source` is the request kind
    that brought it. `mtime` is in seconds since the epoch, `size` in bytes as stored, `encoding` one of None, `gzip`, `zstd`, `utf-16`, `utf-16-le`, `utf-16-be`.
    """

    path: str
    kind: str
    size: int | None = None
    mtime: float | None = None
    encoding: str | None = None
    source: str = "file"
    node: str | None = None
    rank: int | None = None
    attempt: int | None = None
    stream: str | None = None
    """`stdout` or `stderr` where the name says so."""
    named: bool = False
    """Whether the user named this very file, rather than a folder it lies in."""
    reach: str | None = None
    """How a command reaches the file from where the user stands, the bytes of its name as Python holds them; None for pipes."""


class Request(Struct, frozen=True, kw_only=True):
    """Something to read, and why. `kind` names the collector, `args` its arguments (page order and cutoffs included)."""

    kind: str
    args: Mapping[str, str] = field(default_factory=dict[str, str])
    reason: str = ""


class Collected(Struct, frozen=True):
    """The request was answered in full, or cut where `cut` says why; `lost` names logs that exist and could not be had.

    `beside` names tables of metrics that lie beside a file which was given alone: nobody asked for them to be read.
    """

    request: Request
    artifacts: tuple[Artifact, ...]
    cut: str | None = None
    lost: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()


class Empty(Struct, frozen=True):
    """The request was answered, and there is nothing."""

    request: Request
    detail: str = ""


class Unavailable(Struct, frozen=True):
    """The answer exists or may exist but cannot be had (no rights, no connection). Never the same as absence."""

    request: Request
    reason: str


class Failed(Struct, frozen=True):
    """Our own reading broke. Never reported as a failure of the run."""

    request: Request
    error: str


class Skipped(Struct, frozen=True):
    """Not read on purpose: policy, budget, an extra that is not installed."""

    request: Request
    reason: str


Outcome = Collected | Empty | Unavailable | Failed | Skipped


class Read(Struct, frozen=True, kw_only=True):
    """What was read of one artifact: bytes (decompressed), lines where counted, and why it stopped early, if it did."""

    artifact: Artifact
    bytes_read: int
    lines: int | None = None
    cut: str | None = None
    dropped: int = 0
    """Events that were dropped because redaction failed."""
