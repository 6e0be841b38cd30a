"""Logs of stages, and which source answered."""

from __future__ import annotations

import pytest

from tests.api.workflow_runs import row
from tests.cli.workflow.asked import TRACEBACK, Asked, uri
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
