"""The section of the report about a workload of a platform."""

from __future__ import annotations

from msgspec import to_builtins

from runtriage.model.place import where
from runtriage.model.report_workload import Source, WorkloadModel
from runtriage.model.verdict import Verdict
from runtriage.model.workload import Workload
from runtriage.plan.workload import owner, recommendations, recurring

_UNITS = ((86_400.0, "d"), (3_600.0, "h"), (60.0, "min"))


def extension(verdict: Verdict) -> dict[str, object] | None:
    """Return what a platform adds to the report, or None where it adds nothing."""
    return None if verdict.workload is None else {"workload": to_builtins(_model(verdict, verdict.workload))}


def _model(verdict: Verdict, workload: Workload) -> WorkloadModel:
    category = verdict.workload_category
    line = where(verdict.root) if verdict.root is not None and verdict.root.first_line is not None else ""
    return WorkloadModel(
        **{name: value for name, value in to_builtins(workload).items() if name in _PLAIN},
        category=category,
        evidence=[Source(text=item.text, source=item.source) for item in workload.evidence],
        gaps=list(workload.gaps),
        recurring=recurring(workload) and category is not None,
        window=_window(workload.lookback),
        recommendations=list(recommendations(category, workload, line=line)),
        recovery_owner=owner(category, workload),
    )


_PLAIN = (
    "id",
    "name",
    "phase",
    "project",
    "cluster",
    "occurrences",
    "restarts",
    "since",
    "until",
    "stopped",
    "question",
)


def _window(seconds: float) -> str:
    for unit, letter in _UNITS:
        if seconds >= unit and seconds % unit == 0 and not (letter == "d" and seconds < 2 * unit):
            return f"{seconds / unit:.0f}{letter}"
    return f"{seconds:.0f}s"
