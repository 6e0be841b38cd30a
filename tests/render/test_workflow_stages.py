from __future__ import annotations

from typing import Any

from runtriage.render.html import document
from runtriage.render.workflow_stages import line, stages
from tests.render.build import report

WORKFLOW: dict[str, Any] = {
    "failing_stage": "train",
    "stages": {
        "prep": {"index": 1, "state": "SUCCEEDED", "managed_job_id": "11", "outputs": [{"uri": "s3://b/a", "state": "valid"}]},
        "train": {
            "index": 2,
            "state": "FAILED",
            "managed_job_id": "12",
            "retry_count": 2,
            "error": "exit code <1>",
            "outputs": [{"uri": "s3://b/out", "state": "missing"}],
        },
    },
    "not_run": ["eval"],
}  # fmt: skip


def test_stages_are_told_in_one_line_with_what_is_missing() -> None:
    assert line(WORKFLOW) == (
        "1. prep: SUCCEEDED (job 11) · 2. train: FAILED (job 12, 2 retries, s3://b/out missing) · eval: not run"
    )


def test_the_page_has_a_table_of_stages_with_the_one_that_failed_first() -> None:
    page = document(report(workflow=WORKFLOW))
    assert '<section id="stages">' in page and 'href="#stages"' in page
    assert "exit code &lt;1&gt;" in page and "failed first" in page
    assert [view.tone for view in stages(WORKFLOW)] == ["good", "bad", "quiet"]
    assert '<section id="stages">' not in document(report())


def test_a_document_of_another_shape_says_nothing() -> None:
    for odd in (
        {},
        {"stages": None},
        {"stages": [1]},
        {"stages": {"a": 3}, "not_run": 7},
        {"stages": {"a": {"outputs": 3}}},
    ):
        assert document(report(workflow=odd))
        assert all(view.state == "not known" for view in stages(odd))
