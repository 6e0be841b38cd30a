"""Waiting for a job in the cloud: diagnose again until it has ended."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from runtriage.model.report import Report

_POLLED: Final = ("vertex:",)
_STATE: Final = "Pipeline state: "
_GOING: Final = frozenset({"QUEUED", "PENDING", "RUNNING", "CANCELLING"})


def until_ended(
    ask: Callable[[], Report],
    targets: Sequence[str],
    interval: int,
    *,
    once: bool,
    pause: Callable[[float], None] = time.sleep,
) -> Report:
    """Return the report of a job that has ended, asking again every `interval` seconds; of any other target, the first one."""
    report = ask()
    if once or not any(target.startswith(_POLLED) for target in targets):
        return report
    while going(report):
        sys.stderr.write(f"{_state(report)}; asking again in {interval} s (--once does not wait)\n")
        pause(interval)
        report = ask()
    return report


def going(report: Report) -> bool:
    """Tell whether the pipeline of a report has not ended and nothing in it failed yet."""
    return _state(report) in _GOING and report.primary_cause is None


def _state(report: Report) -> str:
    return next((line.removeprefix(_STATE) for line in report.platform_lines if line.startswith(_STATE)), "")
