"""What is made of the report of a driver: a symptom, or what one stage handed the next."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from runtriage.detect import failed_stage
from runtriage.model.event import STATEMENT
from tests.detect.build import CATALOGUE, at, event, facts, signature

pytestmark = pytest.mark.usefixtures("untouched_world")


def test_a_failed_stage_is_a_symptom_and_what_was_handed_over_a_cause() -> None:
    failed = event(STATEMENT, "stages/failed", 9, captures={"stage": "prep"}, numbers={"held": 2.0})
    handed = event(STATEMENT, "stages/handed", 12, numbers={"held": 0.0})

    first, second = failed_stage.find(facts(events=(failed, handed)), CATALOGUE)

    assert (first.mode, first.role) == ("orch/component-failed", "symptom")
    assert first.evidence[0].claim == "stage prep failed, and 2 lines say what was not begun for it"
    assert (second.mode, second.role) == ("orch/workflow-upstream", "cause")


def test_a_stage_that_did_not_wait_for_its_input_is_a_cause() -> None:
    late = event(STATEMENT, "stages/late", 4, captures={"stage": "encoder", "writer": "vocab"})

    (match,) = failed_stage.find(facts(events=(late,)), CATALOGUE)

    assert (match.mode, match.role, match.fixes[0]) == ("orch/workflow-upstream", "cause", "declare-dependency")
    assert match.evidence[0].claim.startswith("encoder misses a file that vocab writes only afterwards")


def test_a_task_that_wrote_nothing_counts_only_where_another_log_lacks_data() -> None:
    empty = event(STATEMENT, "stages/empty", 8, artifact="extract.log")
    lacks = signature("data/empty-dataset.torch#samples", 15)

    (match,) = failed_stage.find(facts(events=(empty, lacks)), CATALOGUE)

    assert (match.mode, match.role, match.evidence[0].citation.artifact) == (
        "data/empty-dataset",
        "cause",
        "extract.log",
    )
    assert list(failed_stage.find(facts(events=(empty,)), CATALOGUE)) == []
    own = event(STATEMENT, "stages/empty", 8)
    assert list(failed_stage.find(facts(events=(own, lacks)), CATALOGUE)) == []


def test_a_workflow_that_left_tasks_out_is_a_cause_until_a_later_one_goes_well() -> None:
    left = signature("orch/workflow-upstream.external#luigi", 44)
    well = signature("orch/workflow-upstream.external#well", 90)

    (match,) = failed_stage.find(facts(events=(left,)), CATALOGUE)

    assert (match.mode, match.role, match.rule) == ("orch/workflow-upstream", "cause", "log/left-out")
    assert list(failed_stage.find(facts(events=(left, well)), CATALOGUE)) == []
    again = replace(left, count=2, last=at(120))
    assert len(list(failed_stage.find(facts(events=(again, well)), CATALOGUE))) == 1
