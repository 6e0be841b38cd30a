"""The state of a run, from storage and from a stand-in for `sky`."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.api.workflow_runs import Run, row, wave
from tests.cli.workflow.asked import Asked, uri
from tests.servers.s3 import SECRET, S3Server
from tests.servers.workflow_proxy import Proxy
from tests.servers.workflow_sky import SkyStandIn

pytestmark = pytest.mark.server


def test_a_failed_run_is_told_from_storage_alone(ask: Asked) -> None:
    code, found = ask.data("workflow", "status", uri("bad"))
    assert code == 1
    assert (found["status"], found["class"], found["decision"]["decision"]) == ("FAILED", "payload", "FIX_PAYLOAD")
    assert not found["automation_may_trust_state"]


def test_a_live_queue_verifies_the_state_and_gets_the_projects_credentials_in_its_own_process_only(ask: Asked) -> None:
    sky = SkyStandIn(ask.folder / "sky-bin", queue=[row("12", "FAILED")])
    code, found = ask.data("workflow", "status", uri("bad"), **ask.sky(sky))
    assert code == 1
    assert found["automation_may_trust_state"]
    assert sky.calls == ["jobs queue --all --verbose --output json"]
    assert f"AWS_SECRET_ACCESS_KEY={SECRET}" in sky.environment


def test_refused_storage_is_never_absence(ask: Asked) -> None:
    ask.proxy.denied = ("/runs/bad",)
    code, found = ask.data("workflow", "status", uri("bad"))
    assert code == 4
    assert found["status"] == "VERIFICATION_UNAVAILABLE"
    assert found["decision"]["decision"] == "BLOCKED_RESTORE_EVIDENCE"


def test_a_run_that_is_not_there_is_not_found(ask: Asked) -> None:
    code, found = ask.data("workflow", "status", uri("never"))
    assert code == 3
    assert found["status"] == "NOT_FOUND"


def test_a_document_that_breaks_off_is_no_document(ask: Asked) -> None:
    ask.proxy.cut = ("/runs/bad/npa-workflow/manifest.json",)
    code, found = ask.data("workflow", "status", uri("bad"))
    assert code == 4
    assert found["status"] == "VERIFICATION_UNAVAILABLE"


def test_an_output_that_may_not_be_looked_at_is_not_missing(ask: Asked) -> None:
    ask.proxy.denied = ("/good/train/out.bin",)
    _, found = ask.data("workflow", "status", uri("good"))
    assert found["decision"]["decision"] == "BLOCKED_RESTORE_EVIDENCE"
    assert found["stages"]["train"]["outputs"][0]["state"] == "indeterminate"


def test_cached_evidence_is_marked_and_asks_nobody(ask: Asked) -> None:
    sky = SkyStandIn(ask.folder / "sky-bin", queue=[row("12", "FAILED")])
    code, found = ask.data("workflow", "status", uri("bad"), "--cached", **ask.sky(sky))
    assert code == 5
    assert (found["status"], found["last_known"]["state"]) == ("CACHED", "FAILED")
    assert not found["automation_may_trust_state"]
    assert sky.calls == []


def test_cached_and_watch_do_not_go_together(ask: Asked) -> None:
    assert ask("workflow", "status", uri("bad"), "--cached", "--watch")[0] == 2


def test_a_threshold_of_zero_is_wrong_usage(ask: Asked) -> None:
    assert ask("workflow", "status", uri("bad"), "--startup-failure-threshold", 0)[0] == 2


def test_watching_ends_with_the_run_and_prints_a_line_a_look(ask: Asked) -> None:
    code, out = ask(
        "workflow",
        "status",
        uri("bad"),
        "--watch",
        "--interval",
        "0.01",
        "--json",
        **ask.sky(SkyStandIn(ask.folder / "sky-bin", queue=[row("12", "FAILED")])),
    )
    assert code == 1
    assert [json.loads(line)["status"] for line in out.splitlines()] == ["FAILED"]


def test_watching_ends_on_a_contradiction_that_stays(ask: Asked) -> None:
    sky = SkyStandIn(ask.folder / "sky-bin", queue=[row("12", "SUCCEEDED")])
    code, out = ask("workflow", "status", uri("bad"), "--watch", "--interval", "0.01", "--json", **ask.sky(sky))
    assert code == 5
    assert [json.loads(line)["status"] for line in out.splitlines()] == ["UNKNOWN"] * 3


@pytest.mark.parametrize(
    ("errors", "error_code", "category", "exit_code"),
    [
        ("sky.exceptions.ClusterOwnerIdentityMismatchError: owned by another", "LIVE_IDENTITY_MISMATCH", "IDENTITY", 4),
        ("getaddrinfo failed", "DNS_RESOLUTION_FAILED", "DNS", 5),
        ("403 Forbidden", "LIVE_QUERY_FORBIDDEN", "RBAC", 4),
        ("connection refused", "LIVE_CONTROLLER_UNREACHABLE", "CONTROLLER", 5),
    ],
)
def test_a_queue_that_fails_says_how(ask: Asked, errors: str, error_code: str, category: str, exit_code: int) -> None:
    sky = SkyStandIn(ask.folder / "sky-bin", queue="", errors=errors, code=1)
    code, found = ask.data("workflow", "status", uri("bad"), **ask.sky(sky))
    assert code == exit_code
    assert found["status"] == "VERIFICATION_UNAVAILABLE"
    assert found["live_verification"]["error_code"] == error_code
    assert found["live_verification"]["category"] == category


@pytest.mark.parametrize("queue", ["<html>sign in</html>", '{"jobs":[{"job_id":12,"status":"RUNN', '{"jobs":7}', ""])
def test_an_answer_that_is_no_queue_is_said_to_be_unreadable(ask: Asked, queue: str) -> None:
    sky = SkyStandIn(ask.folder / "sky-bin", queue=queue)
    code, found = ask.data("workflow", "status", uri("live"), **ask.sky(sky))
    assert (code, found["status"]) == (5, "VERIFICATION_UNAVAILABLE")
    assert found["live_verification"]["error_code"] == "LIVE_RESPONSE_UNPARSEABLE"


@pytest.mark.parametrize("size", [None, 0])
def test_a_success_without_what_it_declared_is_a_failure_that_no_exit_code_showed(
    tmp_path: Path, size: int | None
) -> None:
    succeeded = [wave("train", 1, "succeeded", "SUCCEEDED", "12")]
    outputs = {} if size is None else {"train": size}
    Run(manifest="completed", ledger="succeeded", waves=succeeded, outputs=outputs).write(tmp_path / "store")
    with S3Server(tmp_path / "store") as storage, Proxy(storage.port) as proxy:
        ask = Asked(tmp_path, storage, proxy)
        code, found = ask.data("workflow", "status", uri("toy"))
    assert (code, found["status"], found["npa_exit"]) == (1, "SUCCEEDED", 0)
    assert (found["decision"]["decision"], found["failing_stage"]) == ("FIX_PAYLOAD", "train")


@pytest.mark.parametrize(
    ("name", "variable"),
    [
        ("credentials", "AWS_SHARED_CREDENTIALS_FILE"),
        ("aws-config", "AWS_CONFIG_FILE"),
        ("kubeconfig", "KUBECONFIG"),
        (".sky/config.yaml", ""),
        (".aws/credentials", ""),
    ],
)
@pytest.mark.parametrize("before", ["[default]\n", None])
def test_credential_files_that_change_or_appear_block(ask: Asked, name: str, variable: str, before: str | None) -> None:
    file = ask.folder / name
    file.parent.mkdir(exist_ok=True)
    if before is not None:
        file.write_text(before, "utf-8")
    sky = SkyStandIn(ask.folder / "sky-bin", queue=[row("12", "FAILED")])
    program = sky.install()
    program.write_text(program.read_text("utf-8").replace("env >", f"echo '# other' >> {file}\nenv >"), "utf-8")
    variables = {"PATH": f"{program.parent}{os.pathsep}{os.environ['PATH']}"} | (
        {variable: str(file)} if variable else {}
    )
    code, found = ask.data("workflow", "status", uri("bad"), **variables)
    assert code == 4
    assert (found["status"], found["live_verification"]["category"]) == ("VERIFICATION_UNAVAILABLE", "IDENTITY")
    assert found["decision"]["decision"] == "BLOCKED_RESTORE_EVIDENCE"
    assert str(file) in found["live_verification"]["reason"]


@pytest.mark.parametrize(
    "errors",
    [
        "sky.exceptions.ClusterOwnerIdentityMismatchError: controller is owned by account 'other'",
        "ERROR: the API server runs under a different principal",
        "RuntimeError: The cluster is owned by account ['a'], but the current user is 'b'",
    ],
)
@pytest.mark.parametrize("run", ["bad", "live", "good"])
def test_a_controller_under_another_principal_blocks_every_move(ask: Asked, errors: str, run: str) -> None:
    sky = SkyStandIn(ask.folder / "sky-bin", queue=[row("12", "RUNNING")], errors=errors, code=1)
    code, found = ask.data("workflow", "status", uri(run), **ask.sky(sky))
    assert (code, found["live_verification"]["error_code"]) == (4, "LIVE_IDENTITY_MISMATCH")
    assert found["decision"]["decision"] == "BLOCKED_RESTORE_EVIDENCE"
    assert (found["decision"]["command"] or "").startswith("runtriage ")


def test_a_launch_without_records_is_known_from_its_receipt(ask: Asked) -> None:
    receipt = ask.folder / ".npa/workflow-submissions/lab/never.json"
    receipt.parent.mkdir(parents=True)
    receipt.write_text(
        json.dumps({"schema_version": "npa.workflow.submission.v1", "launch_state": "launching"}), "utf-8"
    )
    code, found = ask.data("workflow", "status", uri("never"))
    assert code == 5
    assert (found["status"], found["npa_exit"]) == ("PARTIAL_SUBMISSION", 3)


def test_slow_answers_are_waited_for(ask: Asked) -> None:
    ask.proxy.slow, ask.proxy.delay = ("manifest.json",), 0.3
    assert ask("workflow", "status", uri("bad"))[0] == 1


def test_an_end_that_a_second_look_at_the_queue_contradicts_is_unknown(ask: Asked) -> None:
    sky = SkyStandIn(ask.folder / "sky-bin", queue=[row("12", "FAILED")], second=[row("12", "SUCCEEDED")])
    code, found = ask.data("workflow", "status", uri("live"), **ask.sky(sky))
    assert (code, found["status"], found["decision"]["decision"]) == (5, "UNKNOWN", "BLOCKED_RESTORE_EVIDENCE")
    assert found["stages"]["train"]["outcome_conflict"]


def test_an_end_that_a_second_look_at_the_queue_confirms_is_one(ask: Asked) -> None:
    sky = SkyStandIn(ask.folder / "sky-bin", queue=[row("12", "FAILED")])
    code, found = ask.data("workflow", "status", uri("live"), **ask.sky(sky))
    assert (code, found["status"]) == (1, "FAILED")
    assert [call.split()[1] for call in sky.calls] == ["queue", "queue"]


def test_the_queue_is_asked_once_where_the_records_tell_the_end_too(ask: Asked) -> None:
    sky = SkyStandIn(ask.folder / "sky-bin", queue=[row("12", "FAILED")])
    ask("workflow", "status", uri("bad"), **ask.sky(sky))
    assert [call.split()[1] for call in sky.calls] == ["queue"]


@pytest.mark.parametrize("interval", ["0", "-1", "nan", "inf"])
def test_a_pause_that_is_none_is_a_wrong_option(ask: Asked, interval: str) -> None:
    code, out = ask("workflow", "status", uri("live"), "--watch", "--interval", interval)
    assert (code, out.count("\n"), "--interval" in out) == (2, 1, True)


def test_a_stage_that_a_run_does_not_have_is_a_wrong_option(ask: Asked) -> None:
    code, out = ask("workflow", "artifacts", uri("bad"), "--stage", "nope")
    assert (code, out) == (2, "runtriage: --stage: the run has no stage nope; it has train\n")


@pytest.mark.parametrize(
    ("prefix", "status", "source"),
    [
        ("s3://lab-bucket/runs/bad", "FAILED", "submission_receipt"),
        ("s3://lab-bucket/runs/good", "VERIFICATION_UNAVAILABLE", "submission_receipt"),
        ("s3://u@lab-bucket/x", "NOT_FOUND", "project"),
        ("", "NOT_FOUND", "project"),
    ],
)
def test_a_run_that_lies_elsewhere_is_found_by_the_receipt_of_its_submission(
    ask: Asked, prefix: str, status: str, source: str
) -> None:
    receipt = ask.folder / ".npa/workflow-submissions/lab/bad.json"
    receipt.parent.mkdir(parents=True)
    held = {"schema_version": "npa.workflow.submission.v1", "workflow": {"run_prefix_uri": prefix}}
    receipt.write_text(json.dumps(held), "utf-8")
    config = ask.folder / "config.toml"
    config.write_text('[projects.lab]\nbucket = "lab-bucket"\nprefix = "elsewhere"\n', "utf-8")
    _, found = ask.data("workflow", "status", "bad", "--project", "lab", RUNTRIAGE_CONFIG=str(config))
    assert (found["status"], found["resolution_source"]) == (status, source)
    assert found["run_id"] == "bad"
