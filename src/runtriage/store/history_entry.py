"""One remembered diagnosis as the history keeps it: clean values only."""

from __future__ import annotations

from typing import Any, Final, NamedTuple


class Entry(NamedTuple):
    """What is known of one diagnosis without its document (a tuple, which is made sooner than a dataclass). Times are ISO 8601 in UTC.

    `seen_at` is when it was diagnosed, `happened_at` when the run failed as far as known. `place` names the run where it lies, None
    for what came through a pipe; `run_key` is the same for every diagnosis of one failure of one run. `hours` are those between the first
    and the last printed time. `fingerprint` is None where nothing failed. `said` stands for the words of the root, numbers and all;
    `printed` holds the first and the last printed time.
    """

    id: str
    seen_at: str
    happened_at: str
    target: str
    run_status: str
    place: str | None = None
    run_key: str = ""
    bytes: int = 0
    mtime: float | None = None
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
    said: str | None = None
    printed: str | None = None


class Feedback(NamedTuple):
    """What a person said of a diagnosis: `says` is right, wrong or fixed; `cause` the class it should have had."""

    diagnosis: str
    given_at: str
    says: str
    note: str
    cause: str | None = None


COLUMNS: Final = Entry._fields
FEEDBACK: Final = Feedback._fields


def of_row(row: tuple[Any, ...]) -> Entry:
    """Return the entry of a row that holds `COLUMNS`."""
    return Entry(*row)


def of_feedback(row: tuple[Any, ...]) -> Feedback:
    """Return the feedback of a row that holds `FEEDBACK`."""
    return Feedback(*row)
