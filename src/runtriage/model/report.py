"""The report document, schema `runtriage.report/1`: everything else is a view of it.

Within this schema fields are only added, enumerations are open, and readers ignore keys they do not know.
"""

from __future__ import annotations

from typing import Any, Literal, Self

import msgspec
from msgspec import Struct, field

from runtriage.model.plan import Decision, Risk

SCHEMA = "runtriage.report/1"


class Tool(Struct, frozen=True, kw_only=True):
    """The program that wrote the report."""

    name: str = "runtriage"
    version: str


class CitationModel(Struct, frozen=True, kw_only=True):
    """Where a claim can be read again; see `runtriage.model.place.Citation`."""

    artifact: str
    first_line: int | None = None
    last_line: int | None = None
    pointer: str | None = None
    series: str | None = None
    first_step: float | None = None
    last_step: float | None = None
    table: str | None = None
    key: str | None = None
    byte_start: int | None = None
    byte_end: int | None = None
    sha256: str | None = None


class RootCause(Struct, frozen=True, kw_only=True):
    """Where execution failed, why, and what made it worse."""

    proximate: str
    root: str
    contributing: list[str] = field(default_factory=list[str])


class Culprit(Struct, frozen=True, kw_only=True):
    """Who failed first; a field is null when unknown or when the whole job failed as one."""

    rank: int | None = None
    node: str | None = None
    pod: str | None = None
    gpu: str | None = None


class LastProgress(Struct, frozen=True, kw_only=True):
    """The last sign of progress: step, epoch, and the time as printed."""

    step: int | None = None
    epoch: float | None = None
    time: str | None = None


class Observed(Struct, frozen=True, kw_only=True):
    """What the run's own lines cover: the first and last printed time, the hours between them, how many ranks took part, and whether they
    tell that the run came to its end, whatever went wrong on the way."""

    first_time: str | None = None
    last_time: str | None = None
    hours: float | None = None
    ranks: int | None = None
    ended: bool = False


class EvidenceModel(Struct, frozen=True, kw_only=True):
    """One cited claim; `role` is root, support, symptom, confirmation or context."""

    id: str
    claim: str
    citation: CitationModel
    excerpt: str = ""
    quantity: str | None = None
    role: str = "support"
    time: str | None = None
    rank: int | None = None
    context: list[str] = field(default_factory=list[str])
    context_first_line: int | None = None


class CascadeModel(Struct, frozen=True, kw_only=True):
    """Something the root explains."""

    mode: str
    text: str
    citation: CitationModel
    ranks: list[int] = field(default_factory=list[int])


class RuledOutModel(Struct, frozen=True, kw_only=True):
    """A cause that looked plausible and why it is not the root."""

    cause: str
    because: str
    citation: CitationModel | None = None


class HypothesisModel(Struct, frozen=True, kw_only=True):
    """A ranked alternative."""

    mode: str | None
    primary_class: str | None
    score: float
    supports: list[str] = field(default_factory=list[str])
    contradicts: list[str] = field(default_factory=list[str])
    would_settle: list[str] = field(default_factory=list[str])
    rules: list[str] = field(default_factory=list[str])
    """Signatures and detectors that found it, the most telling first."""


class PlanStep(Struct, frozen=True, kw_only=True):
    """One step of the recovery plan."""

    action: str
    risk: Risk
    expected_impact: str
    time_to_try: str
    reversible: bool = True
    validate_: str = field(name="validate")
    command: str | None = None
    origin: str = field(default="catalogue", name="from")
    proceeds: bool = False
    fix: str | None = None


class Missing(Struct, frozen=True, kw_only=True):
    """The smallest thing that would settle what is still open."""

    what: str
    why: str


class ReadModel(Struct, frozen=True, kw_only=True):
    """How much of one artifact was read."""

    artifact: str
    kind: str
    bytes: int
    lines: int | None = None
    cut: str | None = None


class Coverage(Struct, frozen=True, kw_only=True):
    """What was read, what was cut, and what could not be seen: `denied` of it because a right or a connection was missing."""

    files: int = 0
    bytes: int = 0
    complete: bool = True
    artifacts: list[ReadModel] = field(default_factory=list[ReadModel])
    not_seen: list[str] = field(default_factory=list[str])
    denied: int = 0
    rules: int = 0
    rules_broken: list[str] = field(default_factory=list[str])
    dropped_events: int = 0
    different_runs: list[str] = field(default_factory=list[str])
    """Logs that were given together and look like runs of their own, in the order of their times: the verdict merges them."""
    beside: list[str] = field(default_factory=list[str])
    """Tables of metrics that lie beside a log which was given alone, and were not read."""


class Recurrence(Struct, frozen=True, kw_only=True):
    """What the history says about this failure; filled only from the history.

    `count` is 1 for a one-off and n for the n-th run that failed in this way; the `fingerprint` stands for the mechanism apart from what it happened
    to. Whether step, node and other things were the same is null where they are not known.
    """

    count: int = 1
    fingerprint: str | None = None
    first_seen: str | None = None
    last_seen: str | None = None
    same_step: bool | None = None
    same_node: bool | None = None
    same_entities: list[str] = field(default_factory=list[str])
    runs: list[str] = field(default_factory=list[str])
    tried: list[str] = field(default_factory=list[str])
    note: str = ""


class SeriesSummary(Struct, frozen=True, kw_only=True):
    """One metric of one subject: numbers to read, and a thinned curve of [step, value] pairs (null for a non-finite value)."""

    name: str
    role: str | None = None
    artifact: str
    rank: int | None = None
    total: int
    first: float | None = None
    last: float | None = None
    minimum: float | None = None
    maximum: float | None = None
    nonfinite: int = 0
    curve: list[tuple[float, float | None]] = field(default_factory=list[tuple[float, float | None]])


class CheckpointModel(Struct, frozen=True, kw_only=True):
    """A checkpoint of the run."""

    path: str
    step: int | None = None
    time: str | None = None
    size: int | None = None
    format: str = "unknown"
    valid: bool | None = None
    problem: str | None = None
    optimizer: bool | None = None
    rng: bool | None = None
    last_good: bool = False


class DataModel(Struct, frozen=True, kw_only=True):
    """What a look through a table of training data showed."""

    artifact: str
    rows: int
    label: str | None = None
    findings: list[str] = field(default_factory=list[str])
    cut: str | None = None


class Report(Struct, frozen=True, kw_only=True):
    """One diagnosis."""

    schema_: str = field(default=SCHEMA, name="schema")
    tool: Tool
    target: str
    run_id: str
    timestamp: str
    duration_seconds: float
    run_status: str
    framework: str
    primary_cause: str | None
    secondary_causes: list[str] = field(default_factory=list[str])
    failure_mode: str | None
    workload_category: str | None = None
    workflow: dict[str, Any] | None = None
    extension: dict[str, Any] | None = None
    """What a platform adds, under the platform's own field names."""
    platform_lines: list[str] = field(default_factory=list[str])
    """Lines a platform adds to the block after the contributing factors."""
    platform_state: str | None = None
    """The platform's own word for the state of a pipeline, such as RUNNING; null for other runs."""
    confidence_score: float
    confidence: Literal["high", "medium", "low"]
    decision: Decision
    routed: str | None = None
    abstained: str | None = None
    summary: str
    root_cause: RootCause
    root_evidence: CitationModel | None = None
    culprit: Culprit
    last_progress: LastProgress
    observed: Observed = field(default_factory=Observed)
    attempts: int = 1
    deterministic: bool | None = None
    evidence: list[EvidenceModel] = field(default_factory=list[EvidenceModel])
    cascade: list[CascadeModel] = field(default_factory=list[CascadeModel])
    hypotheses: list[HypothesisModel] = field(default_factory=list[HypothesisModel])
    ruled_out: list[RuledOutModel] = field(default_factory=list[RuledOutModel])
    plan: list[PlanStep] = field(default_factory=list[PlanStep])
    next_commands: list[str] = field(default_factory=list[str])
    missing: list[Missing] = field(default_factory=list[Missing])
    coverage: Coverage = field(default_factory=Coverage)
    recurrence: Recurrence | None = None
    metrics: list[SeriesSummary] = field(default_factory=list[SeriesSummary])
    checkpoints: list[CheckpointModel] = field(default_factory=list[CheckpointModel])
    data: list[DataModel] = field(default_factory=list[DataModel])

    def to_json(self) -> str:
        """Return the document as indented JSON with a final newline, keys in schema order."""
        return msgspec.json.format(msgspec.json.encode(self), indent=2).decode() + "\n"

    @classmethod
    def from_json(cls, content: bytes | str) -> Self:
        """Return the report that `to_json` wrote. Raises `ValueError` for anything else."""
        return msgspec.json.decode(content, type=cls)
