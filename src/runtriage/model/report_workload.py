"""What the report says of a workload of a platform, under `extension.workload`."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field


class Source(BaseModel):
    """One line of evidence and the tool or command it came from."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    text: str
    source: str


class WorkloadModel(BaseModel):
    """A workload and how its diagnosis went; see `runtriage.model.workload.Workload`.

    `recovery_owner` is user, administrator, storage administrator, infrastructure/SRE or undetermined.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    id: str
    name: str
    phase: str
    project: str
    cluster: str
    category: str | None
    evidence: list[Source] = Field(default_factory=list[Source])
    gaps: list[str] = Field(default_factory=list[str])
    occurrences: int = 0
    restarts: int = 0
    recurring: bool = False
    since: str = ""
    until: str = ""
    window: str = ""
    recommendations: list[str] = Field(default_factory=list[str])
    recovery_owner: str = "undetermined"
    stopped: str = ""
    question: str = ""
