"""A workload of a platform, as its diagnosis tells of it: who it is, what each source said, and how often it failed."""

from __future__ import annotations

from msgspec import Struct

from runtriage.model.place import Citation


class Sourced(Struct, frozen=True):
    """One thing a source said, in one line; `source` names the tool or command it came from."""

    text: str
    source: str
    citation: Citation | None = None


class Memory(Struct, frozen=True, kw_only=True):
    """Host memory of the workload as submitted (`32Gi`), and the highest sample in bytes; empty and None where not known."""

    request: str = ""
    limit: str = ""
    peak: float | None = None
    measured: bool = False
    """Whether the metrics were asked for."""


class Workload(Struct, frozen=True, kw_only=True):
    """A workload and the course of its diagnosis.

    `occurrences` counts distinct failures of the verdict's category from `since` to `until`; `restarts` is what a message says of a
    crash loop. `question` is what the user should answer where the diagnosis stopped at `stopped`.
    """

    id: str
    name: str
    phase: str
    project: str
    cluster: str
    evidence: tuple[Sourced, ...] = ()
    gaps: tuple[str, ...] = ()
    occurrences: int = 0
    restarts: int = 0
    since: str = ""
    until: str = ""
    lookback: float = 0.0
    signal: str = ""
    mode: str = ""
    memory: Memory = Memory()
    restart_policy: str = ""
    stopped: str = ""
    question: str = ""
