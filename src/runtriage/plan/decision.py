"""The one rule for GO and NO-GO, of a plan as it is made and of one in a report."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from runtriage.model.plan import SAFE, Decision, Risk


class Ahead(Protocol):
    """What a step must tell to be decided on."""

    @property
    def proceeds(self) -> bool:
        """Whether the run goes on after it; reading and fetching never count."""
        ...

    @property
    def risk(self) -> Risk:
        """Who may do it."""
        ...

    @property
    def command(self) -> str | None:
        """What to type, where that is known."""
        ...


def decision(steps: Sequence[Ahead]) -> Decision:
    """Return GO where the first step that would make the run proceed is safe and its command is known."""
    first = next((step for step in steps if step.proceeds), None)
    return "GO" if first is not None and first.risk == SAFE and first.command else "NO-GO"
