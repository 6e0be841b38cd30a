"""What is concluded about a workflow run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct, field

from runtriage.model.workflow import SupervisorEvent, Wave
from runtriage.model.workflow_evidence import Blocker, OutputCheck

DecisionWord = Literal[
    "BLOCKED_RESTORE_EVIDENCE",
    "NO_ACTION",
    "RELOAD_ARTIFACTS",
    "KEEP_WATCHING",
    "CANCEL",
    "FIX_CONFIG_START_FRESH",
    "RESUME",
    "FIX_PAYLOAD",
]


class Source(Struct, frozen=True, kw_only=True):
    """Where a statement can be read again: a document of the run (with a JSON pointer) or a live answer by name."""

    artifact: str
    pointer: str = ""


class Lifecycle(Struct, frozen=True, kw_only=True):
    """The run's durable state. `word` is normalised; the raw words stay beside it. `problem` says why it cannot be trusted."""

    word: str
    source: str
    updated_at: str
    manifest_status: str
    manifest_raw: str
    manifest_updated_at: str
    runtime_status: str
    completion_recorded: bool
    problem: str = ""

    @property
    def terminal(self) -> bool:
        """Whether the run has ended."""
        return self.word in TERMINAL


TERMINAL = frozenset({"SUCCEEDED", "FAILED", "FAILED_STARTUP", "CANCELLED", "BLOCKED"})


class Stage(Struct, frozen=True, kw_only=True):
    """One stage with every word that is known about it; `attempts` are all its waves, the last one is current."""

    key: str
    name: str
    iteration: str
    index: int
    state: str
    record: str
    job_id: str
    attribution: str
    job_word: str
    task_word: str
    provenance: str
    conflict: bool
    retries: int
    recovery_count: int
    heartbeat: str
    observed_at: str
    started_at: str
    ended_at: str
    accelerators: str
    attempts: tuple[Wave, ...] = ()
    outputs: tuple[OutputCheck, ...] = ()
    source: Source | None = None
    error: str = ""
    scheduler_word: str = ""
    """The word of the job in one spelling."""
    task_ended: bool = False
    task_id: str = ""
    profile: Mapping[str, str] = field(default_factory=dict[str, str])
    """Plain values of its profile of resources, by name."""

    @property
    def wave(self) -> Wave | None:
        """The current attempt."""
        return self.attempts[-1] if self.attempts else None


class Cause(Struct, frozen=True, kw_only=True):
    """Which class of failure, why, and where it is written."""

    kind: str
    code: str = ""
    text: str = ""
    source: Source | None = None
    blocked: bool = False
    """Nothing may be decided from it until evidence is restored."""


class Check(Struct, frozen=True, kw_only=True):
    """One precondition of the decision: holds, fails, or is not known (None)."""

    text: str
    holds: bool | None
    source: Source | None = None


class PlanDifference(Struct, frozen=True, kw_only=True):
    """Something of a run's recorded attempts that does not fit the spec it keeps."""

    text: str
    source: Source


class WorkflowDecision(Struct, frozen=True, kw_only=True):
    """The one next move, what was checked for it, and the exact command where there is one."""

    word: DecisionWord
    because: str
    checks: tuple[Check, ...] = ()
    command: str = ""
    cancel_first: bool = False
    cancel_command: str = ""
    operator_only: bool = False
    relaunch: bool | None = None


class Assessment(Struct, frozen=True, kw_only=True):
    """Everything concluded about a run. `status` is the word shown; `known` the last state that was known where the two differ."""

    status: str
    known: str
    known_source: str
    lifecycle: Lifecycle | None
    stages: tuple[Stage, ...]
    active: Stage | None
    failing: Stage | None
    without_outputs: Stage | None
    cause: Cause
    decision: WorkflowDecision
    verification: str
    reason: str = ""
    code: str = ""
    category: str = ""
    event: SupervisorEvent | None = None
    blockers: tuple[Blocker, ...] = ()
    pods_for_job: int | None = None
    controller_word: str = ""
    startup_failures: int = 0
    running_work: int = 0
    not_run: tuple[str, ...] = ()
    plan_differences: tuple[PlanDifference, ...] = ()
    look_again: str = ""
    """The command that asks again."""
    diagnostics: tuple[str, ...] = ()
