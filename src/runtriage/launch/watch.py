"""`runtriage watch`: looks at a run again and again, warns once of each thing, and says why it stopped looking."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from msgspec import Struct, field

from runtriage.api.diagnosis import diagnose
from runtriage.launch.follow import Followed
from runtriage.launch.growth import Growth
from runtriage.model.options import Options
from runtriage.targets.errors import TargetError

if TYPE_CHECKING:
    from runtriage.api.history import Memory
    from runtriage.model.report import Report
    from runtriage.model.target import Cache

DELIVERED: Final = "diagnosis delivered"
STABLE: Final = "stable progress"
DECISION: Final = "user decision required"
INSUFFICIENT: Final = "evidence insufficient"

STEPS: Final = 50
"""Steps past a fault, without it being found again, after which a run counts as recovered."""
_SETTLED: Final = 2
"""Polls without a change after which the end of a log is taken for the end of its run."""
_TOLD: Final = 0.8
"""Confidence from which a log is taken to say itself that its run ended."""
_ENDED: Final = frozenset({"crashed"})
_CLOSED: Final = _ENDED | {"completed", "recovered"}
"""Runs of which nobody expects more output."""
_GOES_ON: Final = frozenset({"diverged", "degraded", "hung"})

Say = Callable[[str, str, "Report | None"], None]
"""Called with the failure mode, a sentence, and the report it comes from."""


class End(Struct, frozen=True):
    """Why watching ended, with the last report and the modes that were warned of."""

    reason: str
    detail: str
    report: Report
    warned: tuple[str, ...]


class Plan(Struct, frozen=True, kw_only=True):
    """How to watch: seconds between polls, after how much silence the run counts as stalled, and how each look is diagnosed."""

    interval: float
    stall: float
    once: bool = False
    options: Options = field(default_factory=Options)
    signatures: Sequence[Path] = ()


class Watch:
    """One run under watch."""

    def __init__(
        self,
        targets: Sequence[str],
        plan: Plan,
        warn: Say,
        cache: Cache | None,
        pause: Callable[[float], None] = time.sleep,
        history: Memory | None = None,
    ) -> None:
        self._followed = Followed(targets)
        self._plan = plan
        self._warn = warn
        self._cache = cache
        self._pause = pause
        self._history = history
        self._run = uuid.uuid4().hex
        self._still = 0
        self._warned: dict[str, int | None] = {}
        self._growth = Growth()

    def run(self) -> End:
        """Watch to the end. Raises `TargetError` where the target is not there at all."""
        last: Report | None = None
        while True:
            report = self._look(last)
            end = self._end(report)
            if end is not None:
                return end
            last = report
            self._pause(self._plan.interval)

    def _look(self, last: Report | None) -> Report:
        targets = self._followed.poll()
        self._still = 0 if self._followed.moved else self._still + 1
        if last is not None and self._still and self._followed.alive is None:
            return last
        try:
            report = diagnose(
                targets,
                options=self._plan.options,
                signatures=self._plan.signatures,
                cache=self._cache,
                run_id=self._run,
                history=self._history,
            )
        except TargetError:
            if last is None:
                raise
            self._grown(None)
            return last
        self._grown(report)
        self._warnings(report)
        return report

    def _warnings(self, report: Report) -> None:
        mode = report.failure_mode
        if mode is None or mode in self._warned or report.run_status == "crashed":
            return
        self._warned[mode] = report.last_progress.step
        self._warn(mode, report.summary, report)

    def _grown(self, report: Report | None) -> None:
        """Warn of memory that only grows, of the processes or as it is logged."""
        told = [self._growth.of_processes(self._followed.memory)]
        if report is not None and report.run_status != "crashed":
            told += self._growth.of_series(report)
        for sentence in filter(None, told):
            self._warned["memory-growth"] = None
            self._warn("memory-growth", sentence, report)

    def _end(self, report: Report) -> End | None:
        silence = self._silence()
        if not self._plan.once and self._over(report):
            return self._ended(report)
        if silence >= self._plan.stall:
            ended = report.run_status in _CLOSED or report.observed.ended or report.routed is not None
            if "no-output" not in self._warned and not ended:
                self._warned["no-output"] = report.last_progress.step
                self._warn("no-output", f"no output for {_span(silence)}", report)
            return self._ended(report)
        if self._plan.once:
            return self._ended(report)
        if self._recovered(report):
            return End(STABLE, f"{STEPS} steps past the fault", report, tuple(self._warned))
        return None

    def _silence(self) -> float:
        """Return the seconds since anything was written, also before the watching began, where local files tell."""
        watched = self._still * self._plan.interval
        return watched if self._followed.written is None else max(watched, time.time() - self._followed.written)

    def _over(self, report: Report) -> bool:
        if self._followed.alive is False:
            return True
        settled = self._still >= _SETTLED
        done = report.routed == "completed" or report.run_status in ("completed", "recovered") or report.observed.ended
        told = report.confidence_score >= _TOLD
        return (done and self._still >= (1 if told else _SETTLED)) or (report.run_status in _ENDED and settled)

    def _recovered(self, report: Report) -> bool:
        """Tell whether the run went on for long enough after everything that was warned of."""
        steps = [step for step in self._warned.values() if step is not None]
        if not steps or report.failure_mode is not None or report.last_progress.step is None:
            return False
        return report.last_progress.step >= max(steps) + STEPS

    def _ended(self, report: Report) -> End:
        warned = tuple(self._warned)
        if report.abstained is not None:
            what = report.missing[0].why if report.missing else report.abstained
            return End(INSUFFICIENT, what, report, warned)
        if report.primary_cause is None:
            return End(STABLE, report.summary, report, warned)
        over = self._followed.alive is False or (self._followed.alive is None and report.observed.ended)
        if report.run_status in _GOES_ON and not over and report.decision == "NO-GO":
            return End(DECISION, "the run still goes on; what would help needs your approval", report, warned)
        return End(DELIVERED, report.summary, report, warned)


def _span(seconds: float) -> str:
    """Return `2 h 5 min`, `31 min` or `50 s`."""
    minutes, hours = round(seconds / 60), int(seconds // 3600)
    if seconds < 120:
        return f"{seconds:,.0f} s"
    return f"{minutes} min" if not hours else f"{minutes // 60} h {minutes % 60} min".removesuffix(" 0 min")
