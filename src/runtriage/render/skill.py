"""`check-failed-run.json`: the document that programs which call the check-failed-run skill read."""

from __future__ import annotations

import json

from runtriage.model.report import PlanStep, Report

SCHEMA_VERSION = "1.0"
FILE_NAME = "check-failed-run.json"


def document(report: Report) -> str:
    """Return the document as indented JSON with a final newline."""
    fixes = [_fix(step) for step in report.plan]
    content: dict[str, object] = {
        "schema_version": SCHEMA_VERSION,
        "skill_name": "check-failed-run",
        "run_id": report.run_id,
        "timestamp": report.timestamp,
        "duration_seconds": report.duration_seconds,
        "decision": report.decision,
        "confidence": report.confidence,
        "summary": report.summary,
        "findings": [_finding(number, step, report) for number, step in enumerate(report.plan, 1)],
        "next_commands": report.next_commands,
        "run_status": report.run_status,
        "framework": report.framework,
        "primary_cause": report.primary_cause,
        "primary_cause_confidence": report.confidence_score,
        "contributing_factors": report.root_cause.contributing,
        "evidence": [item.claim for item in report.evidence],
        "root_cause": report.root_cause.root,
        "fixes": fixes,
    }
    return json.dumps(content, indent=2, ensure_ascii=False) + "\n"


def _fix(step: PlanStep) -> dict[str, str]:
    return {
        "action": step.action,
        "risk": step.risk,
        "expected_impact": step.expected_impact,
        "time_to_try": step.time_to_try,
        "validate": step.validate_,
    }


def _finding(number: int, step: PlanStep, report: Report) -> dict[str, str]:
    return {
        "id": f"{report.failure_mode or 'run'}#{number}",
        "severity": "blocker" if number == 1 and report.run_status in ("crashed", "hung", "diverged") else "high",
        "title": report.summary,
        "description": report.root_cause.proximate or report.root_cause.root,
        "fix": step.action,
    }
