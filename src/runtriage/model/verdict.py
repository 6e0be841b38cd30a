"""What the judge concluded, and why not something else."""

from __future__ import annotations

from msgspec import Struct, field

from runtriage.model.artifact import Request
from runtriage.model.facts import RankProgress
from runtriage.model.finding import Evidence, Match
from runtriage.model.place import Citation
from runtriage.model.subject import Subject
from runtriage.model.time import Instant
from runtriage.model.workload import Workload


class Incident(Struct, frozen=True, kw_only=True):
    """Matches of one failure mode in one attempt, folded: who, since when, how often. `outcome` is terminal, recovered,
    progressed-after or unresolved. `start` is the effective start of the earliest match."""

    id: str
    mode: str
    primary_class: str
    role: str
    attempt: int
    matches: tuple[Match, ...]
    subjects: tuple[Subject, ...]
    outcome: str
    start: Instant | None = None
    step: int | None = None
    count: int = 1

    def __post_init__(self) -> None:
        if not self.matches:
            raise ValueError("an incident is made of matches")


class Fact(Struct, frozen=True, kw_only=True):
    """One reason for or against a hypothesis; `weight` is its share of the score (positive speaks for it)."""

    name: str
    text: str
    weight: float
    citation: Citation | None = None


class Hypothesis(Struct, frozen=True, kw_only=True):
    """One possible root: an incident (None: something that is not recorded here), what it explains and its facts."""

    incident: Incident | None
    explains: tuple[str, ...]
    facts: tuple[Fact, ...]
    score: float
    settle: tuple[Request, ...] = ()


class RuledOut(Struct, frozen=True, kw_only=True):
    """A cause that looked plausible, and the cited reason it is not the root."""

    cause: str
    because: str
    citation: Citation | None = None


class Cascade(Struct, frozen=True, kw_only=True):
    """Something the root explains: one line for the reader."""

    mode: str
    text: str
    citation: Citation
    subjects: tuple[Subject, ...] = ()


class Verdict(Struct, frozen=True, kw_only=True):
    """The judged answer. `primary_class` is None when nothing failed or when the judge abstains (`abstained` says why).

    `confidence` runs from 0 to 1. `evidence` is ordered: the root first. `root` is one citation of at most three lines.
    """

    run_status: str
    primary_class: str | None
    mode: str | None
    secondary_classes: tuple[str, ...] = ()
    confidence: float
    summary: str
    proximate: str
    root_cause: str
    contributing: tuple[str, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    root: Citation | None = None
    culprit: Subject | None = None
    last_progress: RankProgress | None = None
    attempts: int = 1
    hypotheses: tuple[Hypothesis, ...] = ()
    cascade: tuple[Cascade, ...] = ()
    ruled_out: tuple[RuledOut, ...] = ()
    missing: tuple[Request, ...] = ()
    abstained: str | None = None
    workload_category: str | None = None
    routed: str | None = None
    deterministic: bool | None = None
    """True when every attempt failed in the same way at the same step, False at different steps, None with one attempt."""
    fixes: tuple[str, ...] = ()
    values: dict[str, str] = field(default_factory=dict[str, str])
    """Clean values of this run for templates (rank, step, checkpoint, file)."""
    workload: Workload | None = None
    """What the platform tells of the workload, where one was diagnosed step by step."""
