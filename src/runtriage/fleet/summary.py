"""What failed across a fleet: counts and run-hours by cause, node, signature and owner, and what repeats."""

from __future__ import annotations

from collections import Counter
from typing import Any, Final

from msgspec import Struct, field

from runtriage.fleet.row import TOOL_FAILURE, Row
from runtriage.fleet.tally import Tally
from runtriage.model.exit_code import ABSTAINED, FAILED, NO_ACCESS, NOT_FOUND, OK, TOOL_FAILED, USAGE

GROUPS: Final = ("cause", "failure_mode", "node", "signature", "owner")
_FAULTS: Final = 20
UNKNOWN: Final = "(unknown)"
_WHY: Final = (NO_ACCESS, NOT_FOUND, ABSTAINED, USAGE, TOOL_FAILED)
"""Why no run could be judged, what is most worth telling first."""


def _tallies() -> dict[str, Tally]:
    return {name: Tally() for name in GROUPS}


class Summary(Struct):
    """The counts so far. Groups and hours count failed runs only."""

    runs: int = 0
    failed: int = 0
    judged: int = 0
    outcomes: Counter[str] = field(default_factory=Counter[str])
    groups: dict[str, Tally] = field(default_factory=_tallies)
    fingerprints: Tally = field(default_factory=Tally)
    kinds: Tally = field(default_factory=Tally)
    """Failures that only a curve shows: those of one kind may be of any program."""
    hours: float = 0.0
    hours_failed: float = 0.0
    rank_hours_failed: float = 0.0
    without_hours: int = 0
    bytes: int = 0
    seconds: float = 0.0
    faults: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    unread: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    """The first targets that could not be diagnosed, each with the reason; no more than are shown."""
    codes: Counter[int] = field(default_factory=Counter[int])

    def add(self, row: Row) -> None:
        """Count one run."""
        self.runs += 1
        self.codes[row.code] += 1
        self.outcomes[_outcome(row)] += 1
        self.bytes += row.bytes
        self.seconds += row.seconds
        self.hours += row.hours or 0.0
        if row.outcome != "judged":
            kept = self.faults if row.outcome == TOOL_FAILURE else self.unread
            if len(kept) < _FAULTS:
                kept.append((row.target, row.error or ""))
            return
        self.judged += row.abstained is None
        if row.code == FAILED:
            self._add_failed(row)

    def _add_failed(self, row: Row) -> None:
        self.failed += 1
        self.hours_failed += row.hours or 0.0
        self.rank_hours_failed += (row.hours or 0.0) * (row.ranks or 1)
        self.without_hours += row.hours is None
        names = {
            "cause": row.primary_cause,
            "failure_mode": row.failure_mode,
            "node": row.node,
            "signature": row.signature,
            "owner": row.owner,
        }
        for group, name in names.items():
            self.groups[group].add(name or UNKNOWN, row.hours, row.target)
        if row.fingerprint:
            tally = self.kinds if row.curve_only else self.fingerprints
            tally.add(row.fingerprint, row.hours, row.summary)

    def exit_code(self) -> int:
        """Return 1 if any run failed, 0 if any was judged, else why none could be: 4, 3, 5, or 70 where the tool failed."""
        if self.failed:
            return FAILED
        if self.judged:
            return OK
        return next((code for code in _WHY if self.codes[code]), NOT_FOUND)

    def document(self) -> dict[str, Any]:
        """Return the summary as JSON values, schema `runtriage.fleet/1`."""
        return {
            "schema": "runtriage.fleet/1",
            "runs": self.runs,
            "failed": self.failed,
            "outcomes": dict(sorted(self.outcomes.items())),
            "run_hours": round(self.hours, 3),
            "run_hours_failed": round(self.hours_failed, 3),
            "rank_hours_failed": round(self.rank_hours_failed, 3),
            "failed_without_hours": self.without_hours,
            "bytes": self.bytes,
            "seconds": round(self.seconds, 3),
            "by": {name: _rows(tally) for name, tally in self.groups.items()},
            "repeated": [row for row in _rows(self.fingerprints) if row["runs"] > 1],
            "same_kind": [row for row in _rows(self.kinds) if row["runs"] > 1],
            "tool_failures": [{"target": target, "error": error} for target, error in self.faults],
            "unreadable": [{"target": target, "error": error} for target, error in self.unread],
        }


def _outcome(row: Row) -> str:
    if row.outcome != "judged":
        return row.outcome
    return "abstained" if row.abstained is not None else (row.run_status or "unknown")


def _rows(tally: Tally) -> list[dict[str, Any]]:
    return [
        {"name": name, "runs": line.runs, "run_hours": round(line.hours, 3), "example": line.example}
        for name, line in tally.top(100)
    ]
