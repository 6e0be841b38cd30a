"""What a signature or detector returns."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct, field

from runtriage.model.event import Event
from runtriage.model.place import Citation
from runtriage.model.subject import NOBODY, Subject
from runtriage.model.time import Instant


class Evidence(Struct, frozen=True, kw_only=True):
    """A claim, in one clean sentence, and where to read it again."""

    claim: str
    citation: Citation
    excerpt: str = ""
    quantity: str | None = None


class Match(Struct, frozen=True, kw_only=True):
    """A rule fired. `rule` is a signature or detector id, `mode` a key of the taxonomy.

    `tier` is one of kernel, scheduler, exception, exit, recorder, log, metric, launcher, config. `start` is the effective start
    (back-dated where the print says how long ago it began), `step` the last step before it. `byte` orders matches inside one artifact.
    """

    rule: str
    mode: str
    role: str
    maturity: str
    tier: str
    evidence: tuple[Evidence, ...]
    subject: Subject = NOBODY
    scope: str = "rank"
    start: Instant | None = None
    step: int | None = None
    count: int = 1
    captures: Mapping[str, str] = field(default_factory=dict[str, str])
    numbers: Mapping[str, float] = field(default_factory=dict[str, float])
    events: tuple[Event, ...] = ()
    fixes: tuple[str, ...] = ()
    title: str = ""

    def __post_init__(self) -> None:
        if not self.evidence:
            raise ValueError("a match needs evidence")


class Clear(Struct, frozen=True):
    """The rule looked at everything it needed, whole, and the fault is not there."""

    rule: str
    mode: str
    examined: tuple[str, ...]


class Unknown(Struct, frozen=True):
    """The rule could not look: these are missing, unreadable or cut."""

    rule: str
    mode: str
    missing: tuple[str, ...]


class Broken(Struct, frozen=True):
    """The rule itself failed, or the file that holds it cannot be used; never a fault of the run."""

    rule: str
    error: str


Finding = Match | Clear | Unknown | Broken
