"""Who a line, state or number is about."""

from __future__ import annotations

from typing import Final

from msgspec import Struct


class Subject(Struct, frozen=True):
    """The process or place an event belongs to; a field is None when nothing printed says it.

    `rank` is global, `local_rank` counts within a node; one maps to the other only through printed evidence.
    `attempt` counts starts of the job inside one run, from 0.
    """

    attempt: int = 0
    rank: int | None = None
    local_rank: int | None = None
    node: str | None = None
    role: str | None = None
    pod: str | None = None
    gpu: str | None = None
    pid: int | None = None


NOBODY: Final = Subject()
"""The subject of what nothing printed belongs to."""
