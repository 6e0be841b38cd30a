"""The block of a workload of a platform: its category on line one, every signal with its source, and what to do."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import convert

from runtriage.model.report import Report
from runtriage.model.report_workload import WorkloadModel

_WORDS = {"unresolved": "Not diagnosed", "no-access": "Not diagnosed"}


def of(report: Report) -> WorkloadModel:
    """Return the workload that a report's extension tells of."""
    return convert((report.extension or {})["workload"], WorkloadModel)


def has(report: Report) -> bool:
    """Say whether a report tells of a workload."""
    return bool(report.extension) and "workload" in (report.extension or {})


def lines(report: Report, workload: WorkloadModel) -> Iterator[str]:
    """Yield the block line by line."""
    if workload.stopped:
        yield f"{_WORDS.get(workload.stopped, 'Out of scope')}: {workload.stopped}"
    else:
        yield f"Category: {workload.category}"
    yield f"Workload: {workload.name or workload.id} | Phase: {workload.phase or 'not known'} | Project: {workload.project or 'not known'}"
    yield ""
    if workload.stopped:
        yield report.summary
        yield ""
    yield "Evidence:"
    yield from [f"- {item.text} (source: {item.source})" for item in workload.evidence] or ["- none"]
    yield from (f"- Missing: {gap}" for gap in workload.gaps)
    yield ""
    if workload.stopped:
        if workload.question:
            yield f"Next: {workload.question}"
        return
    yield f"History: {history(workload)}"
    yield ""
    yield "Recommendation:"
    yield from (f"- {text}" for text in workload.recommendations)
    yield f"Recovery owner: {workload.recovery_owner}"


def history(workload: WorkloadModel) -> str:
    """Return how often a workload failed in this way, and within which window."""
    window = f"in the last {workload.window} (to {workload.until})"
    plural = "failure" if workload.occurrences == 1 else "failures"
    counted = f"{workload.occurrences} {workload.category} {plural} {window}"
    if workload.restarts > 1:
        counted += f", {workload.restarts} restarts of its container"
    if workload.category == "UNKNOWN":
        return f"no category stands, so nothing is counted {window}"
    if workload.occurrences == 0 and not workload.recurring:
        return f"{counted}; the failure itself lies outside, widen --lookback to count it"
    return f"{counted} — {'recurring' if workload.recurring else 'one-off'}"
