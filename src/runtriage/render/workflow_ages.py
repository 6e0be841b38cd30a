"""How old what a workflow run recorded is, against the time at which the run was looked at. Without that time nothing is said."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Any, Final

from runtriage.model.workflow_state import Stage

_STALE: Final = 300.0
"""Seconds after which the workflow tool itself calls a heartbeat stale."""
_SKEW: Final = 5.0
"""Seconds by which two clocks may differ before a time that lies ahead is taken for one that cannot be compared."""


def run_ages(stages: Sequence[Stage], observed_at: str) -> dict[str, Any]:
    """Return the age of the newest heartbeat. One that lies ahead of this clock has no age that is known, and is not called stale."""
    beat = newest(stage.heartbeat for stage in stages)
    age = seconds_between(beat, observed_at)
    if not _moment(observed_at):
        stale = None
    elif not _moment(beat):
        stale = True
    else:
        stale = age > _STALE if age is not None else None
    return {"heartbeat_age_seconds": age, "heartbeat_stale": stale}


def stage_ages(stage: Stage, observed_at: str) -> dict[str, float | None]:
    """Return for how long a stage has run, up to its end where it ended, and how long ago it last made progress."""
    return {
        "elapsed_seconds": seconds_between(stage.started_at, stage.ended_at or observed_at),
        "staleness_seconds": seconds_between(stage.heartbeat, observed_at),
    }


def newest(texts: Iterable[str]) -> str:
    """Return the latest of some times; text that is no time comes before all that is one."""
    first = datetime.min.replace(tzinfo=UTC)
    return max(texts, key=lambda text: (_moment(text) or first, text), default="")


def seconds_between(earlier: str, later: str) -> float | None:
    """Return seconds between two times, or None where either is none or the order is wrong by more than clocks differ."""
    first, last = _moment(earlier), _moment(later)
    if first is None or last is None:
        return None
    apart = round((last - first).total_seconds(), 3)
    return max(apart, 0.0) if apart >= -_SKEW else None


def _moment(text: str) -> datetime | None:
    """Return a time that names its zone; one without is a time of a machine that is not known."""
    try:
        found = datetime.fromisoformat(text)
        return found.astimezone(UTC) if found.tzinfo is not None else None
    except (ValueError, OverflowError):
        return None
