"""Logs of stages, and which source answered."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.api.workflow_runs import row
from tests.cli.workflow.asked import TRACEBACK, Asked, failed, uri
from tests.servers.s3 import S3Server
from tests.servers.workflow_proxy import Proxy
from tests.servers.workflow_sky import SkyStandIn

pytestmark = pytest.mark.server


def test_stored_logs_need_nobody(ask: Asked) -> None:
    code, found = ask.data("workflow", "logs", uri("bad"), "--cached")
    assert code == 0
    assert (found["live_log_state"], found["cached_log_state"]) == ("not_attempted", "available")
    assert "no colour" in found["log"]


def test_a_log_that_is_not_kept_and_one_that_is_refused_differ(ask: Asked) -> None:
    _, absent = ask.data("workflow", "logs", uri("quiet"), "--cached")
    ask.proxy.denied = ("run.log",)
    code, refused = ask.data("workflow", "logs", uri("quiet"), "--cached")
    assert absent["cached_log_state"] == "absent"
    assert refused["cached_log_state"] == "unreadable"
    assert code == 4


def test_an_empty_live_log_is_an_answer(ask: Asked) -> None:
    sky = SkyStandIn(ask.folder / "sky-bin", log="")
    code, found = ask.data("workflow", "logs", uri("quiet"), **ask.sky(sky))
    assert code == 0
    assert found["live_log_state"] == "available"
    assert found["live_log_empty"]


def test_following_without_a_controller_is_an_error(ask: Asked) -> None:
    code, out = ask("workflow", "logs", uri("quiet"), "--follow")
    assert code == 4
    assert "sky" in out


def test_following_prints_what_the_job_prints(ask: Asked) -> None:
    sky = SkyStandIn(ask.folder / "sky-bin", log="step 1\nstep 2\n")
    assert ask("workflow", "logs", uri("quiet"), "--follow", **ask.sky(sky)) == (0, "step 1\nstep 2\n")
    assert sky.calls == ["jobs logs 12 train --follow"]


def test_the_log_of_the_failed_stage_goes_through_the_log_engine(ask: Asked) -> None:
    code, found = ask.data("workflow", "diagnose", uri("bad"))
    assert code == 1
    assert found["primary_cause"] == "data-pipeline"
    assert found["root_evidence"]["artifact"] == "npa-workflow/logs/train/run.log"
    assert found["workflow"]["failing_stage"] == "train"


def test_a_log_that_only_the_queue_has_goes_through_the_log_engine(ask: Asked) -> None:
    sky = SkyStandIn(ask.folder / "sky-bin", queue=[row("12", "FAILED")], log=TRACEBACK.decode())
    code, found = ask.data("workflow", "diagnose", uri("quiet"), **ask.sky(sky))
    assert code == 1
    assert found["root_evidence"]["artifact"] == "sky/train.log"
    assert found["workflow"]["automation_may_trust_state"]
    assert "jobs logs 12 train --no-follow" in sky.calls


def test_a_live_log_that_cannot_be_had_is_named_as_unread(ask: Asked) -> None:
    sky = SkyStandIn(ask.folder / "sky-bin", queue=[row("12", "FAILED")], log="connection refused", log_code=1)
    _, found = ask.data("workflow", "diagnose", uri("quiet"), **ask.sky(sky))
    assert any("sky/train.log" in item for item in found["coverage"]["not_seen"])


GONE = "sky.exceptions.ClusterNotUpError: No in-progress managed jobs.\n"


def test_a_log_of_a_controller_that_is_gone_is_not_an_empty_log(ask: Asked) -> None:
    """The command prints nothing and leaves with 0, as it does for a task that printed nothing."""
    sky = SkyStandIn(ask.folder / "sky-bin", queue="", errors=GONE, code=1, log="")
    code, found = ask.data("workflow", "logs", uri("quiet"), **ask.sky(sky))
    assert (code, found["live_log_state"], found["log"]) == (4, "unavailable", None)
    assert "No in-progress managed jobs" in found["live_reason"]


@pytest.mark.parametrize(
    "text", ["Job 12 not found.\n", "\x1b[33mNo task found matching 'train' in job 12. Valid task IDs are 0.\n"]
)
def test_the_words_that_there_is_no_such_job_are_no_log(ask: Asked, text: str) -> None:
    code, found = ask.data("workflow", "logs", uri("quiet"), **ask.sky(SkyStandIn(ask.folder / "sky-bin", log=text)))
    assert (code, found["live_log_state"], found["log"]) == (4, "unavailable", None)


@pytest.mark.parametrize("code", [100, 101, 103])
def test_how_the_job_ended_is_no_failure_to_read_its_log(ask: Asked, code: int) -> None:
    sky = SkyStandIn(ask.folder / "sky-bin", queue=[row("12", "FAILED")], log="step 1\n", log_code=code)
    assert ask.data("workflow", "logs", uri("quiet"), **ask.sky(sky))[1]["log"] == "step 1\n"
    assert ask("workflow", "logs", uri("quiet"), "--follow", **ask.sky(sky)) == (0, "step 1\n")


@pytest.mark.parametrize(("code", "said"), [(1, GONE), (102, "Job 12 not found.\n"), (1, "")])
def test_following_a_log_that_is_not_delivered_is_an_error(ask: Asked, code: int, said: str) -> None:
    sky = SkyStandIn(ask.folder / "sky-bin", log=said, log_code=code)
    done, out = ask("workflow", "logs", uri("quiet"), "--follow", **ask.sky(sky))
    assert done == 4
    assert "was not delivered" in out


def test_a_log_that_is_held_back_until_its_task_starts_is_pending(ask: Asked, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("runtriage.targets.sky.WAITING_SECONDS", 0.2)
    sky = SkyStandIn(ask.folder / "sky-bin", log="", log_seconds=5)
    code, found = ask.data("workflow", "logs", uri("live"), **ask.sky(sky))
    assert (code, found["live_log_state"], found["log"]) == (0, "pending", None)


def test_a_controller_that_is_not_up_leaves_an_empty_queue(ask: Asked) -> None:
    sky = SkyStandIn(ask.folder / "sky-bin", queue="", errors=GONE, code=1)
    _, ended = ask.data("workflow", "status", uri("bad"), **ask.sky(sky))
    _, going = ask.data("workflow", "status", uri("live"), **ask.sky(sky))
    assert ended["verification_status"] == "VERIFIED"
    assert (going["status"], going["decision"]["decision"]) == ("ABSENT", "BLOCKED_RESTORE_EVIDENCE")


@pytest.mark.parametrize("text", ["Kubernetes is not enabled. To fix, run: sky check kubernetes\n", ""])
def test_an_answer_without_a_table_of_accelerators_is_not_that_there_are_none(ask: Asked, text: str) -> None:
    code, found = ask.data("workflow", "gpus", **ask.sky(SkyStandIn(ask.folder / "sky-bin", gpus=text)))
    assert (code, found["sky"]["state"]) == (4, "failed")
    assert found["sky"]["reason"]


def test_a_stored_log_that_is_empty_is_said_to_have_been_read(tmp_path: Path) -> None:
    failed("mute", extra={"npa-workflow/logs/train/run.log": b""}).write(tmp_path / "store")
    with S3Server(tmp_path / "store") as storage, Proxy(storage.port) as proxy:
        code, out = Asked(tmp_path, storage, proxy)("workflow", "logs", uri("mute"), "--cached")
    assert (code, "the stored log was read and is empty" in out) == (0, True)


def test_which_stages_are_recorded_and_how_to_ask_again_is_told_beside_a_log(ask: Asked) -> None:
    _, found = ask.data("workflow", "logs", uri("bad"))
    assert (found["persisted_stages"], found["live_log_state"]) == (["train"], "unavailable")
    assert found["retry_command"] == f"runtriage workflow logs {uri('bad')} --stage train"
    assert ask.data("workflow", "logs", uri("bad"), "--cached")[1]["retry_command"] is None
