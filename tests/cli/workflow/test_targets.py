"""Other ways to name a run: a plain address, a folder, a scheme, a job."""

from __future__ import annotations

import json

import pytest

from tests.api.workflow_runs import BUCKET, row
from tests.cli.workflow.asked import TRACEBACK, Asked, failed, uri
from tests.servers.workflow_sky import SkyStandIn

pytestmark = pytest.mark.server


def test_an_address_alone_is_diagnosed_with_its_workflow(ask: Asked) -> None:
    code, out = ask(uri("bad"), "--format", "json")
    assert code == 1
    assert json.loads(out)["workflow"]["decision"]["decision"] == "FIX_PAYLOAD"
    assert "Workflow decision: FIX_PAYLOAD" in ask(uri("bad"))[1]


def test_a_plain_folder_of_logs_on_storage_is_a_target(ask: Asked) -> None:
    code, out = ask(f"s3://{BUCKET}/plain", "--format", "json")
    assert code == 1
    assert json.loads(out)["workflow"] is None
    assert "no colour" in out
    assert ask(f"s3://{BUCKET}/plain/nothing.log")[0] == 3


def test_a_project_of_the_config_file_finds_runs_by_id(ask: Asked) -> None:
    config = ask.folder / "config.toml"
    endpoint = ask.variables.pop("AWS_ENDPOINT_URL")
    sky = SkyStandIn(ask.folder / "other-sky", queue=[row("12", "FAILED")])
    config.write_text(
        f'[projects.lab]\nbucket = "{BUCKET}"\nprefix = "runs"\nendpoint = "{endpoint}"\nsky = "{sky.install()}"\n',
        "utf-8",
    )
    code, found = ask.data("workflow", "status", "bad", "--project", "lab", RUNTRIAGE_CONFIG=str(config))
    assert code == 1
    assert found["run_prefix_uri"] == uri("bad")
    assert found["automation_may_trust_state"]
    assert "--project lab" in found["decision"]["command"]
    assert ask("workflow", "status", "bad", "--project", "lba", RUNTRIAGE_CONFIG=str(config))[0] == 2


def test_a_job_of_sky_is_a_target(ask: Asked) -> None:
    sky = SkyStandIn(
        ask.folder / "sky-bin",
        queue=[row("12", "FAILED", failure_reason="exit 1"), row("13", "RUNNING")],
        log=TRACEBACK.decode(),
    )
    code, out = ask("sky:12", "--format", "json", **ask.sky(sky))
    assert code == 1
    assert json.loads(out)["root_evidence"]["artifact"] == "job.log"
    assert ask("sky:99", **ask.sky(sky))[0] == 3
    assert ask("sky:12")[0] == 4


def test_a_run_can_be_named_by_its_scheme(ask: Asked) -> None:
    config = ask.folder / "config.toml"
    config.write_text(f'[projects.lab]\nbucket = "{BUCKET}"\nprefix = "runs"\n', "utf-8")
    code, out = ask("workflow:bad", "--format", "json", RUNTRIAGE_CONFIG=str(config))
    assert code == 1
    assert json.loads(out)["workflow"]["failing_stage"] == "train"


def test_a_copy_of_a_run_in_a_folder_is_diagnosed_without_asking_anybody(ask: Asked) -> None:
    copy = failed("copy", extra={"npa-workflow/logs/train/run.log": TRACEBACK}).write(ask.folder)
    sky = SkyStandIn(ask.folder / "sky-bin", queue=[row("12", "FAILED")])
    code, out = ask(copy, "--format", "json", **ask.sky(sky))
    workflow = json.loads(out)["workflow"]
    assert code == 1
    assert (workflow["status"], workflow["decision"]["decision"]) == ("FAILED", "FIX_PAYLOAD")
    assert sky.calls == []
    assert ask.proxy.requests == []
