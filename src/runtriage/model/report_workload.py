"""What the report says of a workload of a platform, under `extension.workload`."""

from __future__ import annotations

from msgspec import Struct, field


class Source(Struct, frozen=True, kw_only=True):
    """One line of evidence and the tool or command it came from."""

    text: str
    source: str


class WorkloadModel(Struct, frozen=True, kw_only=True):
    """A workload and how its diagnosis went; see `runtriage.model.workload.Workload`.

    `recovery_owner` is user, administrator, storage administrator, infrastructure/SRE or undetermined.
    """

    id: str
    name: str
    phase: str
    project: str
    cluster: str
    category: str | None
    evidence: list[Source] = field(default_factory=list[Source])
    gaps: list[str] = field(default_factory=list[str])
    occurrences: int = 0
    restarts: int = 0
    recurring: bool = False
    since: str = ""
    until: str = ""
    window: str = ""
    recommendations: list[str] = field(default_factory=list[str])
    recovery_owner: str = "undetermined"
    stopped: str = ""
    question: str = ""
