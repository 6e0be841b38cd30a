"""Everything that was learnt about a run, handed to detectors, judge and plan."""

from __future__ import annotations

from msgspec import Struct

from runtriage.model.artifact import Outcome, Read
from runtriage.model.event import Event
from runtriage.model.options import Options
from runtriage.model.place import Citation
from runtriage.model.series import Series
from runtriage.model.subject import Subject
from runtriage.model.table import DataTable
from runtriage.model.time import Instant


class Standing(Struct, frozen=True, kw_only=True):
    """A step that the last `lines` lines of progress all print, and the times of the first and the last of them, by one clock."""

    step: int
    lines: int
    since: Instant
    until: Instant


class RankProgress(Struct, frozen=True, kw_only=True):
    """How far one subject came in one artifact and attempt.

    `last_progress` cites the last line that carried a step or epoch, `last_line` the last line of this subject of any kind; `total_steps`
    is the planned end where printed (`step 5/100`). `progress_lines` counts lines with a step.
    """

    artifact: str
    subject: Subject
    first_step: int | None = None
    last_step: int | None = None
    last_epoch: float | None = None
    total_steps: int | None = None
    progress_lines: int = 0
    last_progress: Citation | None = None
    last_progress_time: Instant | None = None
    first_progress_time: Instant | None = None
    quiet_since: Instant | None = None
    """Where lines of progress print no time: the first time that a line behind the last of them prints."""
    last_line: Citation | None = None
    last_line_time: Instant | None = None
    longest_gap: float | None = None
    """Longest time between two progress lines of this subject, in seconds, where lines carry times."""
    standing: Standing | None = None
    """The last step, where it was printed again and again short of the planned end."""


class Setting(Struct, frozen=True, kw_only=True):
    """One configuration value, from a file, a command line or a printed dump. `role` as in series, e.g. `lr`, `precision`, `world_size`."""

    name: str
    value: str
    citation: Citation
    role: str | None = None


class Checkpoint(Struct, frozen=True, kw_only=True):
    """A checkpoint in the run's folder: `valid` is None when nothing could be checked, `problem` says what is wrong."""

    path: str
    step: int | None
    mtime: float | None
    size: int | None
    format: str
    valid: bool | None
    problem: str | None = None
    citation: Citation | None = None
    resumable: bool | None = None
    optimizer: bool | None = None
    """Whether the state of an optimizer is in it, None where that cannot be told."""
    rng: bool | None = None
    """Whether the state of random generators is in it, None where that cannot be told."""


class Facts(Struct, frozen=True, kw_only=True):
    """The run as it could be read. Events are in reading order (artifact, then byte)."""

    target: str
    options: Options
    events: tuple[Event, ...] = ()
    series: tuple[Series, ...] = ()
    progress: tuple[RankProgress, ...] = ()
    settings: tuple[Setting, ...] = ()
    checkpoints: tuple[Checkpoint, ...] = ()
    reads: tuple[Read, ...] = ()
    outcomes: tuple[Outcome, ...] = ()
    frameworks: tuple[str, ...] = ()
    """Frameworks recognised in the artifacts, most specific first."""
    world_size: int | None = None
    tables: tuple[DataTable, ...] = ()
    """Tables of training data that were looked through on request."""
