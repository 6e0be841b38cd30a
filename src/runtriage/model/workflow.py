"""What a workflow run wrote about itself: manifest, ledger, supervisor events, spec. Text is as written; nothing here is judged."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct, field

DocumentState = Literal["found", "absent", "denied", "unavailable", "broken"]


class DocumentRead(Struct, frozen=True, kw_only=True):
    """How one document of the run was answered; `denied` and `unavailable` are never absence, `broken` cannot be understood."""

    path: str
    state: DocumentState
    detail: str = ""


class Step(Struct, frozen=True, kw_only=True):
    """One step of the manifest. `place` is its JSON pointer there."""

    state: str
    place: str
    iteration: str = ""
    status: str = ""
    job_id: str = ""
    job_name: str = ""
    sky_status: str = ""
    error: str = ""
    attempt: int = 0
    outputs: tuple[str, ...] = ()
    inputs: tuple[str, ...] = ()
    accelerators: str = ""
    profile: Mapping[str, str] = field(default_factory=dict[str, str])
    """Plain values of its profile of resources, by name."""


class Manifest(Struct, frozen=True, kw_only=True):
    """The durable manifest; `legacy` marks the older layout, whose steps come from the stages' own status documents."""

    path: str
    run_id: str
    workflow: str
    status: str
    updated_at: str = ""
    prefix: str = ""
    job_id: str = ""
    legacy: bool = False
    steps: tuple[Step, ...] = ()


class Task(Struct, frozen=True, kw_only=True):
    """One task of a job as the ledger or the queue knows it."""

    job_id: str
    name: str
    status: str
    task_id: str = ""
    job_name: str = ""
    cluster: str = ""
    reason: str = ""
    recoveries: int = 0


class Reconciled(Struct, frozen=True, kw_only=True):
    """One look at the queue while a launch was uncertain."""

    state: str
    job_id: str = ""
    status: str = ""
    observable: bool | None = None


class PartialLaunch(Struct, frozen=True, kw_only=True):
    """A launch that left a reservation without a payload; `successor` is the attempt that was reserved after it."""

    cause: str
    parent_job: str
    parent_launch: str
    observable: bool | None
    outputs_absent_at: str
    preflight_error: str
    rendered_hash: str
    preflight_hash: str
    successor_attempt: int | None = None
    successor_job: str = ""


class Wave(Struct, frozen=True, kw_only=True):
    """One attempt of one wave: `place` is its JSON pointer in the ledger, `position` its order there."""

    key: str
    place: str
    position: int
    attempt: int
    members: tuple[tuple[str, str], ...]
    """(state, iteration) of each member; the iteration is empty where there is none."""
    parallel: bool = False
    group: str = ""
    job_id: str = ""
    job_name: str = ""
    status: str = ""
    sky_status: str = ""
    started_at: str = ""
    ended_at: str = ""
    error: str = ""
    launch_id: str = ""
    launches: int = 0
    category: str = ""
    decision: str = ""
    cancellation: str = ""
    status_errors: int = 0
    observations: int = 0
    last_observed_at: str = ""
    tasks: tuple[Task, ...] = ()
    outputs: tuple[str, ...] = ()
    reconciled: tuple[Reconciled, ...] = ()
    partial: PartialLaunch | None = None
    used: int | None = None
    limit: int | None = None
    exhausted: bool = False
    identity: Mapping[str, str] = field(default_factory=dict[str, str])


class Ledger(Struct, frozen=True, kw_only=True):
    """The runtime driver's own record. `waves` is a history: older attempts are never current."""

    path: str
    status: str
    run_id: str = ""
    workflow: str = ""
    updated_at: str = ""
    fingerprint: str = ""
    waves: tuple[Wave, ...] = ()
    heartbeats: Mapping[str, str] = field(default_factory=dict[str, str])
    """Stage to its last heartbeat as recorded; looking at a run never makes one."""


class SupervisorEvent(Struct, frozen=True, kw_only=True):
    """One decision, cancellation, reservation or launch of the supervisor; `intact` tells whether its name is the hash of its bytes."""

    path: str
    intact: bool
    recorded_at: str
    phase: str
    attempt: int
    launch_id: str
    job_id: str = ""
    successor_attempt: int | None = None
    classification: str = ""
    action: str = ""
    reason_code: str = ""
    remediation: str = ""
    relaunch_allowed: bool = False
    outputs: str = ""
    used: int | None = None
    limit: int | None = None
    exhausted: bool = False
    cancelled: str = ""
    exact: bool | None = None


class PlannedStage(Struct, frozen=True, kw_only=True):
    """One state of the submitted spec, in the order of the plan; tokens of `outputs` are resolved."""

    name: str
    outputs: tuple[str, ...] = ()
    inputs: tuple[str, ...] = ()
    accelerators: str = ""
    nodes: int = 1
    image: str = ""
    profile: Mapping[str, str] = field(default_factory=dict[str, str])
    """Plain values of its profile of resources, by name."""


class WorkflowSpec(Struct, frozen=True, kw_only=True):
    """The submitted spec; `digest` is the sha256 of its bytes."""

    path: str
    name: str
    digest: str
    stages: tuple[PlannedStage, ...] = ()
    bucket: str = ""
    settings: Mapping[str, str] = field(default_factory=dict[str, str])


class RunRecords(Struct, frozen=True, kw_only=True):
    """Everything a run prefix says, and how each of its documents was answered."""

    run_id: str
    prefix: str
    documents: tuple[DocumentRead, ...] = ()
    manifest: Manifest | None = None
    ledger: Ledger | None = None
    spec: WorkflowSpec | None = None
    supervisor: tuple[SupervisorEvent, ...] = ()
    final_artifacts: tuple[str, ...] = ()
    """Recordings under the run's reports that can be loaded again."""
    launch_state: str = ""
    """What a local submission receipt says of the launch; empty without one."""
    first_run: str = ""
    """The last state that this machine's own note of the first run of a workflow tells; empty without one."""
    local: tuple[tuple[str, str], ...] = ()
    """Each place on this machine that may know of the run, and whether it does: `found`, `absent`, `unavailable` or `skipped`."""
    load_failed: bool = False
    """Whether loading the final artifact failed, by the local receipt or by the operator's word."""

    @property
    def workflow(self) -> str:
        """The name of the workflow, from whichever document tells it."""
        for told in (self.manifest, self.ledger):
            if told is not None and told.workflow:
                return told.workflow
        return self.spec.name if self.spec else ""
