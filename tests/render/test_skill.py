from __future__ import annotations

import json

import pytest

from runtriage.render.skill import document
from tests.render.build import report

pytestmark = pytest.mark.usefixtures("untouched_world")

FIELDS = [
    "schema_version",
    "skill_name",
    "run_id",
    "timestamp",
    "duration_seconds",
    "decision",
    "confidence",
    "summary",
    "findings",
    "next_commands",
    "run_status",
    "framework",
    "primary_cause",
    "primary_cause_confidence",
    "contributing_factors",
    "evidence",
    "root_cause",
    "fixes",
]


def test_the_document_has_the_fields_of_the_skill_in_order() -> None:
    assert list(json.loads(document(report()))) == FIELDS


def test_there_is_one_finding_for_each_fix() -> None:
    content = json.loads(document(report()))
    assert [sorted(item) for item in content["findings"]] == [["description", "fix", "id", "severity", "title"]]
    assert content["findings"][0]["severity"] == "blocker"
    assert [sorted(item) for item in content["fixes"]] == [
        ["action", "expected_impact", "risk", "time_to_try", "validate"]
    ]


def test_evidence_is_plain_strings() -> None:
    assert json.loads(document(report()))["evidence"] == ["rank 37 asked for 2.50 GiB with 1.12 GiB free"]
