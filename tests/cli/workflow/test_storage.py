"""What lies in storage: lists of runs, their outputs, and what differs between two."""

from __future__ import annotations

import pytest

from tests.api.workflow_runs import BUCKET
from tests.cli.workflow.asked import Asked, uri

pytestmark = pytest.mark.server


def test_the_newest_runs_are_listed_although_they_sort_last(ask: Asked) -> None:
    code, found = ask.data("workflow", "list", "s3://many/runs", "--limit", 50)
    assert code == 0
    assert found["total"] == 60
    assert [each["run_id"] for each in found["runs"]] == [f"run-{number:02}" for number in range(59, 9, -1)]


def test_a_listing_that_is_refused_is_no_empty_list(ask: Asked) -> None:
    ask.proxy.denied = ("list-type=2",)
    code, out = ask("workflow", "list", "s3://many/runs")
    assert code == 4
    assert "access denied" in out


def test_a_missing_bucket_is_said_to_be_missing(ask: Asked) -> None:
    code, out = ask("workflow", "list", "s3://nowhere/runs")
    assert code == 3
    assert "no such bucket" in out


def test_runs_of_a_refused_manifest_are_named(ask: Asked) -> None:
    ask.proxy.denied = ("run-07/npa-workflow/manifest.json",)
    _, found = ask.data("workflow", "list", "s3://many/runs")
    assert found["total"] == 59
    assert [each["prefix"] for each in found["unreadable"]] == ["s3://many/runs/run-07"]


def test_runs_that_are_all_refused_are_no_empty_list(ask: Asked) -> None:
    ask.proxy.denied = ("npa-workflow/manifest.json",)
    code, found = ask.data("workflow", "list", "s3://many/runs")
    assert code == 4
    assert (found["total"], found["unreadable_total"]) == (0, 60)


def test_artifacts_name_the_first_stage_without_its_outputs(ask: Asked) -> None:
    code, found = ask.data("workflow", "artifacts", uri("bad"))
    assert code == 0
    assert found["first_stage_without_outputs"] == "train"
    assert found["stages"][0]["missing"] == [f"{uri('bad')}/train/out.bin"]


def test_two_runs_are_compared(ask: Asked) -> None:
    _, found = ask.data("workflow", "compare", uri("good"), uri("bad"))
    rows = {(each["kind"], each["what"]): (each["base"], each["candidate"]) for each in found["differences"]}
    assert rows["state", "run"] == ("SUCCEEDED", "FAILED")
    assert rows["metric", "success_rate"] == (0.91, None)


def test_runs_that_may_not_be_read_are_not_said_to_be_alike(ask: Asked) -> None:
    ask.proxy.denied = ("/runs/",)
    code, out = ask("workflow", "compare", uri("good"), uri("bad"))
    assert code == 4
    assert "nothing can be said about what differs" in out


def test_runs_that_are_not_there_are_not_compared(ask: Asked) -> None:
    code, out = ask("workflow", "compare", uri("never"), uri("bad"))
    assert code == 3
    assert "no record of a run" in out


def test_what_one_run_does_not_show_is_named_and_taken_for_no_difference(ask: Asked) -> None:
    ask.proxy.denied = ("/good/workflow.yaml", "/good/metrics.json")
    code, found = ask.data("workflow", "compare", uri("good"), uri("bad"))
    assert code == 0
    assert [(each["run"], each["path"]) for each in found["unreadable"]] == [
        ("base", "workflow.yaml"),
        ("base", "metrics.json"),
    ]
    assert not {"spec", "metric"} & {each["kind"] for each in found["differences"]}
    assert "not compared: metrics.json of the base" in ask("workflow", "compare", uri("good"), uri("bad"))[1]


def test_what_a_run_wrote_is_never_listed_to_find_it(ask: Asked) -> None:
    assert ask("workflow", "list", f"s3://{BUCKET}/runs")[0] == 0
    listed = [path for _, path, _ in ask.proxy.requests if "list-type" in path]
    assert len(listed) == 1
