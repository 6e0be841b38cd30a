"""What says that a run was ended, and what says that it ended well."""

from __future__ import annotations

from typing import Final

from runtriage.model.event import EXIT, FINISH, STATEMENT, Event
from runtriage.model.event_names import ENDING

TIMED_OUT: Final = 124
"""What `timeout` returns when the time it was given is used up."""
SHELL_BASE: Final = 128
"""What a shell adds to the number of the signal that ended a command."""


def ends(event: Event) -> bool:
    """Tell whether an event says that the run was ended, by itself or by somebody else."""
    return event.kind == EXIT or (event.kind == STATEMENT and event.name == ENDING)


def ended_well(event: Event) -> bool:
    """Tell whether an event says that the run completed, or that its process left with 0."""
    return event.kind == FINISH or (event.kind == EXIT and event.numbers.get("code") == 0)
