"""Waiting for a run that is still there: diagnose again until it has ended."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from runtriage.targets.errors import TargetError

if TYPE_CHECKING:
    from runtriage.model.report import Report

EVERY: Final = 60
"""Seconds between two looks unless told otherwise."""
_AWAITED: Final = ("vertex:",)
"""Targets that are waited for without being asked to."""
_LIVE: Final = ("k8s:", "mlflow:", "pid:", "proc:", "ray:", "runai:", "sky:", "slurm:", "vertex:", "wandb:")
"""Targets that say themselves whether they go on."""
_GOING: Final = frozenset({"QUEUED", "PENDING", "RUNNING", "CANCELLING"})
_ROUTED: Final = frozenset({"running", "pending"})


def until_ended(
    ask: Callable[[], Report],
    targets: Sequence[str],
    interval: int | None,
    *,
    once: bool,
    opened: bool = False,
    pause: Callable[[float], None] = time.sleep,
) -> Report:
    """Return the report of a run that has ended, asking again every `interval` seconds.

    Without an `interval` only jobs of Vertex AI are waited for. What is no live target is read once, and so is everything `once`;
    `opened` says that the target is a live one that no string names.
    """
    live = opened or any(target.startswith(_LIVE) for target in targets)
    if interval is not None and not live and not once:
        _tell(
            f"--interval waits for runs that are still there; this is read once (to follow it: runtriage watch {' '.join(targets)})"
        )
    report = ask()
    if once or not live or (interval is None and not any(target.startswith(_AWAITED) for target in targets)):
        return report
    every = interval or EVERY
    while going(report):
        _tell(f"{_shown(report)}; asking again in {every} s (--once does not wait)")
        pause(every)
        try:
            report = ask()
        except TargetError as error:
            _tell(f"{error}; this is the last that was seen")
            return report
    return report


def going(report: Report) -> bool:
    """Tell whether the run of a report has not ended and nothing in it failed yet."""
    if report.primary_cause is not None:
        return False
    if report.platform_state is not None:
        return report.platform_state in _GOING
    return report.routed in _ROUTED or report.run_status == "running"


def _shown(report: Report) -> str:
    return report.platform_state or report.routed or report.run_status


def _tell(text: str) -> None:
    sys.stderr.write(f"runtriage: {text}\n")
    sys.stderr.flush()
