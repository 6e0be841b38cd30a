"""What to do next."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

SAFE = "safe"
NEEDS_APPROVAL = "needs-approval"
DANGEROUS = "dangerous"


Risk = Literal["safe", "needs-approval", "dangerous"]
Decision = Literal["GO", "NO-GO"]


class Fix(Struct, frozen=True, kw_only=True):
    """A remedy in the catalogue. `impact` and `reversible` order it; `command` is a template over facts of the run, or empty.

    `impact` runs from 0 to 1, `minutes` is the time to try it, `proceeds` says whether the run goes on after it (reading and
    fetching never count). `action` may hold `{placeholders}` for values of the run; `plain` says the same without them, as does
    `plain_command` for `command`.
    """

    id: str
    action: str
    risk: Risk
    expected_impact: str
    impact: float
    minutes: float
    reversible: bool
    validate: str
    proceeds: bool
    command: str = ""
    plain: str = ""
    plain_command: str = ""


class Step(Struct, frozen=True, kw_only=True):
    """One step of a recovery plan, with this run's own values filled in."""

    action: str
    risk: Risk
    expected_impact: str
    time_to_try: str
    reversible: bool
    validate: str
    proceeds: bool
    command: str | None = None
    origin: str = "catalogue"
    """`catalogue`, or `history` where an earlier diagnosis added it."""
    fix: str | None = None


class Plan(Struct, frozen=True, kw_only=True):
    """Ordered steps, the decision they lead to, and commands that carry this run's real values."""

    steps: tuple[Step, ...]
    decision: Decision
    next_commands: tuple[str, ...]
