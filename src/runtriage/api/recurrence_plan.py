"""How a failure that comes back changes the plan: a lasting fix instead of another try."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal

from msgspec.structs import replace

from runtriage.api.recurrence import Past, Remedy, remedies
from runtriage.model.report import PlanStep, Recurrence, Report
from runtriage.plan.decision import decision
from runtriage.store.history_entry import Entry

ORIGIN: Final = "history"
_RERUNS: Final = frozenset({"restart-unchanged"})
_FIRST_MENDED: Final = frozenset({"oom"})
"""Failures whose remedies are worth more than a look at where they happen: too much was asked for, whatever the step."""
_SUSPECT: Final = 3
"""Failures on one node, and on no other, that make the node itself suspect."""
_HELD: Final = 1.0
"""Days without the failure after which a remedy counts as having helped."""


def replanned(report: Report, found: Recurrence, current: Entry, past: Past) -> Report:
    """Return the report with its recurrence and, for a failure that came back, a plan that no longer bets on a rerun."""
    if found.count < 2 or report.primary_cause is None:
        return replace(report, recurrence=found)
    kept = [step for step in report.plan if step.fix not in _RERUNS]
    advice = _advice(report, found, current)
    after = report.primary_cause in _FIRST_MENDED
    plan = [*_lasting(found, current, past), *([*kept, advice] if after else [advice, *kept])]
    return replace(report, recurrence=found, plan=plan, decision=decision(plan))


def _lasting(found: Recurrence, current: Entry, past: Past) -> Iterator[PlanStep]:
    helped = [item for item in remedies(current, past) if (item.held or 0.0) >= _HELD]
    if helped:
        yield _remedy(max(helped, key=_strength))
    if found.same_node and found.count >= _SUSPECT and past.elsewhere:
        yield _step(
            f"Take {current.node} out of use until it is checked: all {found.count} of these failures happened there",
            risk="needs-approval",
            impact="the run starts on other nodes",
            time="10 min",
            validate="the same run passes on another node",
            proceeds=True,
        )


def _advice(report: Report, found: Recurrence, current: Entry) -> PlanStep:
    """Return why another try helps nobody: a step says so where a run can get past it, and where the run as a whole is not what is wrong."""
    last = report.observed.ended and current.step == report.last_progress.step
    if found.same_step and current.step and not last and report.run_status != "degraded":
        times = "both" if found.count == 2 else f"all {found.count}"
        memory = report.primary_cause in _FIRST_MENDED
        return _step(
            f"Do not start it again unchanged: it failed at step {current.step} {times} times; look at "
            + ("what this step holds in memory" if memory else "the data and the code that this step uses"),
            impact="saves another run that fails there",
            validate=f"a run passes step {current.step} without this failure",
        )
    return _step(
        f"Remove the cause instead of starting it again: {found.count} runs failed like this "
        f"since {(found.first_seen or '')[:10]}",
        impact="ends a failure that comes back",
        validate="later runs do not fail in this way",
    )


def _remedy(item: Remedy) -> PlanStep:
    held = "it did not come back" if not item.back else f"it held for {item.held:.0f} days"
    return _step(
        f"Make lasting what helped before: {item.what}",
        risk="needs-approval",
        impact=f"{held} after {item.when[:10]}",
        time="as the first time",
        validate="later runs do not fail in this way",
        proceeds=True,
    )


def _strength(item: Remedy) -> tuple[bool, float, str]:
    return (not item.back, item.held or 0.0, item.when)


def _step(
    action: str,
    *,
    impact: str,
    validate: str,
    risk: Literal["safe", "needs-approval"] = "safe",
    time: str = "30 min",
    proceeds: bool = False,
) -> PlanStep:
    return PlanStep(
        action=action,
        risk=risk,
        expected_impact=impact,
        time_to_try=time,
        validate_=validate,
        origin=ORIGIN,
        proceeds=proceeds,
    )
