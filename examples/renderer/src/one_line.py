"""A report on one line, for a chat or a status board."""

from __future__ import annotations

from runtriage.model.report import Report


def render(report: Report) -> str:
    """Return status, cause, confidence and summary on one line."""
    cause = report.primary_cause or "no failure"
    return f"{report.run_status} | {cause} ({report.confidence_score:.2f}) | {report.decision} | {report.summary}\n"
