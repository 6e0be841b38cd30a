"""What the world says about a workflow run: outputs in storage, the job queue, pods and nodes, controller logs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct, field

from runtriage.model.workflow import RunRecords, Task

OutputState = Literal["valid", "missing", "empty", "indeterminate"]
QueueState = Literal["live", "not-attempted", "failed"]


class OutputCheck(Struct, frozen=True, kw_only=True):
    """What storage holds for one declared output. A prefix is `valid` when any key under it has bytes."""

    uri: str
    state: OutputState
    size: int | None = None
    keys: int | None = None
    first_key_empty: bool = False
    detail: str = ""


class QueueAnswer(Struct, frozen=True, kw_only=True):
    """One look at the queue of managed jobs. `failed` is an answer that proves nothing; `code` and `category` say which kind."""

    state: QueueState
    rows: tuple[Task, ...] = ()
    tasks: tuple[Task, ...] | None = None
    """Task rows where they came with an answer of their own; else the rows are both."""
    code: str = ""
    category: str = ""
    reason: str = ""


class Blocker(Struct, frozen=True, kw_only=True):
    """Why a pod does not start. `source` names the field it was read from."""

    pod: str
    namespace: str
    source: str
    reason: str
    message: str
    code: str
    image: str = ""
    pull_secret: str = ""


class PodSeen(Struct, frozen=True, kw_only=True):
    """One pod as far as capacity and start-up are concerned; `job_id` comes from the cluster label."""

    name: str
    namespace: str
    phase: str
    node: str
    cluster: str
    job_id: str
    gpus: int
    image: str = ""
    blockers: tuple[Blocker, ...] = ()


class NodeSeen(Struct, frozen=True, kw_only=True):
    """One node: accelerator product as labelled, GPUs that may be used, and whether it is ready."""

    name: str
    product: str
    gpus: int
    ready: bool
    schedulable: bool = True


class ClusterAnswer(Struct, frozen=True, kw_only=True):
    """What the cluster answered. `error` is a code of a failed read: never the same as nothing blocking."""

    pods: tuple[PodSeen, ...] = ()
    nodes: tuple[NodeSeen, ...] = ()
    error: str = ""
    detail: str = ""
    nodes_error: str = ""


class ControllerLog(Struct, frozen=True, kw_only=True):
    """What the controller's log of one job says; `failures` counts lines of failed starts."""

    job_id: str
    failures: int = 0
    last_failure: str = ""
    pinned_client: str = ""
    detail: str = ""


class RunEvidence(Struct, frozen=True, kw_only=True):
    """Records of the run together with what was seen live. `cached` means nothing live was asked on purpose."""

    records: RunRecords
    outputs: Mapping[str, OutputCheck] = field(default_factory=dict[str, OutputCheck])
    queue: QueueAnswer = QueueAnswer(state="not-attempted")
    cluster: ClusterAnswer | None = None
    controllers: tuple[ControllerLog, ...] = ()
    cached: bool = False
    threshold: int = 3
    observed_at: str = ""
    """When the run was looked at (ISO 8601), or empty where ages are not to be told."""
