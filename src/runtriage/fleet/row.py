"""What is kept of one run: a flat row, the same in JSON lines and in Parquet."""

from __future__ import annotations

import json
from typing import Final, Literal

import msgspec
from msgspec import Struct, to_builtins

from runtriage.api.exit_codes import of as exit_code
from runtriage.api.recurrence_fingerprint import fingerprint, mechanism, only_curve
from runtriage.fleet.runs import Run
from runtriage.model.exit_code import FAILED, TOOL_FAILED
from runtriage.model.report import Report
from runtriage.redact import clean
from runtriage.targets.errors import TargetError
from runtriage.targets.names import shown

Outcome = Literal["judged", "unreadable", "tool-failure"]
TOOL_FAILURE: Final = "tool-failure"


class Row(Struct, frozen=True, kw_only=True):
    """One run. `key` stands for its target; `code` is what `runtriage TARGET` would exit with, 70 where the tool itself failed.

    `hours` is how long the run ran: what was told beforehand, else the time its lines cover. `seconds` is what the diagnosis took.
    """

    key: str
    target: str
    outcome: Outcome
    code: int
    owner: str | None = None
    run_status: str | None = None
    primary_cause: str | None = None
    failure_mode: str | None = None
    signature: str | None = None
    confidence: float | None = None
    decision: str | None = None
    abstained: str | None = None
    node: str | None = None
    rank: int | None = None
    pod: str | None = None
    step: int | None = None
    hours: float | None = None
    ranks: int | None = None
    framework: str | None = None
    artifact: str | None = None
    line: int | None = None
    fingerprint: str | None = None
    curve_only: bool = False
    """Whether nothing but a curve shows the failure, so that other programs fail in the same words."""
    summary: str = ""
    bytes: int = 0
    seconds: float = 0.0
    version: str = ""
    error: str | None = None

    def to_json(self) -> str:
        """Return one line without its end."""
        return json.dumps(to_builtins(self), ensure_ascii=False, allow_nan=False)


def of_json(line: str) -> Row:
    """Return the row of a line; keys that are not known are ignored. Raises ValueError for anything else."""
    return msgspec.json.decode(line, type=Row)


def judged(run: Run, report: Report) -> Row:
    """Return the row of a diagnosis."""
    root, found = report.root_evidence, report.hypotheses[:1]
    code = exit_code(report)
    return Row(
        key=run.key,
        target=clean(shown(run.target)),
        outcome="judged",
        code=code,
        owner=run.owner,
        run_status=report.run_status,
        primary_cause=report.primary_cause,
        failure_mode=report.failure_mode,
        signature=next((rule for item in found if item.mode == report.failure_mode for rule in item.rules), None),
        confidence=report.confidence_score,
        decision=report.decision,
        abstained=report.abstained,
        node=report.culprit.node,
        rank=report.culprit.rank,
        pod=report.culprit.pod,
        step=report.last_progress.step,
        hours=run.hours if run.hours is not None else report.observed.hours,
        ranks=report.observed.ranks,
        framework=report.framework,
        artifact=root.artifact if root else None,
        line=root.first_line if root else None,
        fingerprint=fingerprint(mechanism(report, {})) if code == FAILED else None,
        curve_only=code == FAILED and only_curve(report),
        summary=report.summary,
        bytes=report.coverage.bytes,
        seconds=report.duration_seconds,
        version=report.tool.version,
    )


def unreadable(run: Run, error: TargetError) -> Row:
    """Return the row of a target that cannot be diagnosed."""
    return Row(
        key=run.key,
        target=clean(shown(run.target)),
        outcome="unreadable",
        code=error.code,
        owner=run.owner,
        hours=run.hours,
        error=clean(str(error)),
    )


def tool_failed(run: Run, why: str) -> Row:
    """Return the row of a run that broke the tool: never a failure of the run."""
    return Row(
        key=run.key,
        target=clean(shown(run.target)),
        outcome=TOOL_FAILURE,
        code=TOOL_FAILED,
        owner=run.owner,
        hours=run.hours,
        error=clean(why),
    )
