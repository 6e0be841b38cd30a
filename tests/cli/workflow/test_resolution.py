"""Where a run is looked for, in what order, and what each place answered."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.api.workflow_runs import BUCKET, Run, row, wave
from tests.cli.workflow.asked import Asked, failed, uri
from tests.servers.s3 import S3Server
from tests.servers.workflow_proxy import Proxy
from tests.servers.workflow_sky import SkyStandIn

pytestmark = pytest.mark.server


def outcomes(found: dict[str, Any]) -> dict[str, str]:
    return {check["source"]: check["outcome"] for check in found["resolution_checks"]}


@pytest.mark.parametrize(
    ("job_name", "status"),
    [
        ("never-01-train", "RUNNING"),
        ("Never-12-train-a2", "RUNNING"),
        ("never", "RUNNING"),
        ("never-again-01-train", "NOT_FOUND"),
        ("never-1-train", "NOT_FOUND"),
        ("x-never-01-train", "NOT_FOUND"),
    ],
)
def test_a_run_without_records_is_known_by_the_exact_names_of_its_jobs(ask: Asked, job_name: str, status: str) -> None:
    sky = SkyStandIn(ask.folder / "sky-bin", queue=[row("77", "RUNNING", job_name=job_name)])
    _, found = ask.data("workflow", "status", uri("never"), **ask.sky(sky))
    assert found["status"] == status
    assert outcomes(found)["managed_job"] == ("found" if status == "RUNNING" else "absent")
    assert found["last_known"]["source"] == ("managed_job" if status == "RUNNING" else "resolution_checks")


def test_a_queue_that_was_not_asked_is_not_one_that_does_not_know_the_run(ask: Asked) -> None:
    _, found = ask.data("workflow", "status", uri("never"))
    assert outcomes(found) == {"submission_receipt": "absent", "first_run_record": "absent", "managed_job": "skipped"}
    assert (found["verification"], found["automation_may_trust_state"]) == ("absent_from_storage", False)
    assert "the queue was not asked" in found["decision"]["because"]
    _, found = ask.data("workflow", "status", uri("never"), **ask.sky(SkyStandIn(ask.folder / "sky-bin")))
    assert (found["verification"], found["automation_may_trust_state"]) == ("conclusively_absent", True)


@pytest.mark.parametrize(
    ("held", "status", "known", "code"),
    [
        ({"run_id": "never", "last_known_state": "failed"}, "VERIFICATION_UNAVAILABLE", "FAILED", 5),
        ({"run_id": "never", "last_known_state": "running"}, "NOT_FOUND", "NOT_FOUND", 3),
        ({"run_id": "other", "last_known_state": "failed"}, "NOT_FOUND", "NOT_FOUND", 3),
        ({"run_id": "bad", "last_known_state": "succeeded"}, "NOT_FOUND", "NOT_FOUND", 3),
    ],
)
def test_a_note_of_its_first_run_tells_how_a_run_ended_and_proves_nothing(
    ask: Asked, held: dict[str, str], status: str, known: str, code: int
) -> None:
    note = ask.folder / ".npa/workflow-runs/lab-1/toy-2.json"
    note.parent.mkdir(parents=True)
    note.write_text(json.dumps({"schema_version": "npa.workflow.first-run.v1"} | held), "utf-8")
    done, found = ask.data("workflow", "status", uri("never"))
    assert (done, found["status"], found["last_known"]["state"]) == (code, status, known)
    assert not found["automation_may_trust_state"]
    assert found["decision"]["decision"] == ("NO_ACTION" if known == "NOT_FOUND" else "BLOCKED_RESTORE_EVIDENCE")


def test_records_in_storage_come_before_a_note_of_the_first_run(ask: Asked) -> None:
    note = ask.folder / ".npa/workflow-runs/lab-1/toy-2.json"
    note.parent.mkdir(parents=True)
    held = {"schema_version": "npa.workflow.first-run.v1", "run_id": "bad", "last_known_state": "succeeded"}
    note.write_text(json.dumps(held), "utf-8")
    _, found = ask.data("workflow", "status", uri("bad"))
    assert (found["status"], outcomes(found)["first_run_record"]) == ("FAILED", "found")


def test_two_runs_of_one_id_are_named_and_the_first_place_is_told(tmp_path: Path) -> None:
    root, home = tmp_path / "store", tmp_path / "home"
    home.mkdir()
    failed("twice").write(root)
    (root / BUCKET / "runs" / "twice").rename(root / BUCKET / "twice")
    Run(name="twice", manifest="completed", waves=[wave("train", 1, "succeeded", "SUCCEEDED", "12")]).write(root)
    config = home / "config.toml"
    config.write_text(f'[projects.lab]\nbucket = "{BUCKET}"\nprefix = "runs"\n', "utf-8")
    with S3Server(root) as storage, Proxy(storage.port) as proxy:
        ask = Asked(home, storage, proxy)
        _, found = ask.data("workflow", "status", "twice", "--project", "lab", RUNTRIAGE_CONFIG=str(config))
        _, kept = ask.data("workflow", "artifacts", "twice", "--project", "lab", RUNTRIAGE_CONFIG=str(config))
    assert found["run_prefix_uri"] == kept["run_prefix_uri"] == uri("twice")
    assert (kept["resolution_source"], kept["manifest_pending"]) == ("project", False)
    assert [each["outcome"] for each in kept["resolution_checks"]].count("found") == 2
    assert any(f"another run of this id lies at s3://{BUCKET}/twice" in note for note in found["diagnostics"])


def test_an_answer_that_failed_is_told_without_how_long_it_took(ask: Asked) -> None:
    ask.proxy.redirected = {"/runs/bad/": f"{ask.proxy.url}/runs/bad/"}
    first, again = (ask.data("workflow", "status", uri("bad"), "--cached")[1]["documents"] for _ in range(2))
    assert first == again
    assert all(each["state"] == "unavailable" for each in first)


@pytest.mark.parametrize(("prefix", "lies_at"), [("other/twice", "other/twice"), ("nowhere/twice", "runs/twice")])
def test_the_receipt_of_a_submission_counts_before_the_project_where_a_run_lies_there(
    tmp_path: Path, prefix: str, lies_at: str
) -> None:
    root = tmp_path / "store"
    failed("twice").write(root)
    (root / BUCKET / "other").mkdir()
    (root / BUCKET / "runs" / "twice").rename(root / BUCKET / "other" / "twice")
    failed("twice").write(root)
    receipt = tmp_path / ".npa/workflow-submissions/lab/twice.json"
    receipt.parent.mkdir(parents=True)
    receipt.write_text(json.dumps({"workflow": {"run_prefix_uri": f"s3://{BUCKET}/{prefix}"}}), "utf-8")
    config = tmp_path / "config.toml"
    config.write_text(f'[projects.lab]\nbucket = "{BUCKET}"\nprefix = "runs"\n', "utf-8")
    with S3Server(root) as storage, Proxy(storage.port) as proxy:
        ask = Asked(tmp_path, storage, proxy)
        _, found = ask.data("workflow", "status", "twice", "--project", "lab", RUNTRIAGE_CONFIG=str(config))
    assert (found["run_prefix_uri"], found["status"]) == (f"s3://{BUCKET}/{lies_at}", "FAILED")
    assert any("another run of this id" in note for note in found["diagnostics"]) == (lies_at == "other/twice")
