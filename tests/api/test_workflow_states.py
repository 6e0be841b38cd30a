"""States, classes and decisions of workflow runs: one run prefix a case."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, get_args

import pytest

from runtriage.model.workflow_state import DecisionWord
from tests.api import workflow_cases_records, workflow_cases_recovery, workflow_cases_waiting
from tests.api.workflow_parts import Cases

CASES: Cases = {**workflow_cases_records.CASES, **workflow_cases_waiting.CASES, **workflow_cases_recovery.CASES}


def test_there_are_many_cases_of_every_kind() -> None:
    assert len(CASES) >= 50
    assert {wanted["decision"] for _, wanted in CASES.values() if "decision" in wanted} == set(get_args(DecisionWord))


@pytest.mark.parametrize("name", CASES)
def test_a_run_is_judged_by_the_rules(name: str, tmp_path: Path) -> None:
    run, wanted = CASES[name]
    found = run.found(tmp_path, **wanted.get("_options", {}))
    seen = _seen(found)
    assert {key: seen[key] for key in wanted if key != "_options"} == {
        key: value for key, value in wanted.items() if key != "_options"
    }


@pytest.mark.parametrize("name", CASES)
def test_exactly_one_move_is_advised_and_its_preconditions_are_cited(name: str, tmp_path: Path) -> None:
    run, wanted = CASES[name]
    found = run.found(tmp_path, **wanted.get("_options", {}))
    decision = found["decision"]
    text = json.dumps(found)
    if decision["decision"] != "RESUME":
        assert "--resume-run" not in text
    if decision["decision"] in ("NO_ACTION", "KEEP_WATCHING", "BLOCKED_RESTORE_EVIDENCE"):
        assert not decision["command"] or decision["command"].startswith("runtriage ")
    assert decision["decision"] == "BLOCKED_RESTORE_EVIDENCE" or not any(
        check["holds"] is False for check in decision["preconditions"] if decision["decision"] == "RESUME"
    )
    assert found["automation_may_trust_state"] == (found["verification_status"] == "VERIFIED")
    if decision["explicit_operator_only"]:
        assert "--retries" not in (decision["command"] or "")


def _seen(found: dict[str, Any]) -> dict[str, Any]:
    life = found["workflow_lifecycle"] or {}
    stages = found["stages"].values()
    decision = found["decision"]
    return found | {
        "decision": decision["decision"],
        "completion_recorded": life.get("completion_recorded"),
        "driver_liveness": life.get("driver_liveness"),
        "raw": (life.get("manifest_evidence") or {}).get("status"),
        "source": life.get("source"),
        "trust": found["automation_may_trust_state"],
        "verification": found["verification_status"],
        "known": found["last_known"]["state"],
        "cancel_first": decision["cancel_first"],
        "relaunch": decision["relaunch"],
        "operator_only": decision["explicit_operator_only"],
        "retries_asked": "--retries 1" in (decision["command"] or ""),
        "conflict": any(stage["outcome_conflict"] for stage in stages),
        "stage_state": next((stage["state"] for stage in stages), None),
        "retries": max((stage["retry_count"] for stage in stages), default=0),
        "pods_for_job": (found["kubernetes"] or {}).get("pods_for_job"),
        "diagnostics": (found["kubernetes"] or {}).get("diagnostics"),
        "cluster_error": (found["kubernetes"] or {}).get("error_code"),
    }
