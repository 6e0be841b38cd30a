"""What the exit code of a diagnosis says."""

from __future__ import annotations

from typing import Final

from runtriage.model.exit_code import ABSTAINED, FAILED, NO_ACCESS, NOT_FOUND, OK
from runtriage.model.report import Report

_STOPPED: Final = {"unresolved": NOT_FOUND, "no-access": NO_ACCESS}
"""Words of diagnoses that ended before there was anything to judge: the target was not found, or may not be read."""
_FAILED: Final = frozenset({"crashed", "hung", "degraded", "diverged"})


def of(report: Report) -> int:
    """Return 0 for runs that need nothing, 1 for failures, 3 when the target was not found, 4 when access was lacking, 5 when the judge abstained."""
    code = _of_verdict(report)
    if report.workflow is None or code == FAILED:
        return code
    from runtriage.api.workflow_exit import of_diagnosis

    return of_diagnosis(report.workflow)


def _of_verdict(report: Report) -> int:
    if report.routed is not None:
        return _STOPPED.get(report.routed, OK)
    if report.abstained is not None:
        return NO_ACCESS if report.coverage.files == 0 and report.coverage.denied else ABSTAINED
    return FAILED if report.run_status in _FAILED or _found_cause(report) else OK


def _found_cause(report: Report) -> bool:
    return report.primary_cause is not None and report.run_status != "recovered"
