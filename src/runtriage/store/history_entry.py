"""One remembered diagnosis as the history keeps it: clean values only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """What is known of one diagnosis without its document. Times are ISO 8601 in UTC.

    `seen_at` is when it was diagnosed, `happened_at` when the run failed as far as known. `place` names the run where it lies, None
    for what came through a pipe; `run_key` is the same for every diagnosis of one failure of one run. `hours` are those between the first
    and the last printed time. `fingerprint` is None where nothing failed.
    """

    id: str
    seen_at: str
    happened_at: str
    target: str
    place: str | None = None
    run_key: str = ""
    bytes: int = 0
    mtime: float | None = None
    run_status: str
    primary_cause: str | None = None
    failure_mode: str | None = None
    framework: str = "unknown"
    confidence: float = 0.0
    decision: str = "NO-GO"
    fingerprint: str | None = None
    mechanism: str = ""
    node: str | None = None
    rank: int | None = None
    step: int | None = None
    hours: float | None = None
    summary: str = ""
    version: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Feedback:
    """What a person said of a diagnosis: `says` is right, wrong or fixed; `cause` the class it should have had."""

    diagnosis: str
    given_at: str
    says: str
    note: str
    cause: str | None = None


COLUMNS: Final = tuple(Entry.__dataclass_fields__)
FEEDBACK: Final = tuple(Feedback.__dataclass_fields__)


def of_row(row: tuple[Any, ...]) -> Entry:
    """Return the entry of a row that holds `COLUMNS`."""
    return Entry(**dict(zip(COLUMNS, row, strict=True)))


def of_feedback(row: tuple[Any, ...]) -> Feedback:
    """Return the feedback of a row that holds `FEEDBACK`."""
    return Feedback(**dict(zip(FEEDBACK, row, strict=True)))
