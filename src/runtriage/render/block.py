"""The compact block a person sees first; its labels and their order are fixed."""

from __future__ import annotations

from collections.abc import Iterator

from runtriage.model.report import Report
from runtriage.render.unbroken import unbroken

_EVIDENCE = 6
_FIXES = 5


def lines(report: Report) -> Iterator[str]:
    """Yield the block line by line; a workload of a platform has one of its own."""
    return unbroken(_lines(report))


def _lines(report: Report) -> Iterator[str]:
    if report.extension and "workload" in report.extension:
        from runtriage.render import workload  # few reports have one, and all wait for what is imported

        yield from workload.lines(report, workload.of(report))
        return
    yield f"Status: {report.run_status}"
    yield f"Framework: {report.framework}"
    yield f"Primary cause: {cause(report)}"
    yield f"Contributing factors: {'; '.join(report.root_cause.contributing) or 'none'}"
    yield from report.platform_lines
    yield "Evidence:"
    claims = [item.claim for item in report.evidence[:_EVIDENCE]] or ["nothing that points to a failure was found"]
    yield from (f"- {claim}" for claim in claims)
    yield "Root cause:"
    yield report.root_cause.root
    yield "Top fixes:"
    yield from (fix for fix in _fixes(report))
    yield f"Decision: {report.decision}"
    yield f"Confidence: {report.confidence}"
    yield ""
    yield "Next command(s):"
    yield from (f"- {command}" for command in report.next_commands or ["none"])


def cause(report: Report) -> str:
    """Return the primary class with its confidence, or `none`."""
    if report.primary_cause is None:
        return "none"
    return f"{report.primary_cause} (confidence: {report.confidence_score:.2f})"


def _fixes(report: Report) -> Iterator[str]:
    if not report.plan:
        yield "none"
    for number, step in enumerate(report.plan[:_FIXES], 1):
        yield (
            f"{number}) {step.action} | risk={step.risk} | expected impact={step.expected_impact} | validate={step.validate_}"
        )
